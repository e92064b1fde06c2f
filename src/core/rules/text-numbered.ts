import { isBlank } from '../message/text.js'
import type { Json } from './json.js'
import { promptIn, type promptRules } from './prompt.js'
import type { NameOf, Report, Rule } from './table/rule.js'

export const textNumberedRules = [
  { rule: 'history.count', says: 'The headers `[i] Role (time):` count 1, 2, 3 ... without a gap.' },
  {
    rule: 'history.indent',
    says: 'Between first header and footer every other line is empty, a marker in brackets, or indented by four spaces.',
  },
  { rule: 'history.turn', says: 'Every header is followed by something said.' },
] as const satisfies readonly Rule[]

type Reports = Report<NameOf<typeof textNumberedRules | typeof promptRules>>

const heading = /CONVERSATION HISTORY \(Leading to This Task\):$/
const header = /^\[([1-9]\d*)\] .*\(.*\)(?: \[TRUNCATED\])?:$/
const marker = /^\(.*\)$/
const footer = /^(?:📊 )?History metadata: |^={20,}$/u

export function judgeTextNumbered(request: Json, report: Reports) {
  const prompt = promptIn(request, report)
  if (prompt === undefined) return
  const lines = prompt.split('\n')
  const start = startOf(lines)
  if (start === -1) return
  let count = 0
  let spoken = true
  let at = start
  for (; at < lines.length; at++) {
    const line = lines[at] as string
    if (footer.test(line)) break
    const head = header.exec(line)
    if (head) {
      if (!spoken) report('history.turn', lineOf(at), 'the message before this header says nothing')
      if (Number(head[1]) !== ++count) report('history.count', lineOf(at), `the header must have number ${count}`)
      spoken = false
    } else if (line.startsWith('    ')) spoken ||= !isBlank(line)
    else if (line !== '' && !isMarker(lines, at)) {
      spoken = true
      report('history.indent', lineOf(at), 'the line is not indented by four spaces')
    }
  }
  if (!spoken) report('history.turn', lineOf(at - 1), 'the last message says nothing')
}

/** A marker of several lines goes on behind the margin. */
const isMarker = (lines: readonly string[], at: number): boolean =>
  marker.test(lines[at] as string) ||
  ((lines[at] as string).startsWith('(') && (lines[at + 1] ?? '').startsWith('    '))

/** Where the first header stands: after the heading, or at the top of a prompt that has none. */
function startOf(lines: readonly string[]): number {
  const top = lines.findIndex((line) => heading.test(line))
  if (top !== -1) return lines.findIndex((line, i) => i > top && header.test(line))
  const first = lines.findIndex((line) => line !== '')
  return first !== -1 && header.test(lines[first] as string) ? first : -1
}

const lineOf = (index: number): string => `prompt:${index + 1}`
