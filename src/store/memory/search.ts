/** Search in memory: what is new is taken in when someone asks, as in every store. */
import { bytesOf, cosine } from '../bytes.js'
import type { Page } from '../contract/page.js'
import type { Hit, Near, SearchQuery } from '../contract/search.js'
import type { Entry } from '../entry.js'
import { type Filter, filterOf, hitOf, type Searched, searchedOf } from '../found.js'
import { compareText, cursorAt, limitOf, placeBefore } from '../page.js'
import { type Bound, ranked, type Scored } from '../ranked.js'
import { isWithin, type Span, spansOf } from '../spans.js'
import { isSought, type Sought, soughtIn } from '../terms.js'
import { compareScored } from '../vectors.js'
import { type Room, type Workspace, walk } from './room.js'

/** In the order in which they were taken in. */
export interface Listed extends Searched {
  readonly place: number
  readonly conversation: string
}

export async function search(home: Workspace, query: SearchQuery): Promise<Page<Hit>> {
  const sought = soughtIn(query.text)
  const before = query.near ? Number.MAX_SAFE_INTEGER : placeBefore(query.cursor)
  if (sought.length === 0 && !query.near) return { items: [], cursor: null }
  takeIn(home)
  const candidates = home.listed.filter(passing(home, query))
  if (query.near) return byMeaning(home, query, query.near, candidates, sought)
  const found = withWords(candidates, sought).filter(({ place }) => place < before)
  const items = found.slice(0, limitOf(query.limit))
  const last = items.at(-1)
  return {
    items: items.map((one) => shown(home, one, sought)),
    cursor: last && found.length > items.length ? cursorAt(last.place) : null,
  }
}

/** Newest first. */
const withWords = (candidates: readonly Listed[], sought: readonly Sought[]): Listed[] =>
  candidates.filter((one) => sought.every((word) => has(one, word))).reverse()

function byMeaning(
  home: Workspace,
  query: SearchQuery,
  near: Near,
  candidates: readonly Listed[],
  sought: readonly Sought[],
): Promise<Page<Hit>> {
  const vectors = home.vectors.get(near.model)
  const asked = bytesOf(near.vector)
  const score = (one: Listed): Scored => ({ ...one, score: cosine(asked, vectors?.get(one.place) ?? new Int8Array()) })
  const within = ({ below, limit, after }: Bound, list: readonly Listed[]): Listed[] =>
    list.filter((one) => one.place < below && (!after || compareScored(score(one), after) > 0)).slice(0, limit)
  return ranked(query, near, sought, {
    end: async () => home.places + 1,
    words: async (bound) => within(bound, withWords(candidates, sought)),
    async nearest(bound) {
      const known = candidates.filter((one) => vectors?.has(one.place) && isDirected(vectors.get(one.place)))
      const list = known.filter((one) => isDirected(asked) && score(one).score >= near.least)
      list.sort((one, other) => compareScored(score(one), score(other)))
      return within(bound, list).map(score)
    },
    hits: async (refs) =>
      refs.flatMap((ref) => {
        const one = home.listed.find(({ place }) => place === ref.place)
        return one ? [{ ref, hit: shown(home, one, sought), text: entryOf(home, one).text }] : []
      }),
  })
}

/** A vector of nothing but zeros points nowhere. */
const isDirected = (vector: Int8Array | undefined): boolean => vector?.some((value) => value !== 0) ?? false

export function takeIn(home: Workspace): void {
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
  const goes = (one: Listed): boolean => one.conversation === conversation && (seq ?? one.seq) === one.seq
  const gone = home.listed.filter(goes)
  home.listed = home.listed.filter((one) => !goes(one))
  for (const vectors of home.vectors.values()) for (const { place } of gone) vectors.delete(place)
  return gone.length
}

function passing(home: Workspace, query: SearchQuery): (one: Listed) => boolean {
  const filter = filterOf(query)
  const spans = query.branch === undefined ? null : spansIn(home, query.conversation as string, query.branch)
  const isTagged = ({ conversation }: Listed): boolean =>
    query.tag === undefined || (home.rooms.get(conversation)?.conversation.tags.includes(query.tag) ?? false)
  return (one) => passes(one, filter) && (spans === null || isWithin(spans, one.seq)) && isTagged(one)
}

function spansIn(home: Workspace, conversation: string, branch: string): readonly Span[] {
  const room = home.rooms.get(conversation)
  const head = room?.byId.get(room.branches.get(branch)?.head ?? '')
  return room && head
    ? spansOf(
        walk(room, head, () => true)
          .map(({ seq }) => seq)
          .reverse(),
      )
    : []
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

const entryOf = (home: Workspace, { conversation, seq }: Pick<Listed, 'conversation' | 'seq'>): Entry =>
  (home.rooms.get(conversation) as Room).entries[seq - 1] as Entry

const shown = (home: Workspace, one: Listed, sought: readonly Sought[]): Hit =>
  hitOf((home.rooms.get(one.conversation) as Room).conversation, entryOf(home, one), one.role, sought)
