/** Cursors: the sort key of the last row, so that a page is found by index whatever was added meanwhile. */
import { isWellFormed } from '../../core/message/text.js'
import type { Conversation } from '../contract/conversation.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Page } from '../contract/page.js'
import { refusal } from './refuse.js'
import { fromBase64Url, toBase64Url } from './runtime.js'

/** Everything of a list, page by page. */
export async function* paged<T>(ask: (from: { readonly cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let from: { readonly cursor?: string } | null = {}; from; ) {
    const { items, cursor }: Page<T> = await ask(from)
    yield* items
    from = cursor === null ? null : { cursor }
  }
}

export async function all<T>(some: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const one of some) list.push(one)
  return list
}

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

/** `rows` has one more than the limit when there is another page. */
export function pageOf<T>(rows: readonly T[], limit: number, key: (one: T) => readonly string[]): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, cursor: rows.length > limit && last ? encodeCursor(key(last)) : null }
}

export const listKey = (one: Conversation): readonly string[] => [one.pinned ? '0' : '1', one.updatedAt, one.id]
export const receiptKey = (one: StoredReceipt): readonly string[] => [one.at, one.id]

/** Of rows with a place, by which the next page is found. */
export function placedPage<R extends { readonly place?: unknown }, T>(
  rows: readonly R[],
  limit: number,
  show: (row: R) => T,
): Page<T> {
  const { items, cursor } = pageOf(rows, limit, ({ place }) => [String(place)])
  return { items: items.map(show), cursor }
}

/** A cursor that is the number of a place; with none, a place beyond all others. */
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
