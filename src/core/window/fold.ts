/** Decides how the tool traffic of an item appears. A call and its result are one part, so no cut parts them. */
import { type CallPart, type Item, type OutputPart, type Part, text } from '../message/item.js'
import type { Policy } from '../policy/schema.js'
import { cutText } from './cut.js'
import { outputText } from './mend/plain.js'

type Rule = Policy['fold']

/** Returns the item itself when there is nothing to fold. `pressed`: not everything fits. */
export function fold(item: Item, rule: Rule, pressed: boolean, graphemes: boolean): Item {
  if (rule.tools === 'keep' || (rule.tools === 'abbreviate' && !pressed)) return item
  if (!item.parts.some(isCall)) return item
  if (rule.tools === 'drop') return { ...item, parts: item.parts.filter((part) => !isCall(part)) }
  if (rule.tools === 'inline') return inline(item, rule)
  return abbreviate(item, rule, graphemes)
}

const isCall = (part: Part): part is CallPart => part.type === 'call'

/** Tells the tool traffic in the assistant's own text, as specification 3 does. */
function inline(item: Item, rule: Rule): Item {
  const lines: string[] = []
  const rest: Part[] = []
  for (const part of item.parts) {
    if (part.type === 'text') lines.push(part.text)
    else if (part.type === 'call') lines.push(...told(part, rule))
    else rest.push(part)
  }
  return { ...item, parts: [...rest, text(lines.join('\n'))] }
}

function told(call: CallPart, rule: Rule): string[] {
  const used = `[Used tool: ${oneLine(call.name)}]`
  const output = call.outcome.state === 'pending' ? '' : outputText(call.outcome.output)
  if (output.trim() === '') return [used]
  const short = cutText(output, rule.result, false, call.from)?.text ?? output
  return [used, `[Tool result: ${unforged(short)}]`]
}

const oneLine = (name: string): string => name.replace(/[\s\]]+/g, ' ')

/** A result can not open another tool's line. */
const unforged = (value: string): string =>
  value.replace(/(^|[\n\r\u2028\u2029\u0085\v\f])(\s*)\[(?=Used tool:|Tool result:)/gi, '$1$2\\[')

function abbreviate(item: Item, rule: Rule, graphemes: boolean): Item {
  let changed = false
  const parts = item.parts.map((part) => {
    if (part.type !== 'call' || part.outcome.state === 'pending') return part
    const output = shortenOutput(part.outcome.output, rule.result, graphemes, part.from)
    if (output === part.outcome.output) return part
    changed = true
    return { ...part, outcome: { ...part.outcome, output } }
  })
  return changed ? { ...item, parts } : item
}

/** Cuts the text of a tool's output; files in it are named, not shown. Returns the same array when nothing is cut. */
export function shortenOutput(
  output: readonly OutputPart[],
  cut: Rule['result'],
  graphemes: boolean,
  id?: string,
): readonly OutputPart[] {
  if (output.length === 1 && output[0]?.type === 'text') {
    const short = cutText(output[0].text, cut, graphemes, id)
    return short ? [text(short.text)] : output
  }
  if (output.length === 0) return output
  const whole = outputText(output)
  const short = cutText(whole, cut, graphemes, id)
  if (!short && output.every((part) => part.type === 'text')) return output
  return [text(short?.text ?? whole)]
}
