/** The cards of a stretch of a conversation as a store keeps them: columns of numbers in one row of bytes, read as they are. */
import type { Card, Terms } from './card.js'
import { pairBytes } from './pairs.js'

/** A sheet begins with every so many entries; its places are numbers of two bytes. */
export const span = 1_024

/** A card and where it is found, before they are packed. */
export interface Loose {
  readonly card: Card
  readonly terms: Terms
}

/** What is packed: the `seq` of the parent of each entry, 0 for none, and the cards that some of them have. */
export interface Stretch {
  readonly first: number
  readonly parents: readonly number[]
  readonly bare: number
  readonly cards: readonly Loose[]
}

/** How many of each there are, at the beginning of the bytes. */
const counts = [
  'first',
  'entries',
  'bare',
  'cards',
  'dimensions',
  'terms',
  'places',
  'sittings',
  'authors',
  'none',
] as const
type Counts = Readonly<Record<(typeof counts)[number], number>>
const head = 4 * counts.length

export type Leaf = NonNullable<ReturnType<typeof unpack>>

/** The columns in their place; those of the widest numbers first, so that each begins where its numbers may. */
function columnsIn(buffer: ArrayBufferLike, from: number, size: Counts) {
  let end = from + head
  const next = <T extends { readonly byteLength: number }>(
    Column: new (buffer: ArrayBufferLike, from: number, length: number) => T,
    length: number,
  ): T => {
    const column = new Column(buffer, end, length)
    end += column.byteLength
    return column
  }
  const [cards, terms, places] = [size.cards, size.terms, size.places]
  return {
    at: next(Float64Array, cards),
    scales: next(Float64Array, cards),
    hashes: next(Float64Array, cards),
    sum: next(Float32Array, size.dimensions),
    parents: next(Uint32Array, size.entries),
    seqs: next(Uint32Array, cards),
    depths: next(Uint32Array, cards),
    tokens: next(Uint32Array, cards),
    words: next(Uint32Array, cards),
    /** The card that each sitting begins with, the first of all among them, and how many words it has. */
    starts: next(Uint32Array, size.sittings),
    lengths: next(Uint32Array, size.sittings),
    /** The terms by their hashes, in order, and where the list of each ends. */
    terms: next(Uint32Array, terms),
    ends: next(Uint32Array, terms),
    /** In which card, and how often there. */
    places: next(Uint16Array, places),
    by: next(Uint16Array, cards),
    times: next(Uint8Array, places),
    facts: next(Uint8Array, cards),
    vectors: next(Int8Array, cards * size.dimensions),
    authors: next(Uint8Array, size.authors),
  }
}

const sizeOf = ({ entries, cards, dimensions, terms, places, sittings, authors }: Counts): number =>
  head + cards * (43 + dimensions) + 4 * (dimensions + entries) + 8 * (terms + sittings) + 3 * places + authors

/** Null for what is no sheet of this form, or no longer whole. */
export function unpack(given: Uint8Array) {
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given)
  if (bytes.length < head) return null
  const numbers = new Uint32Array(bytes.buffer, bytes.byteOffset, counts.length)
  const size = Object.fromEntries(counts.map((name, at) => [name, numbers[at] as number])) as Counts
  if (sizeOf(size) !== bytes.length) return null
  const columns = columnsIn(bytes.buffer, bytes.byteOffset, size)
  const { first, entries } = size
  const authors = JSON.parse(new TextDecoder().decode(columns.authors)) as readonly string[]
  let starts: Uint32Array | null = null
  let pairs: Uint8Array | null = null
  const leaf = {
    ...size,
    ...columns,
    authors,
    bytes,
    last: first + entries - 1,
    pairs: (): Uint8Array | null => pairs,
    /** From then on its cards have their pairs; bytes that are too few say of no words that they stand side by side. */
    pair(some: Uint8Array): void {
      starts ??= startsOf(columns.words)
      const length = starts[size.cards] as number
      pairs = some.length < length ? new Uint8Array(length) : some.subarray(0, length)
    },
    pairsAt(place: number): Uint8Array {
      return pairs && starts ? pairs.subarray(starts[place], starts[place + 1]) : none
    },
    card: (place: number): Card => ({
      seq: columns.seqs[place] as number,
      depth: columns.depths[place] as number,
      contentHash: columns.hashes[place] as number,
      facts: columns.facts[place] as number,
      author: authors[columns.by[place] as number] ?? '',
      at: columns.at[place] as number,
      tokens: columns.tokens[place] as number,
      length: columns.words[place] as number,
      pairs: leaf.pairsAt(place),
      vector: size.dimensions > 0 ? leaf.vector(place) : null,
      scale: columns.scales[place] as number,
    }),
    vector: (place: number): Int8Array =>
      columns.vectors.subarray(place * size.dimensions, (place + 1) * size.dimensions),
    /** Where the list of a term begins and ends. */
    list(term: number): readonly [from: number, to: number] {
      const place = placeOf(columns.terms, term)
      if (place < 0) return [0, 0]
      return [columns.ends[place - 1] ?? 0, Math.min(columns.ends[place] as number, columns.places.length)]
    },
  }
  return leaf
}

