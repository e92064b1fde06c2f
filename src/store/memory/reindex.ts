/** Makes anew what entries are found by. Their places stay, so that nothing moves for those who turn pages. */
import type { PageQuery } from '../contract/page.js'
import type { Reindexed } from '../contract/search.js'
import type { Entry } from '../entry.js'
import { searchedOf } from '../found.js'
import { compareText, cursorBehind, entryBehind, limitOf } from '../page.js'
import type { Workspace } from './room.js'
import { forget, takeIn } from './search.js'

export function reindex(home: Workspace, { limit, cursor }: PageQuery): Reindexed {
  const { conversation: after, seq } = entryBehind(cursor)
  takeIn(home)
  const rooms = [...home.rooms.values()].sort((one, other) => compareText(one.conversation.id, other.conversation.id))
  const rest = rooms
    .filter(({ conversation }) => compareText(conversation.id, after) >= 0)
    .flatMap((room) => room.entries.map((entry) => ({ id: room.conversation.id, entry })))
    .filter(({ id, entry }) => id !== after || entry.seq > seq)
  const done = rest.slice(0, limitOf(limit))
  for (const { id, entry } of done) relist(home, id, entry)
  const last = done.at(-1)
  return {
    entries: done.length,
    cursor: last && rest.length > done.length ? cursorBehind(last.id, last.entry.seq) : null,
  }
}

function relist(home: Workspace, conversation: string, entry: Entry): void {
  const at = home.listed.findIndex((one) => one.conversation === conversation && one.seq === entry.seq)
  const searched = searchedOf(entry)
  const known = home.listed[at]
  if (known && searched) home.listed[at] = { ...known, ...searched }
  if (known && !searched) forget(home, conversation, entry.seq)
  if (!known && searched) home.listed.push({ ...searched, place: ++home.places, conversation })
}
