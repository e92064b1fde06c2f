/** Details the model could not see: names, codes, files, addresses, commands and numbers that are only in what was left out. */
import { decode } from '../message/dialects/decode.js'
import type { Part } from '../message/item.js'
import { outputText } from '../window/mend/plain.js'
import type { Line, Risk } from './receipt.js'

const most = 12
/** Longer texts are searched at their beginning and end only. */
const reach = 20_000

/** The most telling first: who, where and under which code, then files and commands, and numbers last. */
const patterns: readonly (readonly [Risk['kind'], RegExp])[] = [
  ['name', /\b(?=[A-Z\d-]*\d)(?=[A-Z\d-]*[A-Z])[A-Z\d][A-Z\d-]{4,15}\b/g],
  ['name', /(?<![.!?]\s|^)\b\p{Lu}[\p{Ll}\d]{2,20}(?: \p{Lu}[\p{Ll}\d]{1,20}){0,2}\b/gmu],
  ['path', /(?<![\w:/])(?:\.{0,2}\/)?(?:[\w.@-]{1,60}\/){1,12}[\w.@-]{1,80}\.?\w{0,10}/g],
  ['url', /\bhttps?:\/\/[^\s<>"'`)\]}]{4,200}/g],
  [
    'command',
    /(?<=^|`|\$ )(?:npm|npx|git|docker|kubectl|curl|python3?|node|cargo|make|psql|ssh|sudo|pip3?|yarn|pnpm|go) [^\n`]{2,80}/gm,
  ],
  ['number', /(?<![\w.-])(?:[$€£]\s?)?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|ms|s|kb|mb|gb|px|€|usd|eur))?(?![\w.]*\w)/gi],
]

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

/** At most twelve, the most telling kinds first. */
export function risksOf(messages: readonly unknown[], lines: readonly Line[], wire: string): Risk[] {
  const sent = wire.replaceAll('\\/', '/')
  const found = new Map<string, Risk>()
  for (const line of lines) {
    if (line.fate === 'kept') continue
    for (let index = line.to; index >= line.from; index--) search(messages[index], index, sent, found)
  }
  const order = [...new Set(patterns.map(([kind]) => kind))]
  return [...found.values()].sort((one, other) => order.indexOf(one.kind) - order.indexOf(other.kind)).slice(0, most)
}

function search(message: unknown, index: number, sent: string, found: Map<string, Risk>): void {
  const said = withoutTables(textIn(message))
  for (const [kind, pattern] of patterns) {
    for (const [match] of said.matchAll(pattern)) {
      const text = match.trim().replace(/[.,;:]+$/, '')
      if (text.length < 2 || found.has(text) || sent.includes(inJson(text))) continue
      if (kind === 'number' && text.replace(/\D/g, '').length < 2) continue
      found.set(text, { kind, text, message: index })
      if (found.size > 400) return
    }
  }
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function textIn(message: unknown): string {
  const decoded = decode(message)
  if (!decoded.ok) return ''
  const said = [...decoded.parts.map(partText), ...decoded.results.map((result) => outputText(result.output))].join(
    '\n',
  )
  return said.length <= reach ? said : `${said.slice(0, reach / 2)}\n${said.slice(-reach / 2)}`
}

function partText(part: Part): string {
  if (part.type === 'text' || part.type === 'think') return part.text
  if (part.type === 'call')
    return `${part.name} ${JSON.stringify(part.input)}${part.outcome.state === 'pending' ? '' : outputText(part.outcome.output)}`
  return part.source.kind === 'text' ? part.source.text : ''
}
