/** Of the newest turn, which alone is over a limit: its user message, what people pinned in it, the newest of the rest. */

import type { Issue } from '../message/issue.js'
import type { FitInput } from './fitted.js'
import type { HeadsAt } from './heads.js'
import { type Kept, type Load, plus, weightless } from './load.js'
import { shrink } from './shrink.js'
import type { Group, Turns } from './turns.js'

export type Narrowed =
  | {
      readonly ok: true
      readonly head: readonly Kept[]
      readonly kept: readonly Kept[]
      /** The turn without what is pinned in it. */
      readonly rest: Group
      readonly excess: number
    }
  | { readonly ok: false; readonly issue: Issue }

interface Space {
  readonly allowed: Load
  readonly turns: Turns
}

export function narrow(input: FitInput, newest: Group, heads: HeadsAt, space: Space): Narrowed {
  const held = heldIn(input, newest, space.turns)
  const made = held && squeeze(input, held.rest, held, space)
  // what people pinned goes before what they did not, but not before the message to answer
  if (made && (made.ok || input.current)) return made
  return squeeze(input, newest, { head: heads.kept, pins: [], load: heads.load }, space)
}

interface HeldIn {
  readonly head: readonly Kept[]
  readonly pins: readonly Kept[]
  readonly load: Load
}

/** What people pinned inside the turn stands in its place; its user message stays anyway. Null when nothing is. */
function heldIn({ plan, pins }: FitInput, newest: Group, turns: Turns): (HeldIn & { readonly rest: Group }) | null {
  if (!plan.marks) return null
  const slots = newest.kept.flatMap(({ slot, merged }) => [slot, ...merged])
  const [first] = slots
  const { kept, load } = pins(Number.POSITIVE_INFINITY)
  const own = new Set(slots.map(({ index }) => index))
  if (first?.item.role === 'user') own.delete(first.index)
  const isInside = ({ slot }: Kept): boolean => own.has(slot.index)
  const inside = kept.filter(isInside)
  const taken = new Set(inside.map(({ slot }) => slot.index))
  const turn = { start: newest.start, slots: slots.filter(({ index }) => !taken.has(index)), held: taken }
  if (inside.length === 0 || turn.slots.length === 0) return null
  return {
    head: kept.filter(({ slot }) => slot.index < newest.start),
    pins: inside,
    load,
    rest: turns.group(turn, 'full'),
  }
}

function squeeze(input: FitInput, group: Group, held: HeldIn, { allowed: room, turns }: Space): Narrowed {
  const { plan } = input
  const { head, pins } = held
  const reserved = plan.policy.fit.gap.reserve === 'first'
  const hole = reserved ? input.hole : weightless
  let spent = reserved ? plus(held.load, input.gaps(head, group.start)) : held.load
  // a marker may stand before each of them
  for (const _ of pins) spent = plus(spent, hole)
  const answered = input.current !== null && plan.policy.fit.oversize === 'refuse'
  const made = shrink(group, { plan, room, spent, hole, pins, answered, turns })
  return made.ok ? { ok: true, head, kept: made.kept, rest: group, excess: made.excess } : made
}
