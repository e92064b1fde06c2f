/** Words that mean nearly the same as another, by the vectors of a table. */
import { termOf } from './words.js'

/** Terms of like meaning, each with how like it is; none for a word that the table does not know whole. */
export type Kin = (word: string) => ReadonlyMap<string, number>

/** Less alike than this says nothing. */
const alike = 0.55
/** So many signs of two rows may differ: among those that are alike enough few do more often. */
const apart = 52
const none: ReadonlyMap<string, number> = new Map()

export function kinOf(words: ReadonlyMap<string, number>, dimensions: number, rows: Int8Array): Kin {
  const known = new Map<string, ReadonlyMap<string, number>>()
  let made: Marked | null = null
  return (word) => {
    const row = words.get(word)
    if (row === undefined || termOf(word) === '') return none
    const before = known.get(word)
    if (before) return before
    // a bounded memory of words: it only saves work
    if (known.size > 5_000) known.clear()
    made ??= mark(words, rows)
    const found = find(row, made, dimensions, rows)
    found.delete(termOf(word))
    known.set(word, found)
    return found
  }
}

interface Marked {
  readonly words: readonly (readonly [word: string, row: number])[]
  /** The sign of each number of a row as a bit. */
  readonly marks: Int32Array
}

function mark(all: ReadonlyMap<string, number>, rows: Int8Array): Marked {
  const marks = new Int32Array(rows.length / 32)
  for (let at = 0; at < rows.length; at++)
    if ((rows[at] as number) > 0) marks[at >> 5] = (marks[at >> 5] as number) | (1 << (at & 31))
  return { words: [...all].filter(([word]) => !word.startsWith('##')), marks }
}

function find(row: number, { words, marks }: Marked, dimensions: number, table: Int8Array) {
  const found = new Map<string, number>()
  const lengthOf = (one: number): number => Math.sqrt(dotOf(one, one, dimensions, table))
  const own = lengthOf(row)
  const width = dimensions / 32
  for (const [word, other] of words) {
    let differ = 0
    for (let bit = 0; bit < width; bit++)
      differ += bitsIn((marks[row * width + bit] as number) ^ (marks[other * width + bit] as number))
    if (differ > apart) continue
    const by = dotOf(row, other, dimensions, table) / (own * lengthOf(other))
    if (by < alike) continue
    const term = termOf(word)
    if (term !== '' && by > (found.get(term) ?? 0)) found.set(term, by)
  }
  return found
}

function dotOf(one: number, other: number, dimensions: number, rows: Int8Array): number {
  let sum = 0
  for (let at = 0; at < dimensions; at++)
    sum += (rows[one * dimensions + at] as number) * (rows[other * dimensions + at] as number)
  return sum
}

function bitsIn(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
