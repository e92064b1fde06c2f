/** The cards of one path in their order, and where each term stands. */
import type { Card } from './card.js'
import { type Leaf, type Packed, pack, unpack } from './sheet.js'
import { hashOf } from './words.js'

export interface Catalogue {
  readonly cards: readonly Card[]
  /** The sitting of each card: what was said without a long pause. */
  readonly sittings: readonly number[]
  /** Where each sitting begins. */
  readonly starts: readonly number[]
  /** The places of the cards of a term, each followed by how often it stands there; it holds until the next call. */
  find(term: string): Uint32Array
  /** Words of all cards, and of each sitting. */
  readonly length: number
  readonly lengths: readonly number[]
  /** The sum of all vectors; null while there is none. */
  readonly sum: Float32Array | null
  add(card: Card, terms: ReadonlyMap<string, number>): void
  /** How many cards were added since the last were laid. */
  readonly loose: number
  pack(): Packed
  /** Adds cards that were packed; those that are loose are among them already. */
  lay(packed: Packed): void
}

/** A longer pause than this begins another sitting. */
const pause = 30 * 60_000

export function createCatalogue(): Catalogue {
  const cards: Card[] = []
  const sittings: number[] = []
  const starts: number[] = []
  const lengths: number[] = []
  const leaves: (readonly [leaf: Leaf, from: number])[] = []
  /** Of the loose cards, which begin here. */
  let postings = new Map<string, number[]>()
  let first = 0
  let found = new Uint32Array()
  let length = 0
  let sum: Float32Array | null = null
  const put = (card: Card): void => {
    const place = cards.length
    const last = cards[place - 1]
    if (!last || Math.abs(card.at - last.at) > pause) {
      starts.push(place)
      lengths.push(0)
    }
    const sitting = starts.length - 1
    cards.push(card)
    sittings.push(sitting)
    lengths[sitting] = (lengths[sitting] as number) + card.length
    length += card.length
    if (card.vector) sum = plus(sum ?? new Float32Array(card.vector.length), card)
  }
  return {
    cards,
    sittings,
    starts,
    lengths,
    get length() {
      return length
    },
    get sum() {
      return sum
    },
    get loose() {
      return cards.length - first
    },
    find(term) {
      if (found.length < cards.length * 2) found = new Uint32Array(cards.length * 4)
      const hash = hashOf(term)
      let count = 0
      for (const [leaf, from] of leaves) count = leaf.find(hash, from, found, count)
      for (const [at, value] of (postings.get(term) ?? []).entries())
        found[count++] = at % 2 === 0 ? first + value : value
      return found.subarray(0, count)
    },
    add(card, terms) {
      const place = cards.length - first
      put(card)
      for (const [term, times] of terms) {
        const list = postings.get(term)
        if (list) list.push(place, times)
        else postings.set(term, [place, times])
      }
    },
    pack: () => pack(cards.slice(first), postings),
    lay(packed) {
      const leaf = unpack(packed)
      leaves.push([leaf, first])
      for (const [at, card] of leaf.cards.entries())
        if (first + at < cards.length) cards[first + at] = card
        else put(card)
      postings = new Map()
      first = cards.length
    },
  }
}

function plus(sum: Float32Array, { vector, scale }: Card): Float32Array {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + scale * (vector?.[at] ?? 0)
  return sum
}
