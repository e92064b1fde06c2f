/** A tokenizer's tables and what is asked of them; loaded on demand, with nothing of the rest. */
import { wellFormed } from '../message/text.js'
import type { Counter } from './counter.js'
import { inPieces } from './pieces.js'

type Count = (text: string) => number

/** Text that looks like a special token is text. */
const asText = { disallowedSpecial: new Set<string>() }

/** A family whose tables cannot be had is counted by those of another: never below `ai-tokenizer`, and within 15 % of it. */
interface Likeness {
  readonly table: 'o200k' | 'cl100k'
  readonly factor: number
  /** More for each digit that it does not join to others. */
  readonly digit: number
}

const likenesses: Record<string, Likeness> = {
  claude: { table: 'cl100k', factor: 1.265, digit: 0.1 },
  gemini: { table: 'o200k', factor: 1.11, digit: 0.4 },
  llama: { table: 'cl100k', factor: 1.265, digit: 0.1 },
  mistral: { table: 'cl100k', factor: 1.05, digit: 0.4 },
  qwen: { table: 'cl100k', factor: 1.05, digit: 0.4 },
  deepseek: { table: 'o200k', factor: 1.05, digit: 0 },
}

const likenessOf = (family: string): Likeness | undefined =>
  likenesses[family] ?? (family === 'o200k' || family === 'cl100k' ? { table: family, factor: 1, digit: 0 } : undefined)

/** The scale of a model that is counted with this factor. */
export const scaleOf = (family: string, factor: number): number => factor / (likenessOf(family)?.factor ?? 1)

/** `scale`: so many tokens the model counts for one of its family. */
export async function load(family: string, scale = 1): Promise<Counter | undefined> {
  const like = likenessOf(family)
  if (!like) return undefined
  const count = await countOf(like.table)
  if (like.table === family && scale === 1) return { name: `${family}_base`, exact: true, count }
  const factor = Math.round(like.factor * scale * 1_000) / 1_000
  const digit = like.digit * scale
  return {
    name: `${family} by ${like.table} x${factor}`,
    exact: false,
    count: (text) => Math.ceil(count(text) * factor + (digit > 0 ? digit * joined(text) : 0)),
  }
}

async function countOf(table: Likeness['table']): Promise<Count> {
  const { countTokens } =
    table === 'o200k'
      ? await import('gpt-tokenizer/encoding/o200k_base')
      : await import('gpt-tokenizer/encoding/cl100k_base')
  const count = inPieces(table, (piece) => countTokens(piece, asText))
  return (text) => countCut(wellFormed(text), count)
}

/** Digits beyond the first of each three in a row. */
function joined(text: string): number {
  let sum = 0
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    run = code >= 48 && code <= 57 ? run + 1 : 0
    if (run % 3 !== 1 && run > 0) sum++
  }
  return sum
}

const longest = 400

/** A run that the tokenizer would not split by itself; merging takes time in the square of its length. */
const unbroken = /[\p{L}\p{M}]{400,}|[^\s\p{L}\p{N}]{400,}|\s{400,}/gu

/** A run of 400 covers every 400th place, so that only the runs at those places are measured. */
function mayBeUnbroken(text: string): boolean {
  for (let place = longest - 1; place < text.length; place += longest) {
    const blank = isBreak(text.charCodeAt(place))
    let from = place
    while (from > 0 && isBreak(text.charCodeAt(from - 1)) === blank && place - from < longest) from--
    let to = place
    while (to + 1 < text.length && isBreak(text.charCodeAt(to + 1)) === blank && to - from < longest) to++
    if (to - from + 1 >= longest) return true
  }
  return false
}

/** Other white space is so rare that a run of it may as well be measured. */
const isBreak = (unit: number): boolean => unit <= 0x20

function countCut(text: string, count: Count): number {
  if (!mayBeUnbroken(text)) return count(text)
  let total = 0
  let from = 0
  for (const { 0: run, index } of text.matchAll(unbroken)) {
    for (let cut = index + longest; cut < index + run.length; cut += longest) {
      if ((text.charCodeAt(cut) & 0xfc00) === 0xdc00) cut--
      total += count(text.slice(from, cut))
      from = cut
    }
  }
  return total + count(text.slice(from))
}
