/** UI messages as entries of the log: one for each step and one for each result. What no model is shown stays beside them. */
import { decode } from '../../core/message/dialects/decode.js'
import { entriesOf, isInterrupted, type Writing } from '../../engine/window/entries.js'
import type { NewEntry } from '../../store/contract/entry.js'
import { canonical } from '../../store/shared/gate.js'
import { noteLabel, type Residue } from './lines.js'
import { callIdOf, callSide, type Head, plainOf, resultSide, type UiFields, type UiMessage } from './message.js'
import { resultOf, uiParts } from './parts.js'

/** The inverse of `messagesOf`, whatever the messages hold. */
export function entriesOfMessages(messages: readonly UiMessage[], writing: Writing): NewEntry[] {
  return messages.flatMap((message, i) => {
    const before = messages[i - 1]
    const follows = message.role === 'assistant' && before?.role === 'assistant'
    return entriesOfMessage(plainOf(message), writing, follows)
  })
}

/** `follows`: the message before it is an assistant's too, and it has to be told from that. */
function entriesOfMessage(message: UiMessage, writing: Writing, follows: boolean): NewEntry[] {
  const { parts: _, ...head } = message
  const entries: NewEntry[] = []
  for (const step of stepsIn(message)) {
    for (const entry of entriesOfStep(step, message, writing)) {
      const number = entries.length
      entries.push({ ...entry, id: number === 0 ? message.id : `${message.id}.${number}` })
    }
  }
  const [first, ...rest] = entries as [NewEntry, ...NewEntry[]]
  const isPlain = first.body.kind === 'message' && canonical(head) === canonical({ id: first.id, role: message.role })
  return isPlain && !follows ? entries : [withResidue(first, { message: head as unknown as Head }), ...rest]
}

/** A part that opens a step belongs to it. */
function stepsIn({ role, parts }: UiMessage): readonly (readonly UiFields[])[] {
  const steps: UiFields[][] = [[]]
  for (const part of parts as readonly UiFields[]) {
    const last = steps.at(-1) as UiFields[]
    if (role === 'assistant' && part.type === 'step-start' && last.length > 0) steps.push([part])
    else last.push(part)
  }
  return steps
}

function entriesOfStep(step: readonly UiFields[], { role, metadata }: UiMessage, writing: Writing): NewEntry[] {
  const raw = { role, parts: step, ...modelIn(metadata) }
  const decoded = decode(raw)
  if (!decoded.ok || decoded.parts.length === 0) return [noteOf(step, writing)]
  const [first, ...results] = entriesOf(raw, writing) as [NewEntry, ...NewEntry[]]
  const answered = new Set(results.map(({ body }) => body.kind === 'result' && body.callId))
  const calls = step.map((part) => (answered.has(callIdOf(part) as string) ? callSide(part) : part))
  const message = withReceipt(first, step)
  const isPlain = canonical(uiParts(message)) === canonical(calls)
  return [isPlain ? message : withResidue(message, { parts: calls }), ...results.map((entry) => told(entry, step))]
}

function told(entry: NewEntry, step: readonly UiFields[]): NewEntry {
  const { body } = entry
  const part = step.find((one) => body.kind === 'result' && callIdOf(one) === body.callId)
  const fields = part ? resultSide(part) : resultOf(entry)
  const isPlain = canonical(fields) === canonical(resultOf(entry)) && !isInterrupted(entry)
  return isPlain ? entry : withResidue(entry, { fields })
}

/** Parts that say nothing to a model. */
const noteOf = (parts: readonly UiFields[], { env }: Writing): NewEntry => ({
  id: env.id(),
  body: { kind: 'note', label: noteLabel, data: {} },
  text: '',
  tokens: 0,
  at: env.now(),
  meta: { ui: { parts } },
})

function withReceipt(entry: NewEntry, step: readonly UiFields[]): NewEntry {
  const receipt = step.find(({ type }) => type === 'data-receipt')?.id
  return typeof receipt === 'string' ? { ...entry, meta: { ...entry.meta, receipt } } : entry
}

export const withResidue = (entry: NewEntry, residue: Residue): NewEntry => ({
  ...entry,
  meta: { ...entry.meta, ui: { ...(entry.meta?.ui as Residue | undefined), ...residue } },
})

function modelIn(metadata: unknown): { readonly model?: string } {
  const model = typeof metadata === 'object' && metadata !== null && 'model' in metadata ? metadata.model : undefined
  return typeof model === 'string' && model !== '' ? { model } : {}
}
