/** Cursors: the sort key of the last row, so that a page is found by index whatever was added meanwhile. */
import { isWellFormed } from '../../core/message/text.js'
import { refusal } from './refuse.js'
import { fromBase64Url, toBase64Url } from './runtime.js'

export const encodeCursor = (key: readonly string[]): string => toBase64Url(JSON.stringify(key))

export function decodeCursor(cursor: string, parts: number): readonly string[] {
  try {
    const key: unknown = JSON.parse(fromBase64Url(cursor))
    if (Array.isArray(key) && key.length === parts && key.every(isSound)) return key
  } catch {
    // falls through to the refusal
  }
  throw refusal('invalid', 'the cursor is not one that a page gave', { field: 'cursor', value: cursor })
}

const isSound = (part: unknown): boolean => typeof part === 'string' && !part.includes('\0') && isWellFormed(part)

export function limitOf(limit: number, most = 1_000): number {
  if (Number.isSafeInteger(limit) && limit > 0) return Math.min(limit, most)
  throw refusal('invalid', 'limit must be a whole number, one or more', { field: 'limit', value: limit })
}

/** A cursor that is the number of a place; with none, a place beyond all others. */
export const cursorAt = (place: number): string => encodeCursor([String(place)])

export function placeBefore(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER
  const place = Number(decodeCursor(cursor, 1)[0] || Number.NaN)
  if (Number.isSafeInteger(place) && place >= 0) return place
  throw refusal('invalid', 'the cursor is not one that a page gave', { field: 'cursor', value: cursor })
}

/** A cursor that is an entry of the workspace, by conversation and `seq`; with none, one before all others. */
export const cursorBehind = (conversation: string, seq: number): string => encodeCursor([conversation, String(seq)])

export function entryBehind(cursor: string | undefined): { readonly conversation: string; readonly seq: number } {
  if (cursor === undefined) return { conversation: '', seq: 0 }
  const [conversation = '', number = ''] = decodeCursor(cursor, 2)
  const seq = Number(number || Number.NaN)
  if (Number.isSafeInteger(seq) && seq >= 0) return { conversation, seq }
  throw refusal('invalid', 'the cursor is not one that a page gave', { field: 'cursor', value: cursor })
}

/** By code point, as the bytes of UTF-8 sort: databases do not sort by UTF-16 units. */
export function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let at = 0; at < length; at++) {
    const order = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at))
    if (order !== 0) return order
  }
  return one.length - other.length
}

/** Half a pair belongs to a code point above all that need no pair. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
