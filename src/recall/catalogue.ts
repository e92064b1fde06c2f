/** The cards of one path in their order, and where each term stands. */
import type { Card } from './card.js'

export interface Catalogue {
  readonly cards: readonly Card[]
  /** The sitting of each card: what was said without a long pause. */
  readonly sittings: readonly number[]
  /** Where each sitting begins. */
  readonly starts: readonly number[]
  /** For each term the places of its cards, each followed by how often it stands there. */
  readonly postings: ReadonlyMap<string, readonly number[]>
  /** Words of all cards, and of each sitting. */
  readonly length: number
  readonly lengths: readonly number[]
  /** The sum of all vectors; null while there is none. */
  readonly sum: Float32Array | null
  add(card: Card, terms: ReadonlyMap<string, number>): void
}

/** A longer pause than this begins another sitting. */
const pause = 30 * 60_000

export function createCatalogue(): Catalogue {
  const cards: Card[] = []
  const sittings: number[] = []
  const starts: number[] = []
  const lengths: number[] = []
  const postings = new Map<string, number[]>()
  let length = 0
  let sum: Float32Array | null = null
  return {
    cards,
    sittings,
    starts,
    postings,
    lengths,
    get length() {
      return length
    },
    get sum() {
      return sum
    },
    add(card, terms) {
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
      if (card.vector) sum = plus(sum ?? new Float32Array(card.vector.length), card.vector)
      for (const [term, times] of terms) {
        const list = postings.get(term)
        if (list) list.push(place, times)
        else postings.set(term, [place, times])
      }
    },
  }
}

function plus(sum: Float32Array, vector: Float32Array): Float32Array {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + (vector[at] as number)
  return sum
}
