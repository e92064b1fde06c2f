/** Makes the newest turn fit when it alone is over a limit. */

import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import type { Cut } from '../policy/schema.js'
import { sizeOf } from '../render/size.js'
import { cutWithin, ease, yields } from './ease.js'
import { excessOf, inOrder, type Kept, type Limit, type Load, minus, over, plus, tooSmall, weigh } from './load.js'
import { isReduced } from './pin.js'
import { clipText, textOf } from './shape.js'
import { leastOf } from './step.js'
import type { Group, Turns } from './turns.js'
import type { Plan } from './walk.js'

export interface Tight {
  readonly plan: Plan
  readonly room: Load
  /** Taken by pins and markers. */
  readonly spent: Load
  /** What a marker inside the turn costs. */
  readonly hole: Load
  /** What people pinned inside the turn, in the form it has in its share; it is among what is spent. */
  readonly pins: readonly Kept[]
  /** A message outside the turn answers its newest words: they go before the tool traffic around them. */
  readonly answered: boolean
  readonly turns: Turns
}

export type Shrunk =
  | { readonly ok: true; readonly kept: readonly Kept[]; readonly excess: number }
  | { readonly ok: false; readonly issue: Issue }

export function shrink(group: Group, tight: Tight): Shrunk {
  const { fit } = tight.plan.policy
  if (group.kept.length + tight.pins.length > 1) return partOf(group, tight)
  const only = group.kept[0] as Kept
  const quoted = yields(tight.plan) ? resultsWithin(only, tight.spent, tight) : null
  if (quoted) return { ok: true, kept: [quoted], excess: 0 }
  if (fit.oversize === 'keep')
    return { ok: true, kept: [only], excess: excessOf(plus(tight.spent, group.load), tight.room) }
  if (fit.oversize === 'clip') {
    const short = shortenText(only, tight)
    if (short) return { ok: true, kept: [short], excess: 0 }
  }
  return { ok: false, issue: tooSmall(plus(tight.spent, group.load), tight.room) }
}

/** Of a turn too long for the window: its user message, and the newest of what followed. */
function partOf(group: Group, tight: Tight): Shrunk {
  const { plan, turns, room } = tight
  const { fit } = plan.policy
  const eased = yields(plan) && tight.pins.length === 0 ? easedOf(group, tight) : null
  if (eased) return { ok: true, kept: eased, excess: 0 }
  const newest = newestCall(group.kept)
  const quoted = (one: Kept): Kept => (one === newest || isReduced(one) ? one : turns.keep(one.slot, 'quoted'))
  const kept = yields(plan) ? group.kept.map(quoted) : group.kept
  const [user, ...rest] = kept[0]?.shape.item.role === 'user' ? kept : [undefined, ...kept]
  const words = (tight.answered && rest.findLast((one) => one && saysAloud(one))) || null
  // something may be missing on both sides of them
  let load = plus(words ? plus(tight.spent, tight.hole) : tight.spent, { ...tight.hole, turns: tight.hole.turns + 1 })
  let spent = load
  const head: Kept[] = []
  let isFull = false
  if (user) {
    const limit = words ? besides(words, load, tight) : room
    const whole = plus(load, weigh(user, fit))
    const isLong = over(whole, limit) !== null
    const short = !isLong
      ? user
      : fit.oversize === 'clip' || words
        ? shortenText(user, { plan, room: limit, spent: load })
        : null
    if (!short) return { ok: false, issue: tooSmall(whole, room) }
    head.push(short)
    load = plus(load, weigh(short, fit))
    spent = isLong ? taken(load, limit) : load
    isFull = isLong
  }
  const answer = words && within(words, { plan, room, spent })
  if (answer) load = plus(load, weigh(answer, fit))
  // nothing older takes the place of words that are cut or do not even fit as a quote: a bigger budget would have to give it back
  if (answer !== words) isFull = true
  const pins = new Set(answer ? [...tight.pins, answer] : tight.pins)
  const tail: Kept[] = []
  let isNewest = true
  for (const one of inOrder([...(rest as Kept[]).filter((one) => one !== words), ...pins]).reverse()) {
    if (pins.has(one)) {
      const others = minus(load, weigh(one, fit))
      const grown = isFull ? one : grow(one, { ...tight, spent: others })
      tail.unshift(grown)
      load = plus(others, weigh(grown, fit))
      continue
    }
    // a message that has to be cut takes all that is left
    if (isFull) continue
    const next = plus(load, weigh(one, fit))
    isFull = over(next, room) !== null
    const cut = isFull && one === newest && yields(plan) ? resultsWithin(one, load, tight) : null
    const short =
      cut ?? (isFull && isNewest && fit.oversize === 'clip' ? shortenText(one, { ...tight, spent: load }) : null)
    isNewest = false
    const fits = isFull ? short : one
    if (!fits) continue
    tail.unshift(fits)
    load = plus(load, weigh(fits, fit))
  }
  if (head.length + tail.length === 0) return { ok: false, issue: tooSmall(plus(tight.spent, group.load), room) }
  return { ok: true, kept: [...head, ...tail], excess: 0 }
}

