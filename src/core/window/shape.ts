/** Fold and clip of one item: what it would look like in the window, and what that costs. */

import type { CallPart, Item } from '../message/item.js'
import { isBlank } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import { nothing, outputSize, type Scale, type Size, sizeOf } from '../render/size.js'
import { clip, unclipped } from './clip.js'
import { fold } from './fold.js'
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
