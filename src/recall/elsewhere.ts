/**
 * What the workspace's other conversations say: the words of the question lead to messages, and its meaning where vectors are
 * kept; what stands around those is looked at, too. Short conversations are looked at whole, the newest even where nothing
 * leads to them. What stands on an abandoned branch is left out.
 */
import { type Lru, lru } from '../core/message/lru.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry } from '../store/contract/entry.js'
import type { Spot } from '../store/contract/search.js'
import type { Store } from '../store/contract/store.js'
import { mapSlowly } from '../store/shared/turn.js'
import { type Card, cardOf, most, roleOf, type Terms } from './card.js'
import { type Embedder, versionOf } from './embedder.js'
import { type Find, findWords } from './find-words.js'
import { type Counts, createWays } from './ways.js'

export interface Carded {
  readonly card: Card
  readonly terms: Terms
}

/** A card of another conversation. */
export interface Foreign extends Carded, Spot {
  readonly title: string
}

export interface Beyond {
  readonly store: Store
  readonly workspace: string
  /** The one that asks: it is looked at by others. */
  readonly conversation: string
}

/** So many conversations are looked at, and so many messages in all. */
const conversations = 32
const messages = 640
/** A conversation with no more entries than this is looked at whole. */
const short = 48
/** Of a longer one so many hits, each with so many messages before it and after it. */
const hits = 3
const around = 1
/** Cards that are kept: entries do not change. */
const kept = 8_000
/** So many are read at once. */
const batch = 500
/** The cosine from which on a message is near. */
const least = 0.25

export function createElsewhere() {
  const stores = new WeakMap<Store, Lru<Carded | null>>()
  const ways = createWays()
  return async (place: Beyond, question: string, vector: Float32Array | null, embedder: Embedder | null) => {
    const known = stores.get(place.store) ?? lru<Carded | null>(kept)
    stores.set(place.store, known)
    const meant = embedder && vector ? { model: versionOf(embedder, vector), vector, least } : null
    const found = await talksOf(place, await findWords(place, question, meant))
    const counts = await Promise.all(found.map(({ conversation: { id } }) => ways(place, id)))
    const wanted = found.map((talk, at) => spotsOf(talk, counts[at] as Counts))
    await take(place, wanted.flat(), known, embedder)
    const read = wanted.map((spots) => cardsAt(place, spots, known))
    let left = messages
    const taken = read.filter((cards) => {
      left -= cards.length
      return left >= 0
    })
    // in the order in which the talks began, as far as that is known
    return taken.sort((one, other) => startOf(one) - startOf(other)).flat()
  }
}

const startOf = ([first]: readonly Foreign[]): number => first?.card.at || 0

interface Talk {
  readonly conversation: Conversation
  readonly finds: readonly Find[]
}

/** The most promising first, then the newest; what was put into the archive is left in peace. */
async function talksOf({ store, workspace, conversation }: Beyond, finds: readonly Find[]): Promise<readonly Talk[]> {
  const worth = new Map<string, number>()
  for (const { spot, weight } of finds) worth.set(spot.conversation, (worth.get(spot.conversation) ?? 0) + weight)
  const best = [...worth].sort(([, one], [, other]) => other - one).map(([id]) => id)
  const newest = await store.list(workspace, { limit: conversations, archived: false })
  const known = new Map(newest.items.map((one) => [one.id, one]))
  const names = [...new Set([...best, ...known.keys()])].filter((id) => id !== conversation)
  const talks = await Promise.all(names.slice(0, conversations).map((id) => known.get(id) ?? store.get(workspace, id)))
  return talks.flatMap((talk) => {
    if (!talk || talk.archived) return []
    return [{ conversation: talk, finds: finds.filter(({ spot }) => spot.conversation === talk.id) }]
  })
}

interface Wanted extends Spot {
  readonly title: string
}

/** Where to look. */
function spotsOf({ conversation: { id, title, entries }, finds }: Talk, counts: Counts): readonly Wanted[] {
  const all = entries <= short ? upTo(1, entries) : aroundAll(finds.filter(({ spot }) => counts(spot.seq)))
  return all.filter((seq) => seq <= entries && counts(seq)).map((seq) => ({ conversation: id, title, seq }))
}

function aroundAll(finds: readonly Find[]): readonly number[] {
  const best = finds.toSorted((one, other) => other.weight - one.weight).slice(0, hits)
  const near = best.flatMap(({ spot: { seq } }) => upTo(Math.max(1, seq - around), seq + around))
  return [...new Set(near)].sort((one, other) => one - other)
}

const upTo = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const nameOf = ({ workspace }: Beyond, { conversation, seq }: Spot): string =>
  JSON.stringify([workspace, conversation, seq])

/** Reads those that are not known yet. */
async function take(place: Beyond, wanted: readonly Spot[], known: Lru<Carded | null>, embedder: Embedder | null) {
  const fresh = wanted.filter((spot) => known.get(nameOf(place, spot)) === undefined)
  for (let at = 0; at < fresh.length; at += batch) {
    const spots = fresh.slice(at, at + batch)
    const entries = await place.store.pick(place.workspace, spots)
    const vectors = embedder ? await embedder.embed(entries.map((entry) => entry?.text.slice(0, most) ?? '')) : null
    await mapSlowly(entries, (entry, i) => {
      if (entry) known.set(nameOf(place, spots[i] as Spot), carded(entry, vectors?.[i] ?? null))
    })
  }
}

const cardsAt = (place: Beyond, wanted: readonly Wanted[], known: Lru<Carded | null>): readonly Foreign[] =>
  wanted.flatMap((spot) => {
    const one = known.get(nameOf(place, spot))
    return one ? [{ ...one, ...spot }] : []
  })

function carded(entry: Entry, vector: Float32Array | null): Carded | null {
  const role = roleOf(entry)
  if (role === null) return null
  const [card, terms] = cardOf(entry, role, vector)
  return { card, terms }
}
