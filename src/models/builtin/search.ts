/** Finds the sentences that answer a question, by their words. */
import { builtinTerms, roughStem, type Sentence, type Source, sentencesIn, terms } from './words.js'

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

// Lists in the conversation, and which entry of one is meant.

interface ListedPart {
  readonly source: Source
  /** Pieces of the source to the letter. */
  readonly entries: readonly string[]
}

/** The newest list of the conversation. */
export function newestList(sources: readonly Source[]): ListedPart | null {
  for (let at = sources.length - 1; at >= 0; at--) {
    const source = sources[at] as Source
    if (source.own) continue
    const entries = marked(source.text) ?? numbered(source.text) ?? enumerated(source.text)
    if (entries) return { source, entries }
  }
  return null
}

const marker = /^[ \t]*(?:\d{1,3}[.)]|[-*•–]|[a-h][.)])[ \t]+(?:\[[ x]\][ \t]+)?(.*\S)[ \t]*$/gimu

/** Lines with a number, a letter or a bullet; the last run of them. */
function marked(text: string): string[] | null {
  const entries = [...text.matchAll(marker)].map((found) => found[1] as string)
  return entries.length >= 2 ? entries : null
}

const inline = /(?:^|\s)(?:(\d{1,2})[.)]|\((\d{1,2})\))\s+/gu

/** `1. red 2. green` in one line, numbered from 1. */
function numbered(text: string): string[] | null {
  const marks = [...text.matchAll(inline)]
  const start = marks.findLastIndex((mark) => Number(mark[1] ?? mark[2]) === 1)
  const run = start < 0 ? [] : marks.slice(start).filter((mark, at) => Number(mark[1] ?? mark[2]) === at + 1)
  if (run.length < 2) return null
  return run.map((mark, at) =>
    text
      .slice(mark.index + mark[0].length, run[at + 1]?.index)
      .trim()
      .replace(/[,;]$/, ''),
  )
}

const sentence = /[^\n.!?。！？]+(?:\.(?=\S)[^\n.!?。！？]+)*/gu
const lead =
  /^.*(?:[:：]|\b(?:are|is|were|was|include|includes|including|between|either|choose|have|has|use|like|want|got|offer|offers|need|try|consider|be|with)\b)\s*/isu
const comma = /\s*[,，、;]\s*(?:(?:and|or|und|oder|y|o|et|ou)\s+)?|\s+(?:and|or|oder|und)\s+/iu

/** `red, green or blue` */
function enumerated(text: string): string[] | null {
  const all = [...text.matchAll(sentence)].map((found) => found[0])
  for (const said of all.reverse()) {
    const commas = (said.match(/[,，、;]/g) ?? []).length
    const isChoice = /\bor\b/i.test(said)
    if (commas < 1 && !(isChoice && /:|between|either/i.test(said))) continue
    const before = lead.exec(said.slice(0, said.search(comma)))?.[0].length ?? 0
    const entries = said
      .slice(before)
      .trim()
      .split(comma)
      .map((entry) => entry.trim())
    const isList = entries.length >= (isChoice ? 2 : 3) && entries.every((entry) => entry !== '' && isShort(entry))
    if (isList && text.includes(entries[0] as string)) return entries
  }
  return null
}

const isShort = (entry: string): boolean => entry.length <= 60 && entry.split(/\s+/).length <= 6

const ordinals: readonly RegExp[] = [
  /\b(?:first|1st|former)\b/i,
  /\b(?:second|2nd)\b/i,
  /\b(?:third|3rd)\b/i,
  /\b(?:fourth|4th)\b/i,
  /\b(?:fifth|5th)\b/i,
  /\b(?:sixth|6th)\b/i,
  /\b(?:seventh|7th)\b/i,
  /\b(?:eighth|8th)\b/i,
  /\b(?:ninth|9th)\b/i,
  /\b(?:tenth|10th)\b/i,
]

const generic = new Set(
  [
    'one',
    'ones',
    'option',
    'item',
    'choice',
    'point',
    'entry',
    'thing',
    'result',
    'suggestion',
    'bullet',
    'idea',
    'element',
    'step',
  ].map(roughStem),
)

interface Pointer {
  /** From 0; -1 is the last one. */
  readonly index: number
  /** The word after the number, when it is not just `one`. */
  readonly noun: string | null
}

/** The entry that a question points at by its number. */
export function pointerOf(question: string): Pointer | null {
  const numbered =
    /\b(?:number|option|item|no\.?|choice|point|step)\s*#?\s*(\d{1,2}|[a-h])\b|(?<!\w)#(\d{1,2})\b/i.exec(question)
  const given = numbered?.[1] ?? numbered?.[2]
  if (given) return { index: /\d/.test(given) ? Number(given) - 1 : given.toLowerCase().charCodeAt(0) - 97, noun: null }
  const last = /\b(?:last|latter|final)\b/i.exec(question)
  const found = ordinals.map((ordinal) => ordinal.exec(question))
  const index = found.findIndex((one) => one !== null)
  const hit = index >= 0 ? found[index] : last
  if (!hit || !/\b(?:the|that|this|your|my|about|#)\s+$|^$/i.test(question.slice(0, hit.index))) return null
  const word = /^\s+(?:of\s+\w+\s+)?([\p{L}]+)/u.exec(question.slice(hit.index + hit[0].length))?.[1]
  const noun = word === undefined || generic.has(roughStem(word.toLowerCase())) ? null : word.toLowerCase()
  return { index: index >= 0 ? index : -1, noun: noun !== null && filler.has(noun) ? null : noun }
}

const filler = new Set([
  'in',
  'on',
  'of',
  'from',
  'and',
  'or',
  'is',
  'was',
  'do',
  'does',
  'please',
  'you',
  'again',
  'for',
  'to',
  'mean',
])

/** True when the list is one of such things: its message, or the question before it, speaks of them. */
export function isListOf(noun: string, list: ListedPart, sources: readonly Source[]): boolean {
  const before = sources[list.source.order - 1]
  const wanted = roughStem(noun)
  return builtinTerms(`${before?.text ?? ''} ${list.source.text}`).includes(wanted)
}
