/** Cursors: the sort key of the last row, so that a page is found by index whatever was added meanwhile. */
import { refusal } from './refuse.js'

export const encodeCursor = (key: readonly string[]): string => Buffer.from(JSON.stringify(key)).toString('base64url')

export function decodeCursor(cursor: string, parts: number): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(key) && key.length === parts && key.every((part) => typeof part === 'string')) return key
  } catch {
    // falls through to the refusal
  }
  throw refusal('invalid', 'the cursor is not one that a page gave', { field: 'cursor', value: cursor })
}

export function limitOf(limit: number, most = 1_000): number {
  if (Number.isSafeInteger(limit) && limit > 0) return Math.min(limit, most)
  throw refusal('invalid', 'limit must be a whole number, one or more', { field: 'limit', value: limit })
}
