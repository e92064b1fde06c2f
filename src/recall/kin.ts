/** Words that mean nearly the same as another, by the vectors of a table. */
import { cosine } from '../store/shared/bytes.js'
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

type Marked = ReturnType<typeof mark>

/** Words that stand for themselves, their rows, and the sign of each number of a row as a bit. */
function mark(all: ReadonlyMap<string, number>, table: Int8Array) {
  const marks = new Int32Array(table.length / 32)
  for (let at = 0; at < marks.length; at++) {
    let bits = 0
    // below zero is what was above
    for (let bit = 0; bit < 32; bit++) bits |= (-(table[32 * at + bit] as number) >>> 31) << bit
    marks[at] = bits
  }
  const words = [...all.keys()].filter((word) => !word.startsWith('##'))
  return { words, rows: Int32Array.from(words, (word) => all.get(word) as number), marks }
}

function find(row: number, { words, rows, marks }: Marked, dimensions: number, table: Int8Array) {
  const found = new Map<string, number>()
  const own = table.subarray(row * dimensions, (row + 1) * dimensions)
  const width = dimensions / 32
  for (let at = 0; at < rows.length; at++) {
    const other = rows[at] as number
    let differ = 0
    for (let bit = 0; bit < width; bit++)
      differ += bitsIn((marks[row * width + bit] as number) ^ (marks[other * width + bit] as number))
    if (differ > apart) continue
    const by = cosine(own, table.subarray(other * dimensions, (other + 1) * dimensions))
    if (by < alike) continue
    const term = termOf(words[at] as string)
    if (term !== '' && by > (found.get(term) ?? 0)) found.set(term, by)
  }
  return found
}

function bitsIn(number: number): number {
  let bits = number - ((number >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
