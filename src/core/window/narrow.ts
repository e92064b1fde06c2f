/** Of the newest turn, which alone is over a limit: its user message, what people pinned in it, the newest of the rest. */

import type { Issue } from '../message/issue.js'
import type { FitInput } from './fitted.js'
import { type Kept, type Load, over, plus, tooSmall, weigh, weightless } from './load.js'
import { shortestText, shrink } from './shrink.js'
import type { Group, Turns } from './turns.js'
import type { Slot } from './walk.js'

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

export function narrow(input: FitInput, newest: Group, space: Space): Narrowed {
  const made = squeeze(input, newest, space)
  // what people pinned goes before what they did not, but not before the message to answer
  return made.ok || input.current ? made : alone(input, newest, space)
}

/** What people pinned inside the turn stands in its place. One that says nothing in its share leaves that free. */
function squeeze(input: FitInput, newest: Group, { allowed: room, turns }: Space): Narrowed {
  const { plan } = input
  const slots = newest.kept.flatMap(({ slot, merged }) => [slot, ...merged])
  const { kept, load } = input.pins(newest.start, (slots.at(-1) as Slot).index + 1)
  const head = kept.filter(({ slot }) => slot.index < newest.start)
  const inside = kept.filter(({ slot: { index } }) => index >= newest.start && slots.some((one) => one.index === index))
  const held = new Set(inside.map(({ slot }) => slot.index))
  const others = slots.filter(({ index }) => !held.has(index))
  // a turn of nothing but pinned messages is like any other
  const pins = others.length === 0 ? [] : inside
  // one that finds no room parts what is told around it, too: with more room it does
  const parting = new Set(slots.filter(({ item }) => plan.marks?.pinned.has(item.id ?? '')).map(({ index }) => index))
  const isWhole = others.length === 0 || parting.size === 0
  const rest = isWhole ? newest : turns.group({ start: newest.start, slots: others, parting }, 'full')
  const isReserved = plan.policy.fit.gap.reserve === 'first'
  const hole = isReserved ? input.hole : weightless
  const shares = others.length === 0 ? input.pins(newest.start).load : load
  let spent = isReserved ? plus(shares, input.gaps(head, rest.start)) : shares
  // a marker may stand before each of them
  for (const _ of pins) spent = plus(spent, hole)
  const answered = input.current !== null && plan.policy.fit.oversize === 'refuse'
  const made = shrink(rest, { plan, room, spent, hole, pins, answered, turns })
  return made.ok ? { ok: true, head, kept: made.kept, rest, excess: made.excess } : made
}

/** Beside what has a share there is no room for the turn: so little of its first message stays that a bigger budget never keeps less. */
function alone(input: FitInput, newest: Group, { allowed }: Space): Narrowed {
  const { fit } = input.plan.policy
  const first = newest.kept[0] as Kept
  const only = fit.oversize === 'clip' ? shortestText(first, input.plan) : first
  const { kept: head, least } = input.pins(newest.start)
  const gaps = fit.gap.reserve === 'first' ? plus(input.gaps(head, newest.start), input.hole) : weightless
  const load = plus(plus(least, gaps), weigh(only, fit))
  if (over(load, allowed) !== null) return { ok: false, issue: tooSmall(load, allowed) }
  return { ok: true, head, kept: [only], rest: newest, excess: 0 }
}
