/** Applies the limits per role and per tool result. */
import { type Item, type Part, text } from '../message/item.js'
import { isBlank } from '../message/text.js'
import type { Cut, Policy } from '../policy/schema.js'
import { cutText } from './cut.js'
import { shorten } from './fold.js'

type Rule = Policy['clip']

export interface Clipped {
  readonly item: Item
  /** Which limit bit, if one did. */
  readonly rule: 'clip.user' | 'clip.assistant' | 'clip.tool' | null
  readonly from: number
  readonly to: number
}

/** `halvings` lowers the limit of tool results, never below the one for abbreviated results. */
export function clip(
  item: Item,
  rule: Rule,
  options: { readonly whole: boolean; readonly halvings: number; readonly least: Cut },
): Clipped {
  const tools =
    rule.tool && item.role === 'assistant'
      ? clipTools(item, rule.tool, options.halvings, options.least, rule.graphemes)
      : item
  const limit = options.whole || item.role === 'system' ? null : rule[item.role]
  const said = limit ? clipText(tools, limit, rule.graphemes) : null
  if (said) return { ...said, rule: item.role === 'user' ? 'clip.user' : 'clip.assistant' }
  if (tools !== item) return { item: tools, rule: 'clip.tool', from: 0, to: 0 }
  return { item, rule: null, from: 0, to: 0 }
}

/** Cuts the text of an item; with several text parts the first takes the shortened whole. */
export function clipText(item: Item, cut: Cut, graphemes: boolean): Omit<Clipped, 'rule'> | null {
  const only = item.parts.length === 1 ? item.parts[0] : undefined
  const whole = only?.type === 'text' ? only.text : textOf(item)
  const short = cutText(whole, cut, graphemes)
  if (!short) return null
  let placed = false
  const parts: Part[] = []
  for (const part of item.parts) {
    if (part.type !== 'text') parts.push(part)
    else if (!placed) {
      placed = true
      parts.push(text(short.text))
    }
  }
  return { item: { ...item, parts, clipped: true }, from: short.from, to: short.to }
}

/** True when there is something in the item that can be sent. */
export const says = (item: Item): boolean =>
  item.parts.some((part) => (part.type === 'text' ? !isBlank(part.text) : part.type !== 'think'))

/** The spoken text of an item, its text parts joined by newlines. */
export function textOf(item: Item): string {
  if (item.parts.length === 1 && item.parts[0]?.type === 'text') return item.parts[0].text
  const texts: string[] = []
  for (const part of item.parts) if (part.type === 'text') texts.push(part.text)
  return texts.join('\n')
}

function clipTools(item: Item, cut: Cut, halvings: number, least: Cut, graphemes: boolean): Item {
  let changed = false
  const limit = halved(cut, halvings, least)
  const parts = item.parts.map((part) => {
    if (part.type !== 'call' || part.outcome.state === 'pending') return part
    const { output } = part.outcome
    if (output.length === 1 && output[0]?.type === 'text' && output[0].text.length <= limit.over) return part
    const short =
      output.some((piece) => piece.type === 'file') && halvings === 0 ? output : shorten(output, limit, graphemes)
    if (short === output) return part
    changed = true
    return { ...part, outcome: { ...part.outcome, output: short } }
  })
  return changed ? { ...item, parts } : item
}

function halved(cut: Cut, halvings: number, least: Cut): Cut {
  if (halvings === 0) return cut
  const over = cut.over >> halvings
  if (over <= least.over) return least
  return {
    over,
    head: cut.head >> halvings,
    tail: Math.max(0, (cut.tail >> halvings) - cut.mark.length),
    mark: cut.mark,
  }
}

/** How often a limit can be halved before it reaches the least. */
export const halvingsOf = (cut: Cut | null, least: Cut): number =>
  cut && cut.over > least.over ? Math.ceil(Math.log2(cut.over / least.over)) : 0
