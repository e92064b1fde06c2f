/**
 * What the workspace's other conversations say: the words of the question lead to messages, and what stands around those is
 * looked at, too. Short conversations are looked at whole, the newest even where no word leads to them.
 */
import { type Lately, lately } from '../core/lately.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Store } from '../store/contract.js'
import type { Entry } from '../store/entry.js'
import { type Card, cardOf, roleOf } from './card.js'
import type { Embedder } from './embedder.js'
import { type Find, findWords } from './find-words.js'

export interface Carded {
  readonly card: Card
  readonly terms: ReadonlyMap<string, number>
}

/** A card of another conversation. */
export interface Foreign extends Carded {
  readonly conversation: string
  readonly title: string
}

export interface Beyond {
  readonly store: Store
  readonly workspace: string
  /** The one that asks: it is looked at by others. */
  readonly conversation: string
}

export type Elsewhere = (place: Beyond, question: string, embedder: Embedder | null) => Promise<readonly Foreign[]>

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

export function createElsewhere(): Elsewhere {
  const stores = new WeakMap<Store, Lately<Carded | null>>()
  return async (place, question, embedder) => {
    const known = stores.get(place.store) ?? lately<Carded | null>(kept)
    stores.set(place.store, known)
    const found = await talksOf(place, await findWords(place, question))
    const read = await Promise.all(found.map((talk) => cardsOf(place, talk, known, embedder)))
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
  /** Where to look: entries by their `seq`, both ends included. */
  readonly spans: readonly (readonly [from: number, to: number])[]
}

/** The most promising first, then the newest; what was put into the archive is left in peace. */
async function talksOf({ store, workspace, conversation }: Beyond, finds: readonly Find[]): Promise<readonly Talk[]> {
  const worth = new Map<string, number>()
  for (const { hit, weight } of finds) worth.set(hit.conversation, (worth.get(hit.conversation) ?? 0) + weight)
  const best = [...worth].sort(([, one], [, other]) => other - one).map(([id]) => id)
  const newest = await store.list(workspace, { limit: conversations, archived: false })
  const known = new Map(newest.items.map((one) => [one.id, one]))
  const names = [...new Set([...best, ...known.keys()])].filter((id) => id !== conversation)
  const talks = await Promise.all(names.slice(0, conversations).map((id) => known.get(id) ?? store.get(workspace, id)))
  return talks.flatMap((talk) => {
    if (!talk || talk.archived) return []
    const own = finds.filter(({ hit }) => hit.conversation === talk.id)
    return [{ conversation: talk, spans: spansOf(talk, own) }]
  })
}

function spansOf({ entries }: Conversation, finds: readonly Find[]): Talk['spans'] {
  if (entries <= short) return [[1, entries]]
  const best = finds.toSorted((one, other) => other.weight - one.weight).slice(0, hits)
  const spans: [number, number][] = []
  for (const seq of best.map(({ hit }) => hit.seq).sort((one, other) => one - other)) {
    const last = spans.at(-1)
    if (last && seq - around <= last[1] + 1) last[1] = seq + around
    else spans.push([Math.max(1, seq - around), seq + around])
  }
  return spans.map(([from, to]) => [from, Math.min(to, entries)])
}

async function cardsOf(
  { store, workspace }: Beyond,
  { conversation: { id, title }, spans }: Talk,
  known: Lately<Carded | null>,
  embedder: Embedder | null,
): Promise<readonly Foreign[]> {
  const nameOf = (seq: number): string => JSON.stringify([workspace, id, seq])
  const read = await Promise.all(
    spans.map(async ([from, to]) => {
      const places = Array.from({ length: to - from + 1 }, (_, at) => from + at)
      if (places.every((seq) => known.get(nameOf(seq)) !== undefined)) return []
      return store.feed(workspace, id, from - 1, places.length)
    }),
  )
  const fresh = read.flat()
  const vectors = embedder && fresh.length > 0 ? await embedder.embed(fresh.map(({ text }) => text)) : null
  for (const [at, entry] of fresh.entries()) known.set(nameOf(entry.seq), carded(entry, vectors?.[at] ?? null))
  return spans.flatMap(([from, to]) => {
    const out: Foreign[] = []
    for (let seq = from; seq <= to; seq++) {
      const one = known.get(nameOf(seq))
      if (one) out.push({ ...one, conversation: id, title })
    }
    return out
  })
}

/** Null for what is never quoted. */
function carded(entry: Entry, vector: Float32Array | null): Carded | null {
  const role = roleOf(entry)
  if (role === null || role === 'system' || entry.redacted || entry.text.trim() === '') return null
  const [card, terms] = cardOf(entry, role, vector)
  return { card, terms }
}
