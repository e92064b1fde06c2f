/** The cards of a stretch of a path as a store keeps them, so that a window reads them instead of all that was said. */
import { lengthOf } from '../store/shared/bytes.js'
import { fromBase64, toBase64 } from '../store/shared/runtime.js'
import type { Card } from './card.js'
import { hashOf } from './words.js'

export type Packed = ReturnType<typeof pack>

export interface Leaf {
  readonly cards: readonly Card[]
  /** Adds the places of a term's cards, counted from `from`, each followed by how often it stands there; returns the new length. */
  find(term: number, from: number, into: Uint32Array, length: number): number
}

/** No more cards are packed together: their places are bytes. */
export const most = 256

const roles = ['user', 'assistant', 'tool', 'system'] as const
const facts = ['asks', 'self', 'hangs', 'tells', 'figures'] as const

/** Numbers in columns, each as text. `postings` have the places of the cards among these. */
export function pack(cards: readonly Card[], postings: ReadonlyMap<string, readonly number[]>) {
  const terms = [...postings].map(([term, list]) => ({ hash: hashOf(term), list })).sort((a, b) => a.hash - b.hash)
  const factsOf = (card: Card): number =>
    facts.reduce((all, fact, bit) => all | (card[fact] ? 4 << bit : 0), roles.indexOf(card.role))
  let end = 0
  return {
    names: cards.map(({ id, contentHash, author }) => [id, contentHash, author] as const),
    at: written(Float64Array.from(cards, ({ at }) => at)),
    sizes: written(
      Uint32Array.from(cards.flatMap(({ depth, tokens, length, pairs }) => [depth, tokens, length, pairs.length])),
    ),
    facts: written(Uint8Array.from(cards, factsOf)),
    pairs: written(Uint8Array.from(cards.flatMap(({ pairs }) => [...pairs]))),
    vectors: written(Int8Array.from(cards.flatMap(({ vector }) => [...(vector ?? [])]))),
    terms: written(Uint32Array.from(terms, ({ hash }) => hash)),
    ends: written(Uint32Array.from(terms, ({ list }) => (end += list.length))),
    lists: written(Uint8Array.from(terms.flatMap(({ list }) => list.map((value) => Math.min(255, value))))),
  }
}

export function unpack(packed: Packed): Leaf {
  const [at, sizes, said] = [read(Float64Array, packed.at), read(Uint32Array, packed.sizes), fromBase64(packed.facts)]
  const [terms, ends] = [read(Uint32Array, packed.terms), read(Uint32Array, packed.ends)]
  const [vectors, lists] = [read(Int8Array, packed.vectors), fromBase64(packed.lists)]
  const dimensions = vectors.length / packed.names.length
  const pairs = fromBase64(packed.pairs)
  let paired = 0
  const cards = packed.names.map(([id, contentHash, author], place): Card => {
    const vector = vectors.subarray(place * dimensions, (place + 1) * dimensions)
    const bits = said[place] as number
    const size = (which: number): number => sizes[4 * place + which] as number
    const from = paired
    paired += size(3)
    // each named: to put together ten thousand from parts took longer than all the rest
    return {
      id,
      contentHash,
      author,
      at: at[place] as number,
      role: roles[bits & 3] as Card['role'],
      depth: size(0),
      tokens: size(1),
      length: size(2),
      pairs: pairs.subarray(from, paired),
      asks: (bits & 4) > 0,
      self: (bits & 8) > 0,
      hangs: (bits & 16) > 0,
      tells: (bits & 32) > 0,
      figures: (bits & 64) > 0,
      vector: dimensions > 0 ? vector : null,
      scale: 1 / (lengthOf(vector) || 1),
    }
  })
  const find: Leaf['find'] = (term, from, into, length) => {
    const place = placeOf(terms, term)
    let count = length
    for (let one = ends[place - 1] ?? 0; one < (ends[place] ?? 0); one += 2) {
      into[count++] = from + (lists[one] as number)
      into[count++] = lists[one + 1] as number
    }
    return count
  }
  return { cards, find }
}

const written = ({ buffer }: Float64Array | Uint32Array | Uint8Array | Int8Array): string =>
  toBase64(new Uint8Array(buffer))

function read<T>(
  Column: { new (buffer: ArrayBufferLike, from: number, length: number): T; readonly BYTES_PER_ELEMENT: number },
  text: string,
): T {
  // a copy, which begins where numbers of any size can
  const { buffer, length } = new Uint8Array(fromBase64(text))
  return new Column(buffer, 0, length / Column.BYTES_PER_ELEMENT)
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
