/** The cards of one path in their order, in columns, and where each term stands. */
import type { Card, Terms } from './card.js'
import { type Leaf, type Packed, type Pairing, pack, sumOf, unpack } from './sheet.js'
import { hashOf } from './words.js'

export type Catalogue = ReturnType<typeof createCatalogue>

/** A longer pause than this begins another sitting. */
const pause = 30 * 60_000

export function createCatalogue() {
  const leaves: (readonly [leaf: Leaf, from: number])[] = []
  /** The cards that were added since the last were laid, and where their terms stand among them. */
  let loose: Card[] = []
  let postings = new Map<number, number[]>()
  let found = new Uint32Array()
  const leafAt = (place: number) => leaves.findLast(([, from]) => from <= place) as (typeof leaves)[number]
  const first = (): number => all.size - loose.length
  const put = ({ at, length, facts, scale }: Pick<Card, 'at' | 'length' | 'facts' | 'scale'>): void => {
    const place = all.size++
    if (place === 0 || Math.abs(at - (all.at[place - 1] as number)) > pause) {
      all.starts.push(place)
      all.lengths.push(0)
    }
    const sitting = all.starts.length - 1
    all.at.push(at)
    all.words.push(length)
    all.facts.push(facts)
    all.scales.push(scale)
    all.sittings.push(sitting)
    all.lengths[sitting] = (all.lengths[sitting] as number) + length
    all.length += length
  }
  /** Of the card at a place, and of those behind it. */
  const mean = (vectors: Int8Array, sum: Float32Array, place: number): void => {
    if (sum.length === 0) return
    const from = place * sum.length
    if (from + vectors.length > all.vectors.length) all.vectors = longer(all.vectors, from + vectors.length)
    all.vectors.set(vectors, from)
    all.sum = all.sum ? all.sum.map((value, at) => value + (sum[at] as number)) : sum
  }
  const all = {
    size: 0,
    /** Of each card what `Card` says of it; of its vector, as many numbers as it has, and a scale of 0 where there is none. */
    at: [] as number[],
    words: [] as number[],
    facts: [] as number[],
    scales: [] as number[],
    vectors: new Int8Array(),
    /** The sitting of each card: what was said without a long pause. Where each begins, and how many words it has. */
    sittings: [] as number[],
    starts: [] as number[],
    lengths: [] as number[],
    /** Words of all cards. */
    length: 0,
    /** Of all vectors; null while there is none. */
    sum: null as Float32Array | null,
    authors: new Set<string>(),
    loose: (): readonly Card[] => loose,
    /** What it takes in memory, in cards: a term of loose ones is an eighth of one, about. */
    weight: (): number => all.size + postings.size / 8,
    card(place: number): Card {
      if (place >= first()) return loose[place - first()] as Card
      const [leaf, from] = leafAt(place)
      return leaf.card(place - from)
    },
    /** The places of the cards of a term, each followed by how often it stands there; it holds until the next call. */
    find(term: string): Uint32Array {
      if (found.length < all.size * 2) found = new Uint32Array(all.size * 4)
      const hash = hashOf(term)
      let count = 0
      for (const [leaf, from] of leaves) count = leaf.find(hash, from, found, count)
      for (const [at, value] of (postings.get(hash) ?? []).entries())
        found[count++] = at % 2 === 0 ? first() + value : value
      return found.subarray(0, count)
    },
    add(card: Card, terms: Terms): void {
      if (card.vector) mean(card.vector, sumOf([card]), all.size)
      put(card)
      all.authors.add(card.author)
      loose.push(card)
      for (const [term, times] of terms) {
        const list = postings.get(term)
        if (list) list.push(loose.length - 1, times)
        else postings.set(term, [loose.length - 1, times])
      }
    },
    pack: () => pack(loose, postings),
    /** Adds cards that were packed, or gives those that are loose their place among them. */
    lay(packed: Packed, pairing: Pairing): void {
      const leaf = unpack(packed, pairing)
      leaves.push([leaf, first()])
      if (loose.length === 0) {
        mean(leaf.vectors, leaf.sum, all.size)
        for (let place = 0; place < leaf.size; place++) put(leaf.numbers(place))
      }
      for (const author of packed.authors) all.authors.add(author)
      postings = new Map()
      loose = []
    },
    /** Reads which words stand side by side in the cards at these places. */
    async pair(places: Iterable<number>): Promise<void> {
      const some = new Set<Leaf>()
      for (const place of places) if (place < first()) some.add(leafAt(place)[0])
      await Promise.all([...some].map((leaf) => leaf.pair()))
    },
  }
  return all
}

function longer(bytes: Int8Array, least: number): Int8Array<ArrayBuffer> {
  const more = new Int8Array(Math.max(2 * bytes.length, least))
  more.set(bytes)
  return more
}
