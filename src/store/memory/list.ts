/** The order of lists, and their pages. */
import type { Conversation, ListQuery } from '../contract/conversation.js'
import { compareText, listKey } from '../shared/page.js'

export function matches(one: Conversation, query: ListQuery): boolean {
  if (query.archived !== undefined && one.archived !== query.archived) return false
  if (query.pinned !== undefined && one.pinned !== query.pinned) return false
  if (query.folder !== undefined && one.folder !== query.folder) return false
  return query.tag === undefined || one.tags.includes(query.tag)
}

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