export const saysAloud = ({ shape: { item } }: Kept): boolean => item.role === 'assistant' && textOf(item).trim() !== ''

/** What is left to others when these words have all that they need, or half. */
export function besides(words: Kept, spent: Load, { plan, room }: Pick<Tight, 'plan' | 'room'>): Load {
  const need = weigh(words, plan.policy.fit)
  const share = (limit: Limit): number =>
    room[limit] - Math.min(need[limit], Math.max(0, room[limit] - spent[limit]) / 2)
  return { ...room, tokens: share('tokens'), chars: share('chars'), bytes: share('bytes') }
}

/** One that is cut has all of its limit, whatever the cut leaves over: a bigger budget would take it back. */
export const taken = (load: Load, { tokens, chars, bytes }: Load): Load => ({ ...load, tokens, chars, bytes })

/** Whole, or cut to what is left. */
export const within = (one: Kept, tight: Pick<Tight, 'plan' | 'room' | 'spent'>): Kept | null =>
  over(plus(tight.spent, weigh(one, tight.plan.policy.fit)), tight.room) === null ? one : shortenText(one, tight)

const newestCall = (kept: readonly Kept[]): Kept | undefined => kept.findLast(({ slot }) => slot.answers.length > 0)

/** All of the turn, with quotes instead of its results from the oldest on; the newest stay whole. */
function easedOf({ kept }: Group, { plan, turns, room, spent }: Tight): readonly Kept[] | null {
  const newest = newestCall(kept)
  const { fit } = plan.policy
  const least = leastOf(plan, room.tokens, room.tokens)
  const old = newest ? kept.slice(0, kept.indexOf(newest)) : []
  const rest = kept.slice(old.length)
  const fixed = rest.reduce((sum, one) => plus(sum, weigh(one, fit)), { ...spent, turns: spent.turns + 1 })
  const made = ease(old, 0, { plan, turns, room, spent: fixed, least, origin: 0 })
  return made && [...made, ...rest]
}

/** Its results, whole or cut so far that they fit; null when not even quotes do. */
function resultsWithin(one: Kept, spent: Load, { plan, turns, room }: Tight): Kept | null {
  if (one.slot.answers.length === 0) return null
  const short = turns.keep(one.slot, 'quoted')
  const whole = turns.keep(one.slot, 'full')
  if (over(plus(spent, weigh(short, plan.policy.fit)), room) !== null) return null
  return cutWithin(whole, short, 'quoted', plan, spent, room)
}

/** What was cut to its share may have the room that is left in its place. */
function grow(pin: Kept, tight: Tight): Kept {
  const { plan, turns, room, spent } = tight
  if (pin.shape.rule !== 'mark.pinned' || pin.shape.fate !== 'clipped') return pin
  const whole = turns.keep(pin.slot, yields(plan) ? 'quoted' : 'full')
  if (over(plus(spent, weigh(whole, plan.policy.fit)), room) === null) return whole
  const longer = shortenText(whole, tight)
  return longer && longer.shape.after.tokens > pin.shape.after.tokens
    ? { ...longer, shape: { ...longer.shape, rule: 'mark.pinned' } }
    : pin
}

const mark = '\n[… {omitted} characters omitted …]\n'

/** What was cut already is cut anew, so that its mark tells the whole: its text as it was said, the other parts as they would be sent. */
function sourceOf({ slot, shape: { cut, item } }: Kept): Item {
  const texts = slot.item.parts.filter((part) => part.type === 'text')
  return cut ? { ...item, parts: [...texts, ...item.parts.filter((part) => part.type !== 'text')] } : item
}

/** Less than this says nothing. */
const least = 32

/** The longest head and tail of the text that still fits, or null when there is no room worth having. */
export function shortenText(kept: Kept, tight: Pick<Tight, 'plan' | 'room' | 'spent'>): Kept | null {
  const { plan, spent, room } = tight
  let low = least - 1
  let high = textOf(sourceOf(kept)).length
  let best: Kept | null = null
  while (high - low > 1) {
    const middle = (low + high) >> 1
    const candidate = shortTo(kept, middle, plan)
    if (over(plus(spent, weigh(candidate, plan.policy.fit)), room) === null) {
      best = candidate
      low = middle
    } else high = middle
  }
  return best
}

/** As little of the text as says something; a short one is whole. */
export const shortestText = (kept: Kept, plan: Plan): Kept => shortTo(kept, least, plan)

function shortTo(kept: Kept, keep: number, plan: Plan): Kept {
  const cut: Cut = { over: keep + 48, head: Math.ceil(keep * 0.7), tail: Math.floor(keep * 0.3), mark }
  const clipped = clipText(sourceOf(kept), cut, plan.policy.clip.graphemes)
  if (!clipped) return kept
  const { item, from, to } = clipped
  const after = sizeOf(item, plan.scale)
  return { ...kept, shape: { ...kept.shape, item, after, fate: 'clipped', rule: 'fit.oversize', cut: [from, to] } }
}
