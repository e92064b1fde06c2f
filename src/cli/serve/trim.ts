/** Forgets events that are too old to be resumed from. What was said stays: it is in the log, not in the events. */

import type { Conversation } from '../../store/contract/conversation.js'
import type { Store } from '../../store/contract/store.js'

interface Trim {
  readonly store: Store
  readonly workspace: string
  /** Events before this instant go, in milliseconds. */
  readonly before: number
  /** Conversations that have been still since this instant were trimmed by an earlier sweep. */
  readonly since: number
}

/** Returns how many conversations lost events. */
export async function trimOldEvents({ store, workspace, before, since }: Trim): Promise<number> {
  let trimmed = 0
  let cursor: string | null | undefined
  do {
    const page = await store.list(workspace, { limit: 200, ...(cursor ? { cursor } : null) })
    for (const one of page.items) if (await trimOne(store, workspace, one, before)) trimmed++
    // newest first, but for those that are pinned
    const last = page.items.at(-1)
    if (last && !last.pinned && Date.parse(last.updatedAt) < since) return trimmed
    cursor = page.cursor
  } while (cursor)
  return trimmed
}

async function trimOne(store: Store, workspace: string, { id }: Conversation, before: number): Promise<boolean> {
  const { events, oldest, newest } = await store.events(workspace, id, 0, 1)
  const isOld = (at: string | undefined): boolean => at !== undefined && Date.parse(at) < before
  if (!isOld(events[0]?.at)) return false
  // numbers have no gaps and times grow with them
  let [low, high] = [oldest, newest]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const page = await store.events(workspace, id, middle - 1, 1)
    if (isOld(page.events[0]?.at)) low = middle
    else high = middle - 1
  }
  await store.trimEvents(workspace, id, low)
  return true
}
