/** The cards of one path in their order, in columns, and where each term stands. */
import { product } from '../store/shared/bytes.js'
import type { Card, Terms } from './card.js'
import { isPause, type Leaf, type Loose, sumOf } from './sheet.js'
import { hashOf } from './words.js'

export type Catalogue = ReturnType<typeof createCatalogue>

/** Cards of a leaf: where the first of them stands, and where each does when some are left out (-1). */
interface Part {
  readonly leaf: Leaf
  readonly from: number
  readonly places: Int32Array | null
}

/** `room`: for so many cards at first. */
export function createCatalogue(room = 64) {
  const parts: Part[] = []
  /** The cards that were added one by one, behind the others, and where their terms stand among them. */
  const loose: Loose[] = []
  const postings = new Map<number, number[]>()
  let found = new Uint32Array()
  let columns = columnsFor(room)
  const first = (): number => all.size - loose.length
  const partAt = (place: number): Part => parts.findLast(({ from }) => from <= place) as Part
  /** In its leaf. */
  const within = ({ from, places }: Part, place: number): number => (places ? places.indexOf(place) : place - from)
  const grow = (size: number): void => {
    if (size > columns.at.length) columns = columnsFor(Math.max(size, 2 * all.size), columns)
  }
  /** The sitting of a card at the end. */
  const sittingAt = (at: number): number => {
    if (all.size === 0 || isPause(columns.at[all.size - 1] as number, at)) {
      all.starts.push(all.size)
      all.lengths.push(0)
    }
    return all.starts.length - 1
  }
  const put = (at: number, words: number, facts: number, scale: number): void => {
    grow(all.size + 1)
    const sitting = sittingAt(at)
    const place = all.size++
    columns.at[place] = at
    columns.words[place] = words
    columns.facts[place] = facts
    columns.scales[place] = scale
    columns.sittings[place] = sitting
    all.lengths[sitting] = (all.lengths[sitting] as number) + words
    all.length += words
  }
  /** All of a leaf: column by column, and sitting by sitting. */
  const putAll = (leaf: Leaf): void => {
    const from = all.size
    grow(from + leaf.cards)
    columns.at.set(leaf.at, from)
    columns.words.set(leaf.words, from)
    columns.facts.set(leaf.facts, from)
    columns.scales.set(leaf.scales, from)
    for (const [at, start] of leaf.starts.entries()) {
      const sitting = sittingAt(leaf.at[start] as number)
      const end = from + (leaf.starts[at + 1] ?? leaf.cards)
      columns.sittings.fill(sitting, from + start, end)
      const words = leaf.lengths[at] as number
      all.lengths[sitting] = (all.lengths[sitting] as number) + words
      all.length += words
      all.size = end
    }
  }
  const mean = (sum: Float32Array): void => {
    if (sum.length > 0) all.sum = all.sum ? all.sum.map((value, at) => value + (sum[at] as number)) : sum
  }
  const all = {
    size: 0,
    /** Where each sitting begins, and how many words it has: what was said without a long pause. */
    starts: [] as number[],
    lengths: [] as number[],
    /** Words of all cards. */
    length: 0,
    /** Of all vectors; null while there is none. */
    sum: null as Float32Array | null,
    authors: new Set<string>(),
    /** Of each card what `Card` says of it, and its sitting; a scale of 0 where there is no vector. */
    columns: (): Columns => ({
      at: columns.at.subarray(0, all.size),
      words: columns.words.subarray(0, all.size),
      facts: columns.facts.subarray(0, all.size),
      scales: columns.scales.subarray(0, all.size),
      sittings: columns.sittings.subarray(0, all.size),
    }),
    card(place: number): Card {
      if (place >= first()) return (loose[place - first()] as Loose).card
      const part = partAt(place)
      return part.leaf.card(within(part, place))
    },
    vector(place: number): Int8Array | null {
      if (place >= first()) return (loose[place - first()] as Loose).card.vector
      const part = partAt(place)
      return part.leaf.vector(within(part, place))
    },
    /** The product of a vector and that of each card, into the places of a list. */
    products(vector: Int8Array, into: Float64Array): void {
      for (const { leaf, from, places } of parts) {
        const { cards, vectors } = leaf
        for (let at = 0; at < cards; at++) {
          const place = places ? (places[at] as number) : from + at
          if (place >= 0) into[place] = product(vector, vectors, at * vector.length)
        }
      }
      for (const [at, { card }] of loose.entries())
        if (card.vector) into[first() + at] = product(vector, card.vector, 0)
    },
    /** The places of the cards of a term, each followed by how often it stands there; it holds until the next call. */
    find(term: string): Uint32Array {
      if (found.length < all.size * 2) found = new Uint32Array(all.size * 2)
      const hash = hashOf(term)
      const into = found
      let count = 0
      for (const { leaf, from, places } of parts) {
        const [begin, end] = leaf.list(hash)
        const { places: cards, times } = leaf
        for (let at = begin; at < end; at++) {
          const card = cards[at] as number
          const place = places ? (places[card] ?? -1) : from + card
          if (place < 0) continue
          into[count++] = place
          into[count++] = times[at] as number
        }
      }
      for (const [at, value] of (postings.get(hash) ?? []).entries())
        into[count++] = at % 2 === 0 ? first() + value : value
      return into.subarray(0, count)
    },
    /** So many cards have a term, those that are left out of a leaf among them. */
    having(term: string): number {
      const hash = hashOf(term)
      const some = (postings.get(hash)?.length ?? 0) / 2
      return parts.reduce((sum, { leaf }) => {
        const [begin, end] = leaf.list(hash)
        return sum + end - begin
      }, some)
    },
    add(card: Card, terms: Terms): void {
      mean(sumOf([card]))
      put(card.at, card.length, card.facts, card.scale)
      all.authors.add(card.author)
      loose.push({ card, terms })
      for (const [term, times] of terms) {
        const list = postings.get(term)
        if (list) list.push(loose.length - 1, times)
        else postings.set(term, [loose.length - 1, times])
      }
    },
    /** Adds the cards of a leaf, before any that are loose; of those left out, `isOn` says no. */
    lay(leaf: Leaf, isOn: ((seq: number) => boolean) | null): void {
      const from = all.size
      const places = isOn && new Int32Array(leaf.cards).fill(-1)
      if (!places) putAll(leaf)
      for (let at = 0; places && at < leaf.cards; at++) {
        if (!isOn(leaf.seqs[at] as number)) continue
        places[at] = all.size
        put(leaf.at[at] as number, leaf.words[at] as number, leaf.facts[at] as number, leaf.scales[at] as number)
      }
      parts.push({ leaf, from, places })
      for (const author of leaf.authors) all.authors.add(author)
      mean(places ? sumOf(cardsOf(leaf, places)) : leaf.sum)
    },
    /** The leaves of the cards at these places whose pairs are not there. */
    unpaired(places: Iterable<number>): ReadonlySet<Leaf> {
      const some = new Set<Leaf>()
      for (const place of places) if (place < first()) some.add(partAt(place).leaf)
      for (const leaf of some) if (leaf.pairs()) some.delete(leaf)
      return some
    },
  }
  return all
}

const cardsOf = (leaf: Leaf, places: Int32Array): readonly Card[] =>
  [...places].flatMap((place, at) => (place < 0 ? [] : [leaf.card(at)]))

interface Columns {
  readonly at: Float64Array
  readonly words: Uint32Array
  readonly facts: Uint8Array
  readonly scales: Float64Array
  readonly sittings: Uint32Array
}

function columnsFor(room: number, before?: Columns): Columns {
  const made = {
    at: new Float64Array(room),
    words: new Uint32Array(room),
    facts: new Uint8Array(room),
    scales: new Float64Array(room),
    sittings: new Uint32Array(room),
  }
  if (before) {
    made.at.set(before.at)
    made.words.set(before.words)
    made.facts.set(before.facts)
    made.scales.set(before.scales)
    made.sittings.set(before.sittings)
  }
  return made
}
