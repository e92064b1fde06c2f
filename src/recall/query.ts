/** What is looked for: the message to answer, what was said just before it, and when it is asked. */
import type { Kin } from './kin.js'
import { termOf, termsOf, wordsOf } from './words.js'

export interface Question {
  readonly text: string
  /** Its terms, and those of the last messages, which weigh less the older they are. */
  readonly terms: ReadonlyMap<string, number>
  readonly echo: ReadonlyMap<string, number>
  /** Its terms that stand side by side. */
  readonly pairs: readonly (readonly [term: string, next: string])[]
  /** Milliseconds; NaN when that is not known. */
  readonly now: number
  readonly vector: Float32Array | null
  /** For its terms, those of like meaning. */
  readonly kin: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** It asks for what the asker did or has. */
  readonly mine: boolean
  /** It asks for what the assistant said. */
  readonly yours: boolean
  /** It asks for what the asker said. */
  readonly told: boolean
  /** It asks for a number or a time. */
  readonly figures: boolean
  /** It asks for many things at once. */
  readonly many: boolean
  /** It points at something that it does not name. */
  readonly points: boolean
}

const mine = /\b(?:i|my|me|mine|i've|i'm|we|our)\b/i
const yours =
  /(?<!\b(?:can|could|would|will) )\b(?:you|your)\b.{0,40}\b(?:said|told|mention|suggest|recommend|gave|provid|list|wrote|explain|shar)|remind me|previous (?:chat|conversation)|\bwe (?:discuss|talk)|\bour (?:last|previous|earlier)/i
const told =
  /\b(?:i|we)(?:'ve| have| had| did)?(?: \w+)? (?:brought up|bring up|mention|said|say|told|tell|ask|share|request|describe|state|report|talk\w* about)|\bmy (?:requests?|questions?|messages?)\b/i
const many =
  /\b(?:summar|order in which|list|all|every|throughout|across|overall|total|how many|both|different|various)/i
const figures =
  /how (?:many|much|long|old|often)|\bwhen\b|what (?:date|time|year|day)|\b(?:number|percent|rate|quota|deadline)/i
const points =
  /\b(?:it|its|that|this|those|these|they|them|their|he|she|him|her|his|ones?|first|second|third|latter|former|others?|another|there|then|also|instead|more|else)\b/i

/** Words of the asking, not of what is asked about: they count little. */
const frame: ReadonlySet<string> = new Set(
  (
    'list order brought bring mention mentioned mentioning aspects aspect throughout across conversation conversations chat chats session ' +
    'sessions discuss discussed discussing discussion discussions talk talked talking walk through items item only one two three four five six seven eight nine ten ' +
    'remind reminder said say told asked ask question questions answer earlier previous previously before ago last different various summary ' +
    'summarize summarise comprehensive overview many much help know think going back using used use want wanted based way ways'
  ).split(' '),
)
const faint = 0.25

/** The question without the words of the asking; all of it when nothing else is left. */
export const subjectOf = (text: string): string =>
  wordsOf(text)
    .filter((word) => !frame.has(word))
    .join(' ') || text

/** Of each message before, a term weighs so much of what it weighs in the one after. */
const fading = 0.8

export function questionOf(
  text: string,
  recent: readonly { readonly text: string }[],
  now: number,
  vector: Float32Array | null,
  kin?: Kin,
): Question {
  const terms = new Map(wordsOf(text).map((word) => [termOf(word), frame.has(word) ? faint : 1]))
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
  const named = wordsOf(text).filter((word) => !frame.has(word))
  const inOrder = termsOf(named)
  return {
    text,
    terms,
    echo,
    pairs: inOrder.slice(1).map((term, at) => [inOrder[at] as string, term] as const),
    now,
    vector,
    kin: new Map(kin ? named.map((word) => [termOf(word), kin(word)]) : []),
    figures: figures.test(text),
    mine: !isYours && mine.test(text),
    yours: isYours,
    told: !isYours && told.test(text),
    many: many.test(text),
    points: points.test(text),
  }
}
