/** Finds the sentences that answer a question, by their words. */
import type { Sentence, Source } from './sentences.js'
import { sentencesIn } from './sentences.js'
import { terms } from './words.js'

export interface SentenceQuery {
  /** What is asked about; a sentence has to speak of it. */
  readonly direct: readonly string[]
  /** What the question refers to; the sentence, its message or the one before has to name it. */
  readonly subject: readonly string[]
  /** Words of a kind of answer that is looked for, such as a number. */
  readonly question: string
  /** Whose words are asked for, if anyone's. */
  readonly voice: 'user' | 'assistant' | null
  /** Not worth quoting again. */
  readonly known?: string
}

interface Scored {
  readonly sentence: Sentence
  readonly score: number
}

/** A term is a bit, so there are no more than fit into a number. */
const mostTerms = 24
const mostSubjects = 6

/** The best sentences, in the order in which they were said; none when none fits. */
export function bestSentences(asked: SentenceQuery, sources: readonly Source[], most: number): Sentence[] {
  const query = { ...asked, direct: asked.direct.slice(0, mostTerms), subject: asked.subject.slice(0, mostSubjects) }
  const wanted = new Map<string, number>()
  for (const term of [...query.direct, ...query.subject]) if (!wanted.has(term)) wanted.set(term, wanted.size)
  if (wanted.size === 0) return []
  const seen = sources.map((source) => (source.own ? [] : look(source, wanted)))
  const weights = weightsOf(seen, wanted.size)
  const scored = rank(query, sources, seen, wanted, weights)
  const best = scored[0]
  if (!best) return []
  const chosen: Scored[] = []
  const texts = new Set<string>()
  for (const one of scored) {
    const key = one.sentence.text.toLowerCase()
    if (one.score < best.score * 0.8 || chosen.length >= most) break
    if (texts.has(key)) continue
    texts.add(key)
    chosen.push(one)
  }
  return chosen.map(({ sentence }) => sentence).sort((one, other) => one.source.order - other.source.order)
}

interface Seen {
  readonly sentence: Sentence
  /** A bit for each wanted term. */
  readonly hits: number
}

function look(source: Source, wanted: ReadonlyMap<string, number>): Seen[] {
  return sentencesIn(source).map((sentence) => {
    let hits = 0
    terms(sentence.text, (term) => {
      const bit = wanted.get(term)
      if (bit !== undefined) hits |= 1 << bit
    })
    return { sentence, hits }
  })
}

/** Rare terms weigh more. */
function weightsOf(seen: readonly (readonly Seen[])[], size: number): number[] {
  const counts = new Array<number>(size).fill(0)
  let all = 0
  for (const group of seen)
    for (const { hits } of group) {
      all++
      for (let bit = 0; bit < size; bit++) if (hits & (1 << bit)) counts[bit] = (counts[bit] as number) + 1
    }
  return counts.map((count) => Math.log(1 + (all + 1) / (count + 0.5)))
}

function rank(
  query: SentenceQuery,
  sources: readonly Source[],
  seen: readonly (readonly Seen[])[],
  wanted: ReadonlyMap<string, number>,
  weights: readonly number[],
): Scored[] {
  const maskOf = (list: readonly string[]): number =>
    list.reduce((mask, term) => mask | (1 << (wanted.get(term) as number)), 0)
  const direct = maskOf(query.direct)
  const subject = maskOf(query.subject) & ~direct
  const weigh = (mask: number): number =>
    weights.reduce((sum, weight, bit) => (mask & (1 << bit) ? sum + weight : sum), 0)
  const whole = weigh(direct)
  const subjectWhole = weigh(subject)
  const least = query.direct.length <= 2 ? 0.5 : 0.34
  const groups = seen.map((group) => group.reduce((mask, { hits }) => mask | hits, 0))
  // an answer seldom repeats what it was asked about
  const asked = seen.map((group, at) => (isQuestion(group.at(-1)?.sentence.text ?? '') ? (groups[at] as number) : 0))
  const out: Scored[] = []
  for (const [at, group] of seen.entries())
    for (const { sentence, hits } of group) {
      const said = direct === 0 ? 0 : weigh(hits & direct) / whole
      if (direct !== 0 && said < least) continue
      const near = (groups[at] as number) | (asked[at - 1] ?? 0)
      const named = subject === 0 ? 0 : weigh(hits & subject) / subjectWhole
      const around = subject === 0 ? 0 : weigh(near & subject) / subjectWhole
      if (subject !== 0 && (direct === 0 ? named : around) === 0) continue
      const base = said + (named + around) / 4
      out.push({ sentence, score: base * merit(sentence, query) + ((at + 1) / sources.length) * 0.05 })
    }
  return out.sort((one, other) => other.score - one.score)
}

const kinds: readonly (readonly [asked: RegExp, found: RegExp])[] = [
  [
    /\bhow (?:many|much|old|long|far|big|tall|often)\b|\bnumber\b/i,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|dozen|hundred|thousand|million)\b/i,
  ],
  [
    /\bwhen\b|\bwhat (?:day|date|time|year)\b/i,
    /\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|today|tomorrow|yesterday|week|month|noon|midnight)\b/i,
  ],
  [/\bwho(?:m|se)?\b/i, /(?<=\S\s)\p{Lu}\p{L}+/u],
]

const isQuestion = (text: string): boolean => /[?？؟]["'”)]*$/.test(text)

/** A question is seldom an answer. */
function merit({ text, source }: Sentence, query: SentenceQuery): number {
  let merit = isQuestion(text) ? 0.35 : 1
  if (query.voice !== null && query.voice !== source.voice) merit *= 0.6
  if (query.known?.includes(text)) merit *= 0.5
  for (const [asked, found] of kinds) if (asked.test(query.question) && found.test(text)) merit *= 1.2
  return merit
}
