/** Applies the limits per role and per tool result. */
import { type Item, type Part, text } from '../message/item.js'
import { isBlank } from '../message/text.js'
import type { Cut, Policy } from '../policy/schema.js'
import { cutText } from './cut.js'
import { shortenOutput } from './fold.js'

type Rule = Policy['clip']

export interface Clipped {
  readonly item: Item
  /** Which limit bit, if one did. */
  readonly rule: 'clip.user' | 'clip.assistant' | 'clip.tool' | null
  readonly from: number
  readonly to: number
}

/** `exempt`: its text stays whole. */
export function clip(item: Item, rule: Rule, exempt: boolean): Clipped {
  const tools = rule.tool && item.role === 'assistant' ? clipResults(item, rule.tool, rule.graphemes, true) : item
  const limit = exempt || item.role === 'system' ? null : rule[item.role]
  const said = limit ? clipText(tools, limit, rule.graphemes) : null
  if (said) return { ...said, rule: item.role === 'user' ? 'clip.user' : 'clip.assistant' }
  if (tools !== item) return { item: tools, rule: 'clip.tool', from: 0, to: 0 }
  return unclipped(item)
}

export const unclipped = (item: Item): Clipped => ({ item, rule: null, from: 0, to: 0 })

/** Cuts the text of an item; with several text parts the first takes the shortened whole. */
export function clipText(item: Item, cut: Cut, graphemes: boolean): Omit<Clipped, 'rule'> | null {
  const only = item.parts.length === 1 ? item.parts[0] : undefined
  const whole = only?.type === 'text' ? only.text : textOf(item)
  const short = cutText(whole, cut, graphemes, item.id)
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

/** Cuts the results of an item's calls; returns the item itself when none is over the limit. `files`: a result with files stays as it is. */
export function clipResults(item: Item, cut: Cut, graphemes: boolean, files: boolean): Item {
  let changed = false
  const parts = item.parts.map((part) => {
    if (part.type !== 'call' || part.outcome.state === 'pending') return part
    const { output } = part.outcome
    if (files && output.some((piece) => piece.type === 'file')) return part
    const short = shortenOutput(output, cut, graphemes, part.from)
    if (short === output) return part
    changed = true
    return { ...part, outcome: { ...part.outcome, output: short } }
  })
  return changed ? { ...item, parts } : item
}
