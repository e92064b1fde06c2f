/** A path as the UI tells it: which entry begins a message, and what each adds to it. */
import { isInterrupted } from '../../engine/window/entries.js'
import type { NewEntry } from '../../store/contract/entry.js'
import type { Head, UiFields, UiMessage } from './message.js'
import { callIdOf } from './message.js'
import { resultOf, uiParts } from './parts.js'

/** What the parts of an entry cannot say of the message it came from; kept with the entry, and removed with its words. */
export interface Residue {
  /** Begins a message: all of it but its parts. */
  readonly message?: Head
  readonly parts?: readonly UiFields[]
  /** Of a result: its fields in the part of the tool. */
  readonly fields?: Head
}

export type UiLine =
  | { readonly kind: 'step'; readonly entry: NewEntry; readonly head: Head | null; readonly parts: readonly UiFields[] }
  | { readonly kind: 'result'; readonly entry: NewEntry; readonly callId: string; readonly fields: Head }

/** The label of a note that holds parts no model is shown. */
export const noteLabel = 'ui-message'

export const residueOf = ({ meta }: NewEntry): Residue => (meta?.ui as Residue | undefined) ?? {}

/** Notes of others and summaries are nothing to the UI. */
export function uiLines(entries: readonly NewEntry[]): readonly UiLine[] {
  const lines: UiLine[] = []
  let speaks: unknown
  for (const entry of entries) {
    const { body } = entry
    const { message, parts, fields } = residueOf(entry)
    if (body.kind === 'result') {
      // a call that the log has closed by itself is still open to the UI
      if (isInterrupted(entry) && fields === undefined) continue
      lines.push({ kind: 'result', entry, callId: body.callId, fields: fields ?? resultOf(entry) })
      continue
    }
    if (body.kind === 'summary' || (body.kind === 'note' && body.label !== noteLabel)) continue
    const role = body.kind === 'message' ? body.role : 'assistant'
    const goesOn = message === undefined && role === 'assistant' && speaks === 'assistant'
    const head = goesOn ? null : (message ?? { id: entry.id, role })
    speaks = head ? head.role : speaks
    lines.push({ kind: 'step', entry, head, parts: parts ?? uiParts(entry) })
  }
  return lines
}

/** An assistant's steps and the results between them are one message. */
export function messagesForUi(entries: readonly NewEntry[]): UiMessage[] {
  const messages: { head: Head; parts: UiFields[] }[] = []
  for (const line of uiLines(entries)) {
    if (line.kind === 'result') complete(messages, line.callId, line.fields)
    else if (line.head) messages.push({ head: line.head, parts: [...line.parts] })
    else messages.at(-1)?.parts.push(...line.parts)
  }
  return messages.map(({ head, parts }) => ({ ...head, parts }) as unknown as UiMessage)
}

function complete(messages: readonly { readonly parts: UiFields[] }[], callId: string, fields: Head): void {
  for (const { parts } of [...messages].reverse()) {
    const at = parts.findIndex((part) => callIdOf(part) === callId)
    if (at < 0) continue
    parts[at] = { ...(parts[at] as UiFields), ...fields }
    return
  }
}
