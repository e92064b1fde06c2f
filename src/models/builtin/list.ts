/** Lists in the conversation, and which entry of one is meant. */
import type { Source } from './sentences.js'
import { builtinTerms, roughStem } from './words.js'

export interface ListedPart {
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

export interface Pointer {
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