/** Packs a stretch, behind a leaf with pairs that it goes on from. */
export function pack({ first, parents, bare, cards: loose }: Stretch, before: Leaf | null): Leaf {
  const own = loose.map(({ card }) => card)
  const cards = before ? [...Array.from({ length: before.cards }, (_, at) => before.card(at)), ...own] : own
  const postings = postingsOf(loose, before)
  const terms = Uint32Array.from(postings.keys()).sort()
  const sittings = sittingsOf(cards)
  const authors = [...new Set(cards.map(({ author }) => author))]
  const names = new TextEncoder().encode(JSON.stringify(authors))
  const size: Counts = {
    first: before?.first ?? first,
    entries: (before?.entries ?? 0) + parents.length,
    bare: (before?.bare ?? 0) + bare,
    cards: cards.length,
    dimensions: cards[0]?.vector?.length ?? 0,
    terms: terms.length,
    places: [...postings.values()].reduce((sum, list) => sum + list.length / 2, 0),
    sittings: sittings.length,
    authors: names.length,
    none: 0,
  }
  const bytes = new Uint8Array(sizeOf(size))
  new Uint32Array(bytes.buffer, 0, counts.length).set(counts.map((name) => size[name]))
  const columns = columnsIn(bytes.buffer, 0, size)
  columns.at.set(cards.map(({ at }) => at))
  columns.scales.set(cards.map(({ scale }) => scale))
  columns.hashes.set(cards.map(({ contentHash }) => contentHash))
  columns.sum.set(sumOf(cards))
  columns.parents.set([...(before?.parents ?? []), ...parents])
  columns.seqs.set(cards.map(({ seq }) => seq))
  columns.depths.set(cards.map(({ depth }) => depth))
  columns.tokens.set(cards.map(({ tokens }) => tokens))
  columns.words.set(cards.map(({ length }) => length))
  columns.starts.set(sittings.map(([start]) => start))
  columns.lengths.set(sittings.map(([, length]) => length))
  columns.terms.set(terms)
  let end = 0
  for (const [at, term] of terms.entries()) {
    const list = postings.get(term) as number[]
    for (let one = 0; one < list.length; one += 2) {
      columns.places[end] = list[one] as number
      columns.times[end++] = Math.min(255, list[one + 1] as number)
    }
    columns.ends[at] = end
  }
  columns.by.set(cards.map(({ author }) => authors.indexOf(author)))
  columns.facts.set(cards.map(({ facts }) => facts))
  for (const [at, { vector }] of cards.entries()) if (vector) columns.vectors.set(vector, at * size.dimensions)
  columns.authors.set(names)
  const leaf = unpack(bytes) as Leaf
  leaf.pair(joined(cards.map(({ pairs }) => pairs)))
  return leaf
}

function postingsOf(loose: readonly Loose[], before: Leaf | null): Map<number, number[]> {
  const postings = new Map<number, number[]>()
  if (before)
    for (const term of before.terms) {
      const [from, to] = before.list(term)
      const list: number[] = []
      for (let at = from; at < to; at++) list.push(before.places[at] as number, before.times[at] as number)
      postings.set(term, list)
    }
  for (const [at, { terms }] of loose.entries())
    for (const [term, times] of terms) {
      const list = postings.get(term)
      if (list) list.push((before?.cards ?? 0) + at, times)
      else postings.set(term, [(before?.cards ?? 0) + at, times])
    }
  return postings
}

const none = new Uint8Array()

/** A longer pause than this begins another sitting: what was said without one. */
const pause = 30 * 60_000

export const isPause = (before: number, at: number): boolean => Math.abs(at - before) > pause

function sittingsOf(cards: readonly Card[]): readonly (readonly [start: number, words: number])[] {
  const sittings: [number, number][] = []
  for (const [place, { at, length }] of cards.entries()) {
    if (place === 0 || isPause(cards[place - 1]?.at ?? 0, at)) sittings.push([place, 0])
    const last = sittings.at(-1) as [number, number]
    last[1] += length
  }
  return sittings
}

/** Where the pairs of each card begin: how many words it has says how many bytes they are. */
function startsOf(words: Uint32Array): Uint32Array {
  const starts = new Uint32Array(words.length + 1)
  for (let at = 0; at < words.length; at++) starts[at + 1] = (starts[at] as number) + pairBytes(words[at] as number)
  return starts
}

function joined(all: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const one of all) {
    bytes.set(one, end)
    end += one.length
  }
  return bytes
}

/** Of their vectors, each of length one. */
export function sumOf(cards: readonly Card[]): Float32Array {
  const sum = new Float32Array(cards[0]?.vector?.length ?? 0)
  for (const { vector, scale } of cards)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + scale * (vector?.[at] ?? 0)
  return sum
}

/** -1 when it is none of them. */
function placeOf(sorted: Uint32Array, value: number): number {
  let [low, high] = [0, sorted.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    if (sorted[middle] === value) return middle
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle - 1
  }
  return -1
}
