/** Not everything fits as it is: results and texts give way before turns do. */

import { cutWithin, ease } from './ease.js'
import type { FitInput, FitResult, Overflow } from './fitted.js'
import { countsOf, cut, flat, leastIn, unledOf, withHead } from './fitted.js'
import { type Kept, type Limit, type Load, over, plus, weigh, weightless } from './load.js'
import { isReduced } from './pin.js'
import { textOf } from './shape.js'
import { shortestText } from './shrink.js'
import { trim } from './trim.js'
import type { Group, Turn } from './turns.js'

/** Turns as they were said, newest first. */
export interface Seen {
  readonly turns: Turn[]
  readonly groups: Group[]
  readonly load: Load
  /** The limit on their size that they are over. */
  readonly limit: Limit | null
  /** There may be no more messages or turns than these. */
  readonly capped: Limit | null
  /** The turn that would have been one too many. */
  readonly beyond: Turn[]
}

/**
 * Not everything fits as it is. Old results become quotes, oldest first, then old long texts; then whole old turns go;
 * last the newest turn gives way, from its oldest results on. The order is the same for every budget, so that a bigger
 * one never keeps less.
 */
export function pressed(input: FitInput, seen: Seen, overflow: Overflow, short: Limit | null): FitResult {
  const { turns, allowed } = overflow
  const heads = input.pins(Number.POSITIVE_INFINITY)
  const held = new Set(heads.kept.map(({ slot }) => slot.index))
  const shares = new Map(heads.kept.filter(isReduced).map((pin) => [pin.slot.index, pin]))
  const briefly = (turn: Turn): Group => {
    const group = turns.group(turn, ({ index }) => (held.has(index) ? 'full' : 'brief'))
    const isShared = shares.size > 0 && group.kept.some(({ slot }) => shares.has(slot.index))
    return isShared
      ? turns.of(
          turn.start,
          group.kept.map((kept) => shares.get(kept.slot.index) ?? kept),
        )
      : group
  }
  const newest = (turn: Turn): Group => {
    const fresh = freshOf(input, turn)
    return turns.group(turn, ({ index }) => (fresh.has(index) || held.has(index) ? 'full' : 'quoted'))
  }
  const groups = seen.turns.map((turn, at) => (at === 0 ? newest(turn) : briefly(turn)))
  let load = groups.reduce((sum, group) => plus(sum, group.load), weightless)
  let isAll = seen.limit === null
  let capped: Limit | null = null
  // quotes take less room: there may be a place for older turns
  while (!isAll && over(load, allowed) === null) {
    const turn = turns.next()
    const group = turn && briefly(turn)
    isAll = group === null
    if (!turn || !group) break
    const next = plus(load, group.load)
    capped = over(next, countsOf(allowed))
    if (capped) {
      overflow.beyond.push(group)
      break
    }
    load = next
    seen.turns.push(turn)
    groups.push(group)
  }
  const eased =
    groups.length > 0 && (isAll || capped)
      ? easedOf(input, seen.turns, held, { ...overflow, capped: capped ?? short })
      : null
  return eased ?? trim(input, groups, overflow)
}

/** What is not old in the newest turn: all of it; or, where the message to answer begins another turn, its newest results. */
function freshOf({ current }: FitInput, { slots }: Turn): ReadonlySet<number> {
  const last = slots.findLast(({ answers }) => answers.length > 0)
  return new Set((current ? slots.filter((slot) => slot === last) : slots).map(({ index }) => index))
}

/** All turns stay, with quotes instead of old results and long texts; null when that is not enough. */
function easedOf(
  input: FitInput,
  list: readonly Turn[],
  held: ReadonlySet<number>,
  { turns, allowed, limit, beyond, capped }: Overflow & { readonly capped: Limit | null },
): FitResult | null {
  const { plan } = input
  const full = list.map((turn) => turns.group(turn, 'full'))
  const pins = capped ? withHead(input, full, full.length, weightless) : null
  const unled = capped ? null : unledOf(input, full)
  const spent = pins?.load ?? unled?.load ?? weightless
  const fresh = freshOf(input, list[0] as Turn)
  const isFixed = ({ slot }: Kept): boolean => held.has(slot.index) || fresh.has(slot.index)
  const all = flat(full)
  const pieces = all.filter((kept) => !isFixed(kept))
  const fixed = all.filter(isFixed).reduce((sum, kept) => plus(sum, weigh(kept, plan.policy.fit)), spent)
  const room = { ...allowed, ...countless, tokens: Math.min(allowed.tokens, input.steady - input.spare) }
  const newest = (list[0] as Turn).start
  const made = ease(pieces, newest, {
    plan,
    turns,
    room,
    spent: fixed,
    least: leastIn(input, spent.tokens),
    origin: input.origin,
  })
  const brief = made ?? pieces.map(({ slot }) => turns.keep(slot, slot.index < newest ? 'brief' : 'quoted'))
  const forms = new Map(brief.map((kept) => [kept.slot.index, kept]))
  if (!made) {
    const opener = openerWithin(input, all, newest, forms, spent, room)
    if (!opener) return null
    forms.set(opener.slot.index, opener)
  }
  const tail = all.map((kept) => forms.get(kept.slot.index) ?? kept)
  return cut({ limit }, pins?.head ?? unled?.kept ?? [], tail, flat(beyond), 0, capped === null)
}

/** The opener, cut to what all the others leave; null when that is less than its share, or when it is in the newest turn. */
function openerWithin(
  input: FitInput,
  all: readonly Kept[],
  newest: number,
  forms: ReadonlyMap<number, Kept>,
  spent: Load,
  room: Load,
): Kept | null {
  const { plan } = input
  const heads = input.pins(newest)
  const short = heads.first > 0 ? heads.kept.find(isReduced) : undefined
  const opener = short && all.find(({ slot }) => slot.index === short.slot.index)
  if (!opener) return null
  const others = all
    .filter((kept) => kept !== opener)
    .reduce((sum, kept) => plus(sum, weigh(forms.get(kept.slot.index) ?? kept, plan.policy.fit)), spent)
  if (over(plus(others, weigh(short, plan.policy.fit)), room) !== null) return null
  const made = cutWithin(opener, shortestText(opener, plan), 'brief', plan, others, room)
  if (textOf(made.shape.item).length <= textOf(short.shape.item).length) return short
  // whatever someone wanted whole, this is all there is room for
  return { ...made, shape: { ...made.shape, rule: 'fit.oversize' } }
}

const countless = { messages: Number.POSITIVE_INFINITY, turns: Number.POSITIVE_INFINITY }
