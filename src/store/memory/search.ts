/** Search in memory: what is new is taken in when someone asks, as in every store. */

import type { Entry } from '../contract/entry.js'
import type { Page } from '../contract/page.js'
import type { Hit, Lead, Meant, Near, SearchQuery, Spot } from '../contract/search.js'
import { type Filter, filterOf, hitOf, searchedOf } from '../search/found.js'
import { type Bound, ranked, type Scored } from '../search/ranked.js'
import { isWithin, type Span, spansOf } from '../search/spans.js'
import { type Sought, soughtIn } from '../search/terms.js'
import type { Wanted } from '../search/vectors.js'
import { bytesOf } from '../shared/bytes.js'
import { compareText, limitOf, placeBefore, placedPage } from '../shared/page.js'
import { type Listed, list, unlist, withWords } from './listing.js'
import { type Room, type Workspace, walk } from './room.js'

export async function search(home: Workspace, query: SearchQuery): Promise<Page<Hit>> {
  const sought = soughtIn(query.text)
  const before = query.near ? 0 : placeBefore(query.cursor)
  if (sought.length === 0 && !query.near) return { items: [], cursor: null }
  takeIn(home)
  if (query.near) return byMeaning(home, query, query.near, sought)
  const limit = limitOf(query.limit)
  const found = byWords(home, query, sought, before, limit + 1)
  return placedPage(found, limit, (one) => shown(home, one, sought))
}

export function locate(home: Workspace, leads: readonly Lead[], limit: number): readonly (readonly Spot[])[] {
  takeIn(home)
  const below = home.places + 1
  return leads.map((lead) => {
    if (typeof lead !== 'string') return nearest(home, { text: '', limit }, lead, { below, limit }).map(spotOf)
    const sought = soughtIn(lead)
    return sought.length > 0 ? byWords(home, { text: lead, limit }, sought, below, limit).map(spotOf) : []
  })
}

const spotOf = ({ conversation, seq }: Spot): Spot => ({ conversation, seq })

/** Newest first, below a place. */
function byWords(
  home: Workspace,
  query: SearchQuery,
  sought: readonly Sought[],
  before: number,
  limit: number,
): readonly Listed[] {
  const passes = passing(home, query)
  const found: Listed[] = []
  for (const one of withWords(home.listing, sought, before, query.conversation)) {
    if (passes(one)) found.push(one)
    if (found.length === limit) break
  }
  return found
}

function byMeaning(home: Workspace, query: SearchQuery, near: Near, sought: readonly Sought[]): Promise<Page<Hit>> {
  return ranked(query, near, sought, {
    end: async () => home.places + 1,
    words: async ({ below, limit }) => byWords(home, query, sought, below, limit),
    nearest: async (bound) => nearest(home, query, near, bound),
    hits: async (refs) =>
      refs.flatMap((ref) => {
        const one = home.listing.all.get(ref.place)
        return one ? [{ ref, hit: shown(home, one, sought), text: entryOf(home, one).text }] : []
      }),
  })
}

function nearest(home: Workspace, query: SearchQuery, meant: Meant, bound: Bound): readonly Scored[] {
  const { model, vector } = meant
  const vectors = home.vectors.get(model)?.bySize.get(vector.length)
  return vectors?.nearest(bytesOf(vector), wantedBy(home, query, meant), bound) ?? []
}

export function takeIn(home: Workspace): void {
  const stale = [...home.rooms.values()].filter(({ entries, indexed }) => indexed < entries.length)
  stale.sort((one, other) => compareText(one.conversation.id, other.conversation.id))
  for (const room of stale) {
    for (const entry of room.entries.slice(room.indexed)) {
      const searched = searchedOf(entry)
      if (searched) list(home.listing, { ...searched, place: ++home.places, conversation: room.conversation.id })
    }
    room.indexed = room.entries.length
  }
}

/** Returns how many went. */
export function forget(home: Workspace, conversation: string, seq?: number): number {
  const own = [...(home.listing.own.get(conversation)?.values() ?? [])]
  const gone = own.filter((one) => (seq ?? one.seq) === one.seq)
  unlist(home.listing, gone)
  for (const { places, bySize } of home.vectors.values()) {
    const known = gone.map(({ place }) => place).filter((place) => places.delete(place))
    for (const vectors of known.length > 0 ? bySize.values() : []) vectors.drop(known)
  }
  return gone.length
}

function passing(home: Workspace, query: SearchQuery): (one: Listed) => boolean {
  const filter = filterOf(query)
  const spans = spansIn(home, query)
  const isTagged = ({ conversation }: Listed): boolean =>
    query.tag === undefined || hasTag(home.rooms.get(conversation), query.tag)
  return (one) => passes(one, filter) && (spans === null || isWithin(spans, one.seq)) && isTagged(one)
}

function wantedBy(home: Workspace, query: SearchQuery, { least }: Meant): Wanted {
  const { conversation, tag } = query
  const rooms = conversation === undefined ? [...home.rooms.values()] : [home.rooms.get(conversation)]
  const named = rooms
    .filter((room) => tag === undefined || hasTag(room, tag))
    .map((room) => room?.conversation.id ?? '')
  const { role, since, until } = filterOf(query)
  const isAny = conversation === undefined && tag === undefined
  return { conversations: isAny ? null : new Set(named), spans: spansIn(home, query), role, since, until, least }
}

const hasTag = (room: Room | undefined, tag: string): boolean => room?.conversation.tags.includes(tag) ?? false

/** Null when no branch is named. */
function spansIn(home: Workspace, { conversation = '', branch }: SearchQuery): readonly Span[] | null {
  if (branch === undefined) return null
  const room = home.rooms.get(conversation)
  const head = room?.byId.get(room.branches.get(branch)?.head ?? '')
  if (!room || !head) return []
  const path = walk(room, head, () => true)
  return spansOf(path.map(({ seq }) => seq).reverse())
}

function passes(one: Listed, { conversation, role, since, until }: Filter): boolean {
  if (conversation !== null && one.conversation !== conversation) return false
  if (role !== null && one.role !== role) return false
  if (since !== null && !(one.instant !== null && one.instant >= since)) return false
  return until === null || (one.instant !== null && one.instant < until)
}

const entryOf = (home: Workspace, { conversation, seq }: Pick<Listed, 'conversation' | 'seq'>): Entry =>
  (home.rooms.get(conversation) as Room).entries[seq - 1] as Entry

const shown = (home: Workspace, one: Listed, sought: readonly Sought[]): Hit =>
  hitOf((home.rooms.get(one.conversation) as Room).conversation, entryOf(home, one), one.role, sought)
