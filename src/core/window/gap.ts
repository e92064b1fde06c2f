/** The markers that stand where messages are missing. */

import { type Item, text } from '../message/item.js'
import { length } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import { type Scale, sizeOf } from '../render/size.js'
import { type Kept, type Load, weightless } from './load.js'
import { constant } from './memo.js'
import type { Plan } from './walk.js'

type Rule = Policy['fit']['gap']

export interface Gap {
  /** Position of the first message after it. */
  readonly before: number
  readonly missing: number
}

export const gapItem = (rule: Rule, missing: number): Item => ({
  role: rule.role,
  parts: [text(rule.text.replaceAll('{n}', String(missing)))],
  mark: 'gap',
})

/** Where messages are missing between the beginning, the pinned messages and the tail. */
export function gapsOf(heads: readonly Kept[], start: number, first: number, gone: ReadonlySet<number> = none): Gap[] {
  const gaps: Gap[] = []
  let next = first
  for (let i = 0; i <= heads.length; i++) {
    const place = heads[i]?.slot.index ?? start
    const missing = place - next - countBetween(gone, next, place)
    if (missing > 0) gaps.push({ before: place, missing })
    next = Math.max(next, place + 1)
  }
  return gaps
}

export const none: ReadonlySet<number> = new Set()

function countBetween(places: ReadonlySet<number>, from: number, to: number): number {
  let count = 0
  for (const place of places) if (place >= from && place < to) count++
  return count
}

/** What the markers cost at most, whatever number they name. */
export function gapLoad(count: number, plan: Plan): Load {
  const { gap } = plan.policy.fit
  if (gap.form === 'none' || count === 0) return weightless
  const tokens = constant(plan.table, 'gap', () => countGap(gap, plan.scale))
  return { ...weightless, tokens: count * tokens, chars: count * length(gap.text) }
}

function countGap(rule: Rule, scale: Scale): number {
  if (rule.form === 'prefix') return scale.counter.count(rule.text) + 2
  return sizeOf(gapItem(rule, 9_999_999), scale).tokens
}

/** Puts the text in front of the oldest kept message. */
export function prefixed(kept: Kept, rule: Rule, scale: Scale): Kept {
  const { item } = kept.shape
  const at = item.parts.findIndex((part) => part.type === 'text')
  const parts = item.parts.map((part, i) => (i === at && part.type === 'text' ? text(rule.text + part.text) : part))
  const marked: Item = { ...item, parts: at < 0 ? [text(rule.text), ...parts] : parts }
  return { ...kept, shape: { ...kept.shape, item: marked, after: sizeOf(marked, scale) } }
}
