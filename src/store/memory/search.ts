/** Search in memory: what is new is taken in when someone asks, as in every store. */
import type { Hit, Page, SearchQuery } from '../contract.js'
import type { Entry } from '../entry.js'
import { type Filter, filterOf, hitOf, type Searched, searchedOf } from '../found.js'
import { compareText, cursorAt, limitOf, placeBefore } from '../page.js'
import { isSought, type Sought, soughtIn } from '../terms.js'
import type { Room, Workspace } from './room.js'

/** In the order in which they were taken in. */
export interface Listed extends Searched {
  readonly place: number
  readonly conversation: string
}

export function search(home: Workspace, query: SearchQuery): Page<Hit> {
  const sought = soughtIn(query.text)
  const before = placeBefore(query.cursor)
  if (sought.length === 0) return { items: [], cursor: null }
  takeIn(home)
  const filter = filterOf(query)
  const found = home.listed
    .filter((one) => one.place < before && passes(one, filter) && sought.every((word) => has(one, word)))
    .reverse()
  const items = found.slice(0, limitOf(query.limit))
  const last = items.at(-1)
  return {
    items: items.map((one) => shown(home.rooms.get(one.conversation) as Room, one, sought)),
    cursor: last && found.length > items.length ? cursorAt(last.place) : null,
  }
}

function takeIn(home: Workspace): void {
  const stale = [...home.rooms.values()].filter(({ entries, indexed }) => indexed < entries.length)
  stale.sort((one, other) => compareText(one.conversation.id, other.conversation.id))
  for (const room of stale) {
    for (const entry of room.entries.slice(room.indexed)) {
      const searched = searchedOf(entry)
      if (searched) home.listed.push({ ...searched, place: ++home.places, conversation: room.conversation.id })
    }
    room.indexed = room.entries.length
  }
}

/** Returns how many went. */
export function forget(home: Workspace, conversation: string, seq?: number): number {
  const kept = home.listed.filter((one) => one.conversation !== conversation || (seq ?? one.seq) !== one.seq)
  const gone = home.listed.length - kept.length
  home.listed = kept
  return gone
}

function passes(one: Listed, { conversation, role, since, until }: Filter): boolean {
  if (conversation !== null && one.conversation !== conversation) return false
  if (role !== null && one.role !== role) return false
  if (since !== null && !(one.instant !== null && one.instant >= since)) return false
  return until === null || (one.instant !== null && one.instant < until)
}

function has({ terms }: Listed, word: Sought): boolean {
  if (!word.prefix) return terms.has(word.term)
  for (const term of terms) if (isSought(word, term)) return true
  return false
}

const shown = ({ conversation, entries }: Room, { seq, role }: Listed, sought: readonly Sought[]): Hit =>
  hitOf(conversation, entries[seq - 1] as Entry, role, sought)
