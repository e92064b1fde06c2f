/** What is looked for: the message to answer, what was said just before it, and when it is asked. */
import { termOf, wordsOf } from './words.js'

export interface Question {
  readonly text: string
  /** Its terms, and those of the last messages, which weigh less the older they are. */
  readonly terms: ReadonlyMap<string, number>
  readonly echo: ReadonlyMap<string, number>
  /** Milliseconds; NaN when that is not known. */
  readonly now: number
  readonly vector: Float32Array | null
  /** It asks for what the asker did or has. */
  readonly mine: boolean
  /** It asks for what the assistant said. */
  readonly yours: boolean
  /** It asks for many things at once. */
  readonly many: boolean
  /** It points at something that it does not name. */
  readonly points: boolean
}

const mine = /\b(?:i|my|me|mine|i've|i'm|we|our)\b/i
const yours =
  /\b(?:you|your)\b.{0,40}\b(?:said|told|mention|suggest|recommend|gave|provid|list|wrote|explain|shar)|remind me|previous (?:chat|conversation)|\bwe (?:discuss|talk)|\bour (?:last|previous|earlier)/i
const many =
  /\b(?:summar|order in which|list|all|every|throughout|across|overall|total|how many|both|different|various)/i
const points =
  /\b(?:it|its|that|this|those|these|they|them|their|he|she|him|her|his|ones?|first|second|third|latter|former|others?|another|there|then|also|instead|more|else)\b/i

/** Of each message before, a term weighs so much of what it weighs in the one after. */
const fading = 0.8

export function questionOf(
  text: string,
  recent: readonly { readonly text: string }[],
  now: number,
  vector: Float32Array | null,
): Question {
  const terms = new Map(wordsOf(text).map((word) => [termOf(word), 1]))
  terms.delete('')
  const echo = new Map<string, number>()
  let weight = 1
  for (const { text: said } of recent.toReversed()) {
    for (const word of wordsOf(said.slice(0, 4_000))) {
      const term = termOf(word)
      if (term !== '' && !echo.has(term) && !terms.has(term)) echo.set(term, weight)
    }
    weight *= fading
  }
  const isYours = yours.test(text)
  return {
    text,
    terms,
    echo,
    now,
    vector,
    mine: !isYours && mine.test(text),
    yours: isYours,
    many: many.test(text),
    points: points.test(text),
  }
}
