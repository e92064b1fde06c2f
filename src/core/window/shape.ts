/** Fold and clip of one item: what it would look like in the window, and what that costs. */
import { type CallPart, type Item, type Part, text } from '../message/item.js'
import { isBlank } from '../message/text.js'
import type { Cut, Policy } from '../policy/schema.js'
import { nothing, outputSize, type Scale, type Size, sizeOf } from '../render/size.js'
import { cutText } from './cut.js'
import { fold, shortenOutput } from './fold.js'
import { aloneSize, type Plan, type Slot } from './walk.js'

export interface Shape {
  readonly item: Item
  readonly fate: 'kept' | 'clipped' | 'folded'
  readonly rule: string
  readonly before: Size
  readonly after: Size
  /** The part of the size that belongs to the results of its calls, in the order of the calls. */
  readonly results: readonly { readonly before: Size; readonly after: Size }[]
  /** Lengths before and after, when the text was cut. */
  readonly cut: readonly [from: number, to: number] | null
}

/** `full`: nothing gives way; `quoted`: tool results do; `brief`: long texts too; `exempt`: the newest user message. */
export type Mode = 'full' | 'quoted' | 'brief' | 'exempt'

/** `known`: the size of the item, where it was taken already. */
export function shape(item: Item, mode: Mode, policy: Policy, scale: Scale, known?: Size): Shape {
  const pressed = mode === 'quoted' || mode === 'brief'
  const folded = fold(item, policy.fold, pressed, policy.clip.graphemes)
  const clips = policy.clip.when === 'always' || mode === 'brief'
  const clipped = clips ? clip(folded, policy.clip, mode === 'exempt') : unclipped(folded)
  const before = known ?? sizeOf(item, scale)
  const unchanged = clipped.item === item
  return {
    item: clipped.item,
    fate: clipped.rule ? 'clipped' : folded === item ? 'kept' : 'folded',
    rule: clipped.rule ?? (folded === item ? 'fits' : `fold.${policy.fold.tools}`),
    before,
    after: isSilent(clipped.item) ? nothing : unchanged ? before : sizeOf(clipped.item, scale),
    results: resultsOf(item, clipped.item, scale),
    cut: clipped.from > 0 ? [clipped.from, clipped.to] : null,
  }
}

/** The same message in another form. */
export const reshaped = (from: Shape, item: Item, fate: Shape['fate'], rule: string, scale: Scale): Shape => ({
  ...from,
  item,
  fate,
  rule,
  after: sizeOf(item, scale),
  results: resultsOf(item, item, scale).map(({ after }, i) => ({ before: from.results[i]?.before ?? after, after })),
})

/** As it was said, whatever the policy would clip or fold. */
export function wholeShape(
  slot: Slot,
  mode: Mode,
  { policy, scale }: Plan,
  rule: 'mark.whole' | 'fold.live' = 'mark.whole',
): Shape {
  const usual = shape(slot.item, mode, policy, scale, aloneSize(slot))
  if (usual.item === slot.item) return usual
  // what a specification caps is capped in a turn that goes on, too; its calls and results stay whole
  if (rule === 'fold.live' && policy.clip.when === 'always') {
    const { fold, clip } = policy
    const keeping: Policy = { ...policy, fold: { ...fold, tools: 'keep' }, clip: { ...clip, tool: null } }
    const made = shape(slot.item, mode, keeping, scale)
    if (made.item !== slot.item) return made
  }
  const results = usual.results.map(({ before }) => ({ before, after: before }))
  return { ...usual, item: slot.item, fate: 'kept', rule, after: usual.before, results, cut: null }
}

/** Nothing is left that could be sent. */
const isSilent = ({ parts }: Item): boolean => parts.every((part) => part.type === 'text' && isBlank(part.text))

const none: Shape['results'] = []

function resultsOf(before: Item, after: Item, scale: Scale): Shape['results'] {
  const calls = callsOf(before)
  if (calls.length === 0) return none
  const kept = callsOf(after)
  return calls.map((call, i) => ({
    before: outputSize(call, scale),
    after: kept[i] ? outputSize(kept[i], scale) : { tokens: 0, chars: 0 },
  }))
}

const callsOf = (item: Item): CallPart[] => item.parts.filter((part) => part.type === 'call')

// Applies the limits per role and per tool result.

type Rule = Policy['clip']

interface Clipped {
  readonly item: Item
  /** Which limit bit, if one did. */
  readonly rule: 'clip.user' | 'clip.assistant' | 'clip.tool' | null
  readonly from: number
  readonly to: number
}

/** `exempt`: its text stays whole. */
function clip(item: Item, rule: Rule, exempt: boolean): Clipped {
  const tools = rule.tool && item.role === 'assistant' ? clipResults(item, rule.tool, rule.graphemes, true) : item
  const limit = exempt || item.role === 'system' ? null : rule[item.role]
  const said = limit ? clipText(tools, limit, rule.graphemes) : null
  if (said) return { ...said, rule: item.role === 'user' ? 'clip.user' : 'clip.assistant' }
  if (tools !== item) return { item: tools, rule: 'clip.tool', from: 0, to: 0 }
  return unclipped(item)
}

const unclipped = (item: Item): Clipped => ({ item, rule: null, from: 0, to: 0 })

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
