/** Details the model could not see: references, names, amounts, paths and commands that are only in what was left out. */
import { decode } from '../message/dialects/decode.js'
import { outputText } from '../window/mend/plain.js'
import type { Line, Risk } from './receipt.js'

const most = 12
/** Longer texts are searched at their beginning and end only. */
const reach = 20_000
/** What weighs less is debris: the hundredth number of a table says nothing. */
const least = 0.5

/** How much a detail of a kind is worth to whoever needs it. */
const patterns: readonly (readonly [Risk['kind'], weight: number, RegExp])[] = [
  ['url', 3, /\bhttps?:\/\/[^\s<>"'`)\]}]{4,200}/g],
  ['path', 3, /(?<![\w:/])(?:\.{0,2}\/)?(?:[\w.@-]{1,60}\/){1,12}[\w.@-]{1,80}\.?\w{0,10}/g],
  [
    'command',
    3,
    /(?<=^|`|\$ )(?:npm|npx|git|docker|kubectl|curl|python3?|node|cargo|make|psql|ssh|sudo|pip3?|yarn|pnpm|go) [^\n`]{2,80}/gm,
  ],
  [
    'reference',
    4,
    /\b(?=[A-Z\d-]*\d)[A-Z][A-Z\d]{0,7}-[A-Z\d]{2,12}(?:-[A-Z\d]{1,12}){0,3}\b|\b[A-Z]{2,6}\d{3,12}\b|\b[A-Z](?=[A-Z]*\d)[A-Z\d]{4,9}\b/g,
  ],
  [
    'decision',
    4.05,
    /(?<=^|[.!?] |\*\*|- )(?:Decision:|Decided:|We(?: have|'ve)? (?:decided|agreed|settled)) [^.!?\n]{8,160}/gm,
  ],
  ['name', 4.1, /\b\p{Lu}[\p{Ll}\d]{2,20}(?: \p{Lu}[\p{Ll}\d]{1,20}){1,2}\b/gu],
  ['amount', 2.5, /[$€£¥]\s?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*(?:\.\d+)?\s?(?:%|€|usd|eur|ms|kb|mb|gb|px)(?!\w)/gi],
  [
    'number',
    1.5,
    /(?<![\w.:])\d{1,2}:\d{2}(?![\w:])|(?<![\w.,€$£¥-])(?:\d{1,3}(?:,\d{3})+|\d{3,15})(?:\.\d+)?(?![\w-]|[.,:]\d)/g,
  ],
  ['name', 1, /(?<![.!?:]\s|^)\b\p{Lu}[\p{Ll}\d]{2,20}\b/gmu],
]

/** A day or a month names no one. */
const calendar =
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day$|^(?:January|February|March|April|May|June|July|August|September|October|November|December)$/

interface Found extends Risk {
  readonly weight: number
}

/** Rows of a table, of JSON or of a log: their numbers and codes are not what anyone will ask for. */
function isTabular(line: string): boolean {
  const digits = line.match(/\d/g)?.length ?? 0
  if (digits < 4 || /[a-z]+ [a-z]+ [a-z]+/.test(line)) return false
  return (line.match(/[,;|\t]/g)?.length ?? 0) >= 2 || /^\s*["[{}\]]/.test(line)
}

const withoutTables = (said: string): string =>
  said
    .split('\n')
    .filter((line) => !isTabular(line))
    .join('\n')

/** At most twelve, first those that have most to do with the question. */
export function risksOf(messages: readonly unknown[], lines: readonly Line[], wire: string, asked: unknown): Risk[] {
  const sent = wire.replaceAll('\\/', '/')
  const wanted = stemsOf(proseIn(asked ?? messages.at(-1)))
  const found = new Map<string, Found>()
  for (const line of lines) {
    if (line.fate === 'kept') continue
    for (let index = line.to; index >= line.from; index--) search(messages[index], index, { sent, wanted, found })
  }
  return [...found.values()]
    .filter(({ weight, text }) => weight >= least && !isWithin(text, found))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, most)
    .map(({ kind, text, message }) => ({ kind, text, message }))
}

interface Search {
  readonly sent: string
  readonly wanted: ReadonlySet<string>
  readonly found: Map<string, Found>
}

function search(message: unknown, index: number, { sent, wanted, found }: Search): void {
  const prose = withoutTables(proseIn(message))
  const shared = [...stemsOf(prose)].filter((stem) => wanted.has(stem)).length
  const near = 1 + Math.min(shared, 4) / 2
  // what someone said is worth more than what a tool printed
  for (const [said, worth] of [
    [prose, near],
    [withoutTables(toolTextIn(message)), near / 5],
  ] as const)
    for (const [kind, weight, pattern] of patterns)
      for (const match of said.matchAll(pattern)) {
        const text = match[0].trim().replace(/[.,;:]+$/, '')
        if (text.length < 2 || sent.includes(inJson(text)) || calendar.test(text)) continue
        const isBold = said.startsWith('**', match.index - 2)
        const heavy = weight * worth * (isBold ? 1.5 : 1)
        if (heavy > (found.get(text)?.weight ?? 0)) found.set(text, { kind, text, message: index, weight: heavy })
        if (found.size > 400) return
      }
}

/** Part of a longer detail. */
const isWithin = (text: string, found: ReadonlyMap<string, Found>): boolean =>
  [...found.values()].some(
    (other) => other.text.length > text.length && other.text.includes(text) && other.weight >= least,
  )

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Words by their beginnings, so that one form finds another. */
const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(Array.from(text.toLowerCase().matchAll(/\p{L}{4,}/gu), ([word]) => word.slice(0, 5)))

function proseIn(message: unknown): string {
  if (typeof message === 'string') return ends(message)
  const decoded = decode(message)
  if (!decoded.ok) return ''
  return ends(
    decoded.parts
      .map((part) =>
        part.type === 'text' ? part.text : part.type === 'file' && part.source.kind === 'text' ? part.source.text : '',
      )
      .join('\n'),
  )
}

function toolTextIn(message: unknown): string {
  const decoded = decode(message)
  if (!decoded.ok) return ''
  const called = decoded.parts.map((part) => {
    if (part.type === 'think') return part.text
    if (part.type !== 'call') return ''
    return `${part.name} ${JSON.stringify(part.input)}${part.outcome.state === 'pending' ? '' : outputText(part.outcome.output)}`
  })
  return ends([...called, ...decoded.results.map((result) => outputText(result.output))].join('\n'))
}

const ends = (said: string): string =>
  said.length <= reach ? said : `${said.slice(0, reach / 2)}\n${said.slice(-reach / 2)}`
