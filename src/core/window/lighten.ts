/** Leaves out of a long text the part that says least about what is asked, so that more can be quoted. */

/** What is left out is at most this part of the words. */
const most = 0.14
/** Shorter texts, in words, are quoted whole. */
const long = 90
/** Fewer characters than this are not worth a mark. */
const least = 60
/** A word of the question counts as so many characters, a name or a number as so many. */
const asked = 400
const named = 12

export const mark = '[…]'

interface Pieces {
  /** Where each begins, and where the last ends. */
  readonly starts: readonly number[]
  /** How many words stand before each, and what it would be worth to leave all of them out. */
  readonly words: readonly number[]
  readonly gains: readonly number[]
}

/** The text itself when nothing can be left out. */
export function lighten(text: string, question: ReadonlySet<string>): string {
  const pieces = piecesOf(text, question)
  const all = pieces.words.at(-1) as number
  const run = all < long ? null : leastOf(pieces, all * most)
  if (!run) return text
  const before = text.slice(0, run[0])
  const after = text.slice(run[1])
  const gap = (at: number): string => (text[at - 1] === '\n' ? '\n' : ' ')
  return `${before.trimEnd()}${gap(run[0])}${mark}${after && gap(run[1])}${after}`
}

/** Words as they are compared here. */
export const wordsIn = (text: string): string[] => (text.match(word) ?? []).map((one) => one.toLowerCase())

const word = /[\p{L}\p{N}]+/gu
const common = 3

/** Sentences and lines. */
function piecesOf(text: string, question: ReadonlySet<string>): Pieces {
  const starts = [0]
  for (const { 0: end, index } of text.matchAll(/[.!?][ \t]+|\n+/g)) starts.push(index + end.length)
  if (starts.at(-1) !== text.length) starts.push(text.length)
  const words = [0]
  const gains = [0]
  let [piece, count, told] = [1, 0, 0]
  const close = (): void => {
    words.push(count)
    gains.push((starts[piece] as number) - told)
    piece++
  }
  for (const { 0: one, index } of text.matchAll(word)) {
    while (index >= (starts[piece] as number)) close()
    count++
    if (one.length >= common && question.has(one.toLowerCase())) told += asked
    else if (/^[\p{Lu}\d]/u.test(one)) told += named
  }
  while (piece < starts.length) close()
  return { starts, words, gains }
}

/** From where to where the most is gained; the first piece says what the text is about and stays. */
function leastOf({ starts, words, gains }: Pieces, limit: number): readonly [number, number] | null {
  let best = least
  let found: readonly [number, number] | null = null
  // places where a run may begin, by what would be lost before them
  const begins: number[] = []
  let head = 0
  for (let end = 2; end < starts.length; end++) {
    const next = end - 1
    while (begins.length > head && (gains[begins.at(-1) as number] as number) >= (gains[next] as number)) begins.pop()
    begins.push(next)
    while (head < begins.length && (words[end] as number) - (words[begins[head] as number] as number) > limit) head++
    const begin = begins[head]
    if (begin === undefined) continue
    const gain = (gains[end] as number) - (gains[begin] as number)
    if (gain < best) continue
    best = gain
    found = [starts[begin] as number, starts[end] as number]
  }
  return found
}
