/** Messages of a dialect as entries: what the engine understands of them, and beside it the message as it came. */
import { HistoryError } from '../../core/message/issue.js'
import { entriesOf, type Writing } from '../../engine/window/entries.js'
import type { Body, NewEntry } from '../../store/contract/entry.js'
import { callsOf } from '../../store/shared/link.js'
import type { Dialect } from './dialect.js'

/** One message may be several entries: the first has it, the others have an empty text in its place. */
export function written<T>(item: T, dialect: Dialect<T>, writing: Writing): NewEntry[] {
  const said = understood(dialect.toMessage(item), writing) ?? [unsaid(dialect.name, writing)]
  return said.map((entry, i) => ({
    ...sound(entry),
    id: writing.env.id(),
    meta: { [dialect.name]: i === 0 ? JSON.stringify(item) : '' },
  }))
}

function understood(message: unknown, writing: Writing): NewEntry[] | undefined {
  try {
    return entriesOf(message, writing)
  } catch (error) {
    if (HistoryError.is(error)) return undefined
    throw error
  }
}

/** Kept, and no part of a window. */
const unsaid = (label: string, { env }: Writing): NewEntry => ({
  id: '',
  body: { kind: 'note', label, data: null },
  text: '',
  tokens: 0,
  at: env.now(),
})

/** No store takes a NUL; the message as it came still has it, escaped. */
const sound = (entry: NewEntry): NewEntry =>
  JSON.stringify(entry).includes('\\u0000') ? (withoutNul(entry) as NewEntry) : entry

function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\uFFFD')
  if (Array.isArray(value)) return value.map(withoutNul)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [withoutNul(key), withoutNul(inner)]))
}

/** A result that answers no open call is kept as a note: the log takes no answer without its question. */
export function legal(entries: readonly NewEntry[], before: readonly { readonly body: Body }[], label: string) {
  const open = new Set<string>()
  const see = (body: Body): boolean => {
    for (const call of callsOf(body)) open.add(call)
    return body.kind !== 'result' || open.delete(body.callId)
  }
  for (const { body } of before) see(body)
  return entries.map((entry): NewEntry => {
    if (see(entry.body)) return entry
    return { ...entry, body: { kind: 'note', label, data: null }, text: '', tokens: 0 }
  })
}

/** Whether all results answer calls among the entries themselves. */
export function isWhole(entries: readonly NewEntry[]): boolean {
  const calls = new Set(entries.flatMap(({ body }) => callsOf(body)))
  return entries.every(({ body }) => body.kind !== 'result' || calls.has(body.callId))
}
