/** The first messages, which stay whatever the walk does. */

import type { Item, Part } from '../message/item.js'
import { sizeOf } from '../render/size.js'
import type { HeadsAt } from './fitted.js'
import { boundless, type Kept, plus, uncounted, weightless } from './load.js'
import { type Shape, says, shape, wholeShape } from './shape.js'
import { shortenText, shortestText } from './shrink.js'
import { aloneSize, type Plan, type Slot, Walk } from './walk.js'

/** Looks for them from the beginning of the history, so that the length of the rest does not matter. */
export function pinsOf(messages: readonly unknown[], plan: Plan, floor: number, tokens: number): readonly Kept[] {
  const { pin } = plan.policy.fit
  const kept: Kept[] = []
  if (pin.first === 0) return kept
  const walk = new Walk(messages, plan, floor, null)
  for (let index = floor; index < messages.length && kept.length < pin.first; index++) {
    const { admitted } = walk.record(index)
    if (!admitted.ok || !says(admitted.item) || (pin.of === 'user' && admitted.item.role !== 'user')) continue
    const { id, role } = admitted.item
    // where the first message is excluded, no other takes its place
    if (id !== undefined && plan.marks?.excluded.has(id)) break
    // a system message further on may not speak
    const at = role === 'system' ? index : walk.lastOf(index)
    const slot = look(new Walk(messages, plan, floor, null), messages.length, at)
    if (!slot || kept.some((other) => other.slot.index === slot.index)) continue
    kept.push(within({ slot, shape: pinnedShape(slot, plan), merged: [] }, plan, tokens))
  }
  return kept
}

/** Where a record keeps its shape as a pinned message. */
const pinned = 1_000

/** An answer that leads is marked as pinned, so that it is not dropped for leading. */
export function pinnedShape(slot: Slot, plan: Plan): Shape {
  const { shapes } = slot.record
  const { id } = slot.item
  if (id !== undefined && plan.marks?.whole.has(id)) return led(wholeShape(slot, 'full', plan))
  shapes[pinned] ??= led(shape(slot.item, 'full', plan.policy, plan.scale, aloneSize(slot)))
  return shapes[pinned]
}

const led = (made: Shape): Shape =>
  made.item.role === 'assistant' ? { ...made, item: { ...made.item, pinned: true } } : made

/** One message with the results that follow it. */
export function look(walk: Walk, length: number, index: number): Slot | null {
  const { admitted } = walk.record(index)
  if (!admitted.ok) return null
  const open = callsIn(admitted.item)
  let last = index
  // results may come after further calls and words, and after results of calls that are lost
  while (open.length > 0 && last + 1 < length) {
    const next = walk.record(last + 1).admitted
    if (next.ok ? isNext(next) : walk.faultOf(last + 1) === 'malformed') break
    last++
    if (!next.ok) continue
    open.push(...callsIn(next.item))
    for (const { callId = '' } of next.results) if (open.includes(callId)) open.splice(open.indexOf(callId), 1)
  }
  for (let i = last; i > index; i--) walk.look(i)
  return walk.look(index)
}

/** The user speaks: another turn begins. */
const isNext = ({ item, results }: { readonly item: Item; readonly results: readonly unknown[] }): boolean =>
  results.length === 0 && item.role === 'user' && item.parts.length > 0

const callsIn = ({ parts }: Item): string[] => parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))

/** A pinned message may not take more than its share of the tokens: its files are named, then its text is cut, in a small window as far as it says something. */
function within(kept: Kept, plan: Plan, tokens: number): Kept {
  const share = tokens * plan.policy.fit.pin.share
  if (kept.shape.after.tokens <= share) return kept
  const bare = withoutFiles(kept, plan)
  if (bare.shape.after.tokens <= share) return { ...bare, share }
  const short = shortenText(bare, { plan, room: { ...boundless, tokens: share }, spent: weightless })
  return { ...(short ?? shortestText(bare, plan)), share }
}

/** A file that is named in its place, but not sent. */
const unsent = { kind: 'ref', id: 'unsent' } as const

function withoutFiles(kept: Kept, plan: Plan): Kept {
  const { item } = kept.shape
  if (!item.parts.some((part) => part.type === 'file')) return kept
  const parts = item.parts.map((part): Part => (part.type === 'file' ? { ...part, source: unsent } : part))
  const named = { ...item, parts }
  return {
    ...kept,
    shape: { ...kept.shape, item: named, fate: 'folded', rule: 'fold.files', after: sizeOf(named, plan.scale) },
  }
}

/** Those before the tail, and what they weigh; they do not count against the number of messages. */
export function before(pins: readonly Kept[], start: number, { policy }: Plan): HeadsAt {
  const kept = pins.filter((pin) => pin.slot.index < start)
  let [load, least] = [weightless, weightless]
  for (const pin of kept) {
    const weight = uncounted(pin, policy.fit)
    load = plus(load, weight)
    least = plus(least, { ...weight, tokens: pin.shape.after.tokens })
  }
  return { kept, load, least, first: kept.length }
}

/** Over its share. */
export const isReduced = ({ share }: Kept): boolean => share !== undefined
