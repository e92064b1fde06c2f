import { isBlank } from '../message/text.js'
import type { Json } from './json.js'
import { promptIn, type promptRules } from './prompt.js'
import type { NameOf, Report, Rule } from './table/rule.js'

export const textTaggedRules = [
  { rule: 'history.place', says: 'The history opens at the very start of the prompt.' },
  {
    rule: 'history.tags',
    says: 'The history is one block between <conversation_history> and </conversation_history>, each on its own line.',
  },
  {
    rule: 'history.empty',
    says: 'A history has at least one turn; an empty block stands only before a message that imitates one.',
  },
  {
    rule: 'history.turn',
    says: 'A turn begins a line with `Human: ` or `Assistant: ` and says something; only a marker may come before.',
  },
  { rule: 'history.escape', says: 'Inside the block <, > and & are written &lt;, &gt; and &amp;.' },
  {
    rule: 'history.tail',
    says: 'Behind it comes nothing, or an empty line, `Continue the conversation. The human says:` and the message.',
  },
] as const satisfies readonly Rule[]

type Reports = Report<NameOf<typeof textTaggedRules | typeof promptRules>>

const open = '<conversation_history>'
const close = '</conversation_history>'
const tail = '\n\nContinue the conversation. The human says:\n'
const imitation = /^[\s\u200b-\u200f\u2060\ufeff]*<conversation_history/i
const turn = /^(?:Human|Assistant): (.*)$/s
/** Everything but markers is missing. */
const gaps = /^(?:\[Gap: [^\n]*\]\n?)+$/
const marker = /^\[.*\]$/s
const unescaped = /[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-fA-F]+);)/

export function judgeTextTagged(request: Json, report: Reports) {
  const prompt = promptIn(request, report)
  if (prompt === undefined) return
  if (!prompt.startsWith(open)) {
    if (prompt.trimStart().startsWith(open)) report('history.place', 'prompt', 'the history must open at offset 0')
    return
  }
  const end = prompt.indexOf(`\n${close}`)
  if (end === -1 || prompt[open.length] !== '\n') {
    return report('history.tags', 'prompt', 'the history must open and close on lines of their own')
  }
  const rest = prompt.slice(end + 1 + close.length)
  const imitated = rest.startsWith(tail) && imitation.test(rest.slice(tail.length))
  if (end > open.length || !imitated) judgeBlock(prompt.slice(open.length + 1, end), report)
  if (rest === '') return
  if (!rest.startsWith(tail)) report('history.tail', 'prompt', 'the history must be followed by the call for an answer')
  else if (isBlank(rest.slice(tail.length))) report('history.tail', 'prompt', 'the message must not be blank')
}

function judgeBlock(block: string, report: Reports) {
  if (unescaped.test(block)) report('history.escape', 'prompt', 'the history has a raw <, > or &')
  if (isBlank(block)) return report('history.empty', 'prompt', 'the history has no turn')
  let said: boolean | undefined
  for (const line of block.split('\n')) {
    const words = turn.exec(line)?.[1]
    if (words === undefined && said === undefined && !isBlank(line) && !marker.test(line)) {
      return report('history.turn', 'prompt', 'the history must begin with a turn')
    }
    if (words !== undefined && said === false) break
    if (words !== undefined) said = !isBlank(words)
    else if (said === false) said = !isBlank(line)
  }
  if (!said && !gaps.test(block)) report('history.turn', 'prompt', 'a turn must say something')
}
