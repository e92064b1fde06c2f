/** The order of lists, and their pages. */
import type { Conversation, ListQuery } from '../contract/conversation.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Page } from '../contract/page.js'
import { compareText, encodeCursor } from '../shared/page.js'
import { copy } from './room.js'

export function matches(one: Conversation, query: ListQuery): boolean {
  if (query.archived !== undefined && one.archived !== query.archived) return false
  if (query.pinned !== undefined && one.pinned !== query.pinned) return false
  if (query.folder !== undefined && one.folder !== query.folder) return false
  return query.tag === undefined || one.tags.includes(query.tag)
}

export const listKey = (one: Conversation): readonly string[] => [one.pinned ? '0' : '1', one.updatedAt, one.id]
export const receiptKey = (one: StoredReceipt): readonly string[] => [one.at, one.id]

/** Pinned first, then newest first, then by id. */
export const compareListed = (one: Conversation, other: Conversation): number =>
  compareKeys(listKey(one), listKey(other))

export function compareKeys(one: readonly string[], other: readonly string[]): number {
  for (let i = 0; i < one.length; i++) {
    const order = compareText(one[i] as string, other[i] as string)
    // times run backwards: the newest comes first
    if (order !== 0) return i === one.length - 2 ? -order : order
  }
  return 0
}

export function page<T>(rest: readonly T[], limit: number, key: (one: T) => readonly string[]): Page<T> {
  const items = rest.slice(0, limit)
  const last = items.at(-1)
  return { items: copy(items), cursor: rest.length > limit && last ? encodeCursor(key(last)) : null }
}
