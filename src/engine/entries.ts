/** Messages of any dialect as entries of the log: a call in its message, each result on its own. */
import { decode, type Result } from '../core/intake/decode.js'
import type { CallPart, Item, OutputPart, Part } from '../core/item.js'
import { outputText, plain } from '../core/mend/plain.js'
import { partsSize, type Scale, sizeOf } from '../core/size.js'
import type { NewEntry } from '../store/entry.js'
import { refusal } from '../store/refuse.js'

/** Ids and time come from outside. */
export interface Env {
  readonly id: () => string
  readonly now: () => string
}

export interface Writing {
  readonly env: Env
  readonly scale: Scale
}

/** One message may be several entries; they belong into one batch. */
export function entriesOf(message: unknown, writing: Writing, field = 'message'): NewEntry[] {
  const decoded = decode(typeof message === 'string' ? { role: 'user', content: message } : message)
  if (!decoded.ok) {
    const at = decoded.field === '' ? field : `${field}.${decoded.field}`
    throw refusal('invalid', `${at}: ${decoded.reason}`, { field: at, value: decoded.value })
  }
  const results: Result[] = [...decoded.results]
  const parts = decoded.parts.map((part) => apart(part, results))
  const entries: NewEntry[] = []
  const at = decoded.at ?? writing.env.now()
  const who = {
    ...(decoded.author === undefined ? null : { author: decoded.author }),
    ...(decoded.model === undefined ? null : { model: decoded.model }),
  }
  const inside = results.slice(decoded.results.length)
  for (const result of decoded.results) entries.push(resultEntry(result, at, writing))
  if (parts.length > 0) {
    const item: Item = { role: decoded.role, parts }
    entries.push({
      id: decoded.id ?? writing.env.id(),
      body: { kind: 'message', role: decoded.role, parts, status: 'complete' },
      text: plain(item, 'drop'),
      tokens: sizeOf(item, writing.scale).tokens,
      at,
      ...who,
    })
  }
  for (const result of inside) entries.push(resultEntry(result, at, writing))
  if (entries.length === 0) throw refusal('invalid', `${field} says nothing`, { field })
  return entries
}

/** A call that came with its result is taken apart: the log keeps them as two entries. */
function apart(part: Part, results: Result[]): Part {
  if (part.type !== 'call' || part.outcome.state === 'pending') return part
  results.push({ callId: part.id, state: part.outcome.state, output: part.outcome.output })
  return { ...part, outcome: { state: 'pending' } } satisfies CallPart
}

export function resultEntry(result: Result, at: string, { env, scale }: Writing): NewEntry {
  if (result.callId === undefined) throw refusal('invalid', 'a result must name its call', { field: 'callId' })
  return {
    id: env.id(),
    body: { kind: 'result', callId: result.callId, state: result.state, output: result.output },
    text: outputText(result.output),
    tokens: partsSize(result.output, scale).tokens,
    at,
  }
}

/** The stand-in for a result that will never come. */
export const interruptedResult = (callId: string): Result => ({
  callId,
  state: 'error',
  output: [{ type: 'text', text: 'interrupted' } satisfies OutputPart],
})
