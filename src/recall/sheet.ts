/** The cards of a stretch of a path as a store keeps them, so that a window reads them instead of all that was said. */
import { fromBase64, toBase64 } from '../store/shared/runtime.js'
import type { Card } from './card.js'

export type Packed = ReturnType<typeof pack>['cards']
export type Leaf = ReturnType<typeof unpack>

/** Which words stand side by side: as much as all the rest, and asked for by few questions. Null when it is no longer there. */
export type Pairing = () => Promise<string | null>

/** No more cards are packed together: their places are bytes. */
export const most = 256

/** Numbers in columns, each as text. `postings` have the places of the cards among these. */
export function pack(cards: readonly Card[], postings: ReadonlyMap<number, readonly number[]>) {
  const terms = [...postings].sort(([one], [other]) => one - other)
  const authors = [...new Set(cards.map(({ author }) => author))]
  let end = 0
  return {
    cards: {
      ids: cards.map(({ id }) => id),
      hashes: cards.map(({ contentHash }) => contentHash).join(' '),
      authors,
      numbers: written(Float64Array.from(cards.flatMap(({ at, scale }) => [at, scale]))),
      sizes: written(Uint32Array.from(cards.flatMap((one) => [one.depth, one.tokens, one.length, one.pairs.length]))),
      facts: written(Uint8Array.from(cards.flatMap(({ facts, author }) => [facts, authors.indexOf(author)]))),
      vectors: written(Int8Array.from(cards.flatMap(({ vector }) => [...(vector ?? [])]))),
      sum: written(sumOf(cards)),
      terms: written(Uint32Array.from(terms, ([hash]) => hash)),
      ends: written(Uint32Array.from(terms, ([, list]) => (end += list.length))),
      lists: written(Uint8Array.from(terms.flatMap(([, list]) => list.map((value) => Math.min(255, value))))),
    },
    pairs: written(Uint8Array.from(cards.flatMap(({ pairs }) => [...pairs]))),
  }
}

export function unpack(packed: Packed, pairing: Pairing) {
  const [double, sizes] = [read(Float64Array, packed.numbers), read(Uint32Array, packed.sizes)]
  const [terms, ends] = [read(Uint32Array, packed.terms), read(Uint32Array, packed.ends)]
  const [facts, lists] = [fromBase64(packed.facts), fromBase64(packed.lists)]
  const size = packed.ids.length
  const vectors = read(Int8Array, packed.vectors)
  const long = vectors.length / size
  let hashes: readonly string[] | null = null
  let pairs: readonly Uint8Array[] | null = null
  const sizeOf = (place: number, which: number): number => sizes[4 * place + which] as number
  const numbers = (place: number) => ({
    at: double[2 * place] as number,
    scale: double[2 * place + 1] as number,
    length: sizeOf(place, 2),
    facts: facts[2 * place] as number,
  })
  return {
    size,
    numbers,
    vectors,
    sum: read(Float32Array, packed.sum),
    card(place: number): Card {
      hashes ??= packed.hashes.split(' ')
      return {
        id: packed.ids[place] as string,
        contentHash: hashes[place] as string,
        author: packed.authors[facts[2 * place + 1] as number] as string,
        facts: facts[2 * place] as number,
        at: double[2 * place] as number,
        depth: sizeOf(place, 0),
        tokens: sizeOf(place, 1),
        length: sizeOf(place, 2),
        pairs: pairs?.[place] ?? none,
        vector: long > 0 ? vectors.subarray(place * long, (place + 1) * long) : null,
        scale: double[2 * place + 1] as number,
      }
    },
    /** From then on its cards have their pairs. */
    async pair(): Promise<void> {
      const text = pairs ? null : await pairing()
      if (text === null) return
      const all = fromBase64(text)
      let end = 0
      pairs = packed.ids.map((_, place) => {
        end += sizeOf(place, 3)
        return all.subarray(end - sizeOf(place, 3), end)
      })
    },
    /** Adds the places of a term's cards, counted from `from`, each followed by how often it stands there; returns the new length. */
    find(term: number, from: number, into: Uint32Array, length: number): number {
      const place = placeOf(terms, term)
      let count = length
      for (let one = ends[place - 1] ?? 0; one < (ends[place] ?? 0); one += 2) {
        into[count++] = from + (lists[one] as number)
        into[count++] = lists[one + 1] as number
      }
      return count
    },
  }
}

const none = new Uint8Array()

/** Of their vectors, each of length one. */
export function sumOf(cards: readonly Card[]): Float32Array {
  const sum = new Float32Array(cards[0]?.vector?.length ?? 0)
  for (const { vector, scale } of cards)
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] as number) + scale * (vector?.[at] ?? 0)
  return sum
}

const written = ({ buffer }: Float64Array | Float32Array | Uint32Array | Uint8Array | Int8Array): string =>
  toBase64(new Uint8Array(buffer))

function read<T>(
  Column: { new (buffer: ArrayBufferLike, from: number, length: number): T; readonly BYTES_PER_ELEMENT: number },
  text: string,
): T {
  const bytes = fromBase64(text)
  // numbers of any size begin at every eighth byte; else a copy does
  const { buffer, byteOffset, length } = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes)
  return new Column(buffer, byteOffset, length / Column.BYTES_PER_ELEMENT)
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
