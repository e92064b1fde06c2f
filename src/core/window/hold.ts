/** Messages that people pinned: they stay whatever the cut does, all of them together in a share of each limit. */

import type { Item } from '../message/item.js'
import { boundless, inOrder, type Kept, type Load, over, plus, uncounted, weightless } from './load.js'
import type { Where } from './memo.js'
import { look, pinnedShape } from './pin.js'
import { says } from './shape.js'
import { shortenText } from './shrink.js'
import { gapLoad } from './turns.js'
import { type Plan, Walk } from './walk.js'

/** In the order of the history; those of `others` are pinned already. */
export function markedPins(
  messages: readonly unknown[],
  plan: Plan,
  floor: number,
  where: Where,
  others: readonly Kept[],
): readonly Kept[] {
  const taken = new Set(others.map(({ slot }) => slot.index))
  const kept: Kept[] = []
  for (const id of plan.marks?.pinned ?? []) {
    const index = where(id)
    if (index === undefined || index < floor || taken.has(index)) continue
    const slot = look(new Walk(messages, plan, floor, asked), messages.length, index)
    const shape = slot && pinnedShape(slot, plan)
    // one that says nothing, or nothing any more once it is folded
    if (!slot || !shape || !says(shape.item)) continue
    kept.push({ slot, shape: shape.fate === 'kept' ? { ...shape, rule: 'mark.pinned' } : shape, merged: [] })
  }
  return inOrder(kept)
}

/** Stands for the message to answer, which alone cannot be excluded. */
const asked: Item = { role: 'user', parts: [] }

/** Where excluded messages and the results of their calls stand, as far as the walk did not come to them. */
export function excludedPlaces(
  messages: readonly unknown[],
  plan: Plan,
  floor: number,
  where: Where,
  end: number,
): readonly number[] {
  return [...(plan.marks?.excluded ?? [])].flatMap((id) => {
    const index = where(id)
    if (index === undefined || index < floor || index >= end) return []
    const walk = new Walk(messages, { ...plan, marks: null }, floor, null)
    const slot = look(walk, messages.length, index)
    return walk.record(index).admitted.ok ? [index, ...(slot?.answers.filter((answer) => answer >= 0) ?? [])] : []
  })
}

export interface HeldPins {
  readonly kept: readonly Kept[]
  /** What they take; when not all of them fit, their whole share, so that a bigger budget never keeps less. */
  readonly load: Load
  readonly least: Load
}

/** The smallest first, so that as many as possible stay; the one that no longer fits is shortened. */
export function holdPins(pins: readonly Kept[], room: Load, plan: Plan): HeldPins {
  const { fit } = plan.policy
  const marker = fit.gap.form === 'message' ? gapLoad(1, plan) : weightless
  const share = shareOfRoom(room, fit.pin.share)
  // the first message and a summary have shares of their own, and a marker may stand between
  const left = shareOfRoom(room, 1 - fit.pin.share - fit.summary.share).tokens - marker.tokens
  const most = { ...share, tokens: Math.max(0, Math.min(share.tokens, left)) }
  const kept: Kept[] = []
  let load = weightless
  let spent = weightless
  const take = (one: Kept): void => {
    kept.push(one)
    load = plus(load, uncounted(one, fit))
    spent = plus(plus(spent, uncounted(one, fit)), marker)
  }
  const bySize = [...pins].sort(
    (one, other) => one.shape.after.tokens - other.shape.after.tokens || one.slot.index - other.slot.index,
  )
  for (const one of bySize) {
    if (over(plus(plus(spent, uncounted(one, fit)), marker), most) === null) {
      take(one)
      continue
    }
    const short = shortenText(one, { plan, room: most, spent: plus(spent, marker) })
    if (short) take({ ...short, shape: { ...short.shape, rule: 'mark.pinned' } })
    const tokens = Math.max(load.tokens, most.tokens - kept.length * marker.tokens)
    return { kept: inOrder(kept), load: Number.isFinite(tokens) ? { ...load, tokens } : load, least: load }
  }
  return { kept: inOrder(kept), load, least: load }
}

export const shareOfRoom = (room: Load, share: number): Load => ({
  ...boundless,
  tokens: Math.max(0, room.tokens) * share,
  chars: room.chars * share,
  bytes: room.bytes * share,
})
