/** Makes anew what entries are found by. Their places stay, so that nothing moves for those who turn pages. */

import type { Entry } from '../contract/entry.js'
import type { PageQuery } from '../contract/page.js'
import type { Reindexed } from '../contract/search.js'
import { searchedOf } from '../search/found.js'
import { compareText, cursorBehind, entryBehind, limitOf } from '../shared/page.js'
import { list, listedAt, relist } from './listing.js'
import type { Workspace } from './room.js'
import { forget, takeIn } from './search.js'

export function reindex(home: Workspace, { limit, cursor }: PageQuery): Reindexed {
  const most = limitOf(limit)
  const rest = behind(home, entryBehind(cursor))
  takeIn(home)
  let last: Placed | null = null
  for (let entries = 0; ; entries++) {
    const { value: next, done } = rest.next()
    if (done || entries === most)
      return { entries, cursor: last && !done ? cursorBehind(last.id, last.entry.seq) : null }
    remake(home, next)
    last = next
  }
}

type Placed = { readonly id: string; readonly entry: Entry }

/** By conversation, then by `seq`. */
function* behind(home: Workspace, from: ReturnType<typeof entryBehind>): Generator<Placed, void> {
  const rooms = [...home.rooms.values()].map((room) => ({ id: room.conversation.id, entries: room.entries }))
  const rest = rooms.filter(({ id }) => compareText(id, from.conversation) >= 0)
  for (const { id, entries } of rest.sort((one, other) => compareText(one.id, other.id)))
    for (let at = id === from.conversation ? from.seq : 0; at < entries.length; at++)
      yield { id, entry: entries[at] as Entry }
}

function remake(home: Workspace, { id: conversation, entry }: Placed): void {
  const known = listedAt(home.listing, conversation, entry.seq)
  const searched = searchedOf(entry)
  if (known && searched) relist(home.listing, known, searched)
  if (known && !searched) forget(home, conversation, entry.seq)
  if (!known && searched) list(home.listing, { ...searched, place: ++home.places, conversation })
}
