/** Raw objects: own properties only, strings made well formed, and a note of all that is lost. */
import type { Part } from '../item.js'
import { isWellFormed, wellFormed } from '../text.js'
import type { Dialect, Refused, Result } from './decode.js'

export type Raw = Readonly<Record<string, unknown>>

/** What the readers of one message add to. */
export interface Sink {
  readonly parts: Part[]
  readonly results: Result[]
  readonly lost: string[]
  dialect?: Dialect
  /** The first refusal; it stands for the whole message. */
  refused?: Refused
}

/** Entries of one list that are read, notes that are kept: hostile objects can be endless. */
const longest = 100_000
const notes = 100

export const newSink = (): Sink => ({ parts: [], results: [], lost: [] })

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of an own property; what is inherited is not there. */
export const own = (raw: object, key: string): unknown => (Object.hasOwn(raw, key) ? (raw as Raw)[key] : undefined)

/** The first of the keys that holds something. */
export function firstOf(raw: object, ...keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = own(raw, key)
    if (value !== undefined && value !== null) return value
  }
  return undefined
}

export function note(sink: Sink, at: string, what: string): void {
  if (sink.lost.length < notes) sink.lost.push(at === '' ? what : `${at}: ${what}`)
  else if (sink.lost.length === notes) sink.lost.push('and more')
}

export function clean(value: string, at: string, sink: Sink): string {
  if (isWellFormed(value)) return value
  note(sink, at, 'lone surrogates were replaced by U+FFFD')
  return wellFormed(value)
}

/** The first of the keys that holds a string, made well formed. */
export function str(raw: object, at: string, sink: Sink, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = own(raw, key)
    if (typeof value === 'string') return clean(value, join(at, key), sink)
  }
  return undefined
}

/** The first of the keys that holds an id: a string that is not empty, or a whole number. */
export function idOf(raw: object, at: string, sink: Sink, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = own(raw, key)
    if (typeof value === 'string' && value !== '') return clean(value, join(at, key), sink)
    if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  }
  return undefined
}

/** Calls `read` for each entry of a list, with its path. */
export function each(
  list: readonly unknown[],
  at: string,
  sink: Sink,
  read: (entry: unknown, at: string) => void,
): void {
  const end = Math.min(list.length, longest)
  for (let i = 0; i < end; i++) read(list[i], `${at}[${i}]`)
  if (list.length > end) note(sink, at, `only the first ${longest} of ${list.length} entries were read`)
}

export const join = (at: string, key: string): string => (at === '' ? key : `${at}.${key}`)

export const typeName = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value
