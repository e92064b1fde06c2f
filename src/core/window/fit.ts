/** Keeps the pinned head and the longest suffix of whole turns that fits every limit. */

import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import { cutWithin, ease, yields } from './ease.js'
import type { HeadsAt } from './heads.js'
import { excessOf, type Kept, type Limit, type Load, minus, over, plus, tooSmall, weigh, weightless } from './load.js'
import { narrow } from './narrow.js'
import { saysAloud, shorten } from './shrink.js'
import { leastOf, roundness } from './step.js'
import { type Group, type Turn, Turns } from './turns.js'
import type { Plan, Walk } from './walk.js'

export interface Fitted {
  readonly head: readonly Kept[]
  readonly tail: readonly Kept[]
  /** Candidates that were weighed and left out, for the account. */
  readonly left: readonly Kept[]
  /** The limit that bit; null when everything fits. */
  readonly limit: Limit | null
  /** The floor or an exempt message holds the window over its limit by so much. */
  readonly excess: number
  /** The history was over its limit, whether or not anything could be left out. */
  readonly exceeded: boolean
  /** Everything is there, if not as it was said. */
  readonly isAll: boolean
}

export type FitResult = { readonly ok: true; readonly fitted: Fitted } | { readonly ok: false; readonly issue: Issue }

export interface FitInput {
  readonly walk: Walk
  readonly plan: Plan
  readonly current: Item | null
  /** What the limits leave for the history, the current message and the fixed costs already taken off. */
  readonly room: Load
  /** Tokens of the room that were taken off for what mend adds to a tail; without a tail it adds nothing. */
  readonly slack: number
  /** Tokens for everything between the system prompt and the answer. */
  readonly budget: number
  /** Tokens of the room that do not change with every message to answer. */
  readonly steady: number
  /** Tokens that the tail leaves free, as long as the newest turn does not need them. */
  readonly spare: number
  /** Tokens that a newest turn too long for its room is cut to, before it takes the spare; null when it takes the spare. */
  readonly newest: number | null
  /** A limit that bites whatever this walk finds: then the pinned messages are there even if all of it fits. */
  readonly short: Limit | null
  /** A summary stands before the tail. */
  readonly follows: boolean
  /** The pinned messages and what they and `gaps` markers cost when the tail begins at `start`. */
  readonly pins: (start: number) => HeadsAt
  /** What the markers cost when the pins are `heads` and the tail does not reach the beginning. */
  readonly gaps: (heads: readonly Kept[], start: number) => Load
  /** What one more marker costs, inside a turn that has to be narrowed. */
  readonly hole: Load
}

export function fit(input: FitInput): FitResult {
  const { plan } = input
  const room = tightOf(input)
  const turns = new Turns(input.walk, plan, input.current !== null, input.follows)
  const seen = lookBack(input, turns, room)
  const { groups, load } = seen
  const exceeded = groups.length > 0 && over(load, room) !== null
  let limit = seen.limit
  const short = seen.capped ?? input.short
  if (!limit && short === null) {
    const unled = unledOf(input, groups)
    limit = unled && over(plus(load, unled.load), room)
    if (!limit) return whole(unled?.kept ?? [], groups, exceeded ? excessOf(load, room) : 0, exceeded)
  }
  const beyond = seen.beyond.map((turn) => turns.group(turn, 'full'))
  if (!limit && over(withHead(input, groups, groups.length, load).load, room) === null)
    return headed(input, groups, short as Limit, beyond)
  const overflow = { limit: limit ?? (short as Limit), allowed: room, turns, beyond }
  return yields(plan) ? pressed(input, seen, overflow, short) : trim(input, groups, overflow)
}

/** Turns as they were said, newest first. */
interface Seen {
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

/** As far as everything fits, and one turn more. */
function lookBack({ plan }: FitInput, turns: Turns, room: Load): Seen {
  const { floor } = plan.policy.fit
  const seen = { turns: [] as Turn[], groups: [] as Group[], beyond: [] as Turn[] }
  let load = weightless
  for (let turn = turns.next(); turn; turn = turns.next()) {
    const group = turns.group(turn, 'full')
    const next = plus(load, group.load)
    const capped = seen.groups.length < Math.max(1, floor) ? null : over(next, countsOf(room))
    if (capped) {
      seen.beyond.push(turn)
      return { ...seen, load, limit: null, capped }
    }
    load = next
    seen.turns.push(turn)
    seen.groups.push(group)
    const limit = seen.groups.length > floor ? over(load, room) : null
    if (limit) return { ...seen, load, limit, capped: null }
  }
  return { ...seen, load, limit: null, capped: null }
}

/** Not what the messages weigh, but how many there are. */
const countsOf = ({ messages, turns }: Load): Load => ({ ...boundless, messages, turns })

const boundless: Load = {
  tokens: Number.POSITIVE_INFINITY,
  chars: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  messages: Number.POSITIVE_INFINITY,
  turns: Number.POSITIVE_INFINITY,
}

/**
 * Not everything fits as it is. Old results become quotes, oldest first, then old long texts; then whole old turns go;
 * last the newest turn gives way, from its oldest results on. The order is the same for every budget, so that a bigger
 * one never keeps less.
 */
function pressed(input: FitInput, seen: Seen, overflow: Overflow, short: Limit | null): FitResult {
  const { turns, allowed } = overflow
  const heads = input.pins(Number.POSITIVE_INFINITY)
  const held = new Set(heads.kept.map(({ slot }) => slot.index))
  const shares = new Map(
    heads.kept.filter(({ shape }) => shape.rule === 'fit.oversize').map((pin) => [pin.slot.index, pin]),
  )
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
    least: leastIn(input),
  })
  const brief = made ?? pieces.map(({ slot }) => turns.keep(slot, slot.index < newest ? 'brief' : 'quoted'))
  const forms = new Map(brief.map((kept) => [kept.slot.index, kept]))
  if (!made) {
    const opener = openerWithin(input, all, forms, spent, room)
    if (!opener) return null
    forms.set(opener.slot.index, opener)
  }
  const tail = all.map((kept) => forms.get(kept.slot.index) ?? kept)
  return cut({ limit }, pins?.head ?? unled?.kept ?? [], tail, flat(beyond), 0, capped === null)
}

/** The opener, cut to what all the others leave; null when that is less than its share. */
function openerWithin(
  input: FitInput,
  all: readonly Kept[],
  forms: ReadonlyMap<number, Kept>,
  spent: Load,
  room: Load,
): Kept | null {
  const { fit: rule } = input.plan.policy
  const heads = input.pins(Number.POSITIVE_INFINITY)
  const short = heads.first > 0 ? heads.kept.find(({ shape }) => shape.rule === 'fit.oversize') : undefined
  const opener = short && all.find(({ slot }) => slot.index === short.slot.index)
  if (!opener) return null
  const others = all
    .filter((kept) => kept !== opener)
    .reduce((sum, kept) => plus(sum, weigh(forms.get(kept.slot.index) ?? kept, rule)), spent)
  if (over(plus(others, weigh(short, rule)), room) !== null) return null
  return cutWithin(opener, short, 'brief', input.plan, others, room)
}

const countless = { messages: Number.POSITIVE_INFINITY, turns: Number.POSITIVE_INFINITY }

/** Tokens that stay in use when things give way in a step. */
const leastIn = (input: FitInput): number => leastOf(input.plan, tightOf(input).tokens, input.budget)

const tightOf = ({ room, spare }: FitInput): Load => (spare > 0 ? { ...room, tokens: room.tokens - spare } : room)

function whole(head: readonly Kept[], groups: readonly Group[], excess: number, exceeded: boolean): FitResult {
  return { ok: true, fitted: { head, tail: flat(groups), left: [], limit: null, excess, exceeded, isAll: true } }
}

/** What people pinned before the first message of the user, where a history has to begin with one. */
function unledOf({ plan, pins }: FitInput, groups: readonly Group[]): HeadsAt | null {
  const first = groups.at(-1)
  return plan.marks && plan.policy.fit.lead === 'user' && first ? pins(first.start) : null
}

/** All that the walk found, behind the pinned messages. */
function headed(input: FitInput, groups: readonly Group[], limit: Limit, beyond: readonly Group[]): FitResult {
  const { head } = withHead(input, groups, groups.length, weightless)
  return cut({ limit }, head, flat(groups), flat(beyond))
}

const cut = (
  { limit }: { readonly limit: Limit | null },
  head: readonly Kept[],
  tail: readonly Kept[],
  left: readonly Kept[],
  excess = 0,
  isAll = false,
): FitResult => ({ ok: true, fitted: { head, tail, left, limit, excess, exceeded: true, isAll } })

interface Overflow {
  readonly limit: Limit
  readonly allowed: Load
  readonly turns: Turns
  /** Groups that were looked at and never came into question. */
  readonly beyond: Group[]
}

/** Gives up the oldest groups until the rest, the pins and the markers fit; then moves on to the next step of the cut. */
function trim(input: FitInput, groups: readonly Group[], overflow: Overflow): FitResult {
  const { fit: rule } = input.plan.policy
  const loads: Load[] = []
  let sum = weightless
  for (const group of groups) {
    sum = plus(sum, group.load)
    loads.push(sum)
  }

  const cost = (count: number): Load => withHead(input, groups, count, loads[count - 1] ?? weightless).load
  let count = groups.length
  const steady = { ...overflow.allowed, tokens: Math.min(overflow.allowed.tokens, input.steady - input.spare) }
  while (count > rule.floor && over(cost(count), steady) !== null) count--
  if (count === 0 && groups.length === 0) return bare(input, groups, overflow)
  const short = count === 0 && input.newest !== null ? shortened(input, groups, overflow, input.newest) : null
  if (short) return short
  // the newest turn has all the room there is
  if (count === 0 && over(cost(1), input.room) === null) count = 1
  if (count === 0) return newestOf(input, groups, input.spare > 0 ? { ...overflow, allowed: input.room } : overflow)
  const kept = stepped(input, groups, loads, count, { ...overflow, allowed: steady })
  const answered = answeredOf(input, groups, loads, kept, overflow)
  if (answered) return answered
  const part = partOf(input, groups, loads, kept, { ...overflow, allowed: steady })
  if (part) return part
  const { head } = withHead(input, groups, kept, weightless)
  const held = cost(kept)
  const weighed = rule.gap.reserve === 'first' ? held : (loads[kept - 1] ?? weightless)
  const left = flat([...groups.slice(kept), ...overflow.beyond])
  return cut(overflow, head, flat(groups.slice(0, kept)), left, excessOf(weighed, input.room))
}

function withHead(
  input: FitInput,
  groups: readonly Group[],
  count: number,
  load: Load,
): { readonly head: readonly Kept[]; readonly load: Load } {
  const start = groups[count - 1]?.start ?? Number.POSITIVE_INFINITY
  const pins = input.pins(start)
  const withPins = plus(load, pins.load)
  return {
    head: pins.kept,
    load: input.plan.policy.fit.gap.reserve === 'first' ? plus(withPins, input.gaps(pins.kept, start)) : withPins,
  }
}

/**
 * The cut moves in steps: among the cuts that free no more than the step, the one on the roundest position wins.
 * It is a pure function of the history, it stays while the history grows, and a bigger budget never keeps less.
 */
function stepped(
  input: FitInput,
  groups: readonly Group[],
  loads: readonly Load[],
  most: number,
  overflow: Overflow,
): number {
  const { allowed } = overflow
  if (input.plan.step === 0 || !Number.isFinite(allowed.tokens)) return most
  const least = leastIn(input)
  let best = most
  let roundest = -1
  for (let count = most; count >= 1; count--) {
    if (withHead(input, groups, count, loads[count - 1] as Load).load.tokens < least && count < most) break
    const round = roundness((groups[count - 1] as Group).start, groups[count]?.start ?? 0)
    if (round > roundest) [best, roundest] = [count, round]
  }
  return best
}

/** The oldest turn of the window is larger than a step: its user message and its end stay. */
function partOf(
  input: FitInput,
  groups: readonly Group[],
  loads: readonly Load[],
  count: number,
  { limit, allowed, beyond, turns }: Overflow,
): FitResult | null {
  const { plan } = input
  const turn = groups[count]
  const [user, ...rest] = turn?.kept ?? []
  if (!turn || !user || rest.length === 0 || !yields(plan) || plan.policy.fit.grain !== 'turn' || plan.marks)
    return null
  const least = leastIn(input)
  if (withHead(input, groups, count, loads[count - 1] as Load).load.tokens >= least) return null
  const others = plus(withHead(input, groups, count + 1, loads[count - 1] as Load).load, input.hole)
  let best = 0
  let roundest = -1
  for (let from = 1; from < rest.length; from++) {
    const { load } = turns.of(turn.start, [user, ...rest.slice(from)])
    const sum = plus(others, load)
    if (over(sum, allowed) !== null) continue
    if (best > 0 && sum.tokens < least) break
    const round = plan.step === 0 ? 0 : roundness((rest[from] as Kept).slot.index, (rest[from - 1] as Kept).slot.index)
    if (round > roundest) [best, roundest] = [from, round]
  }
  const last = rest.length - 1
  const spent = plus(others, turns.of(turn.start, rest.slice(last)).load)
  // not even its last words fit beside the user message as it is
  const asks = best > 0 ? user : shorten(user, { plan, room: allowed, spent })
  if (!asks) return null
  const from = best > 0 ? best : last
  const { head } = withHead(input, groups, count + 1, weightless)
  const tail = [asks, ...rest.slice(from), ...flat(groups.slice(0, count))]
  return cut({ limit }, head, tail, [...flat([...groups.slice(count + 1), ...beyond]), ...rest.slice(0, from)])
}

/** The newest turn gives way: so much of it stays beside the pins. Null when that says nothing. */
function shortened(input: FitInput, groups: readonly Group[], overflow: Overflow, newest: number): FitResult | null {
  const { load } = withHead(input, groups, 1, weightless)
  const tokens = Math.min(input.room.tokens, load.tokens + newest)
  const made = newestOf(input, groups, { ...overflow, allowed: { ...overflow.allowed, tokens } })
  return made.ok && made.fitted.tail.length > 0 ? made : null
}

/** The newest turns hold no words that the current message could answer: the turn that does is narrowed. */
function answeredOf(
  input: FitInput,
  groups: readonly Group[],
  loads: readonly Load[],
  count: number,
  overflow: Overflow,
): FitResult | null {
  const { fit: rule } = input.plan.policy
  if (!input.current || rule.grain !== 'turn' || rule.oversize !== 'refuse') return null
  const all = [...groups, ...overflow.beyond]
  const at = all.findIndex((group) => group.kept.some(saysAloud))
  if (at < count || at > groups.length) return null
  const group = all[at] as Group
  const allowed = minus(overflow.allowed, loads[at - 1] as Load)
  const made = narrow(input, group, input.pins(group.start), { allowed, turns: overflow.turns })
  if (!made.ok || !made.kept.some(saysAloud)) return null
  const tail = [...made.kept, ...flat(all.slice(0, at))]
  const sent = new Set(tail.map(({ slot }) => slot.index))
  const left = flat([made.rest, ...all.slice(at + 1)]).filter(({ slot }) => !sent.has(slot.index))
  return cut(overflow, made.head, tail, left)
}

/** Not even the newest group fits: keep its user message and the newest of the rest, or shorten it, or refuse. */
function newestOf(input: FitInput, groups: readonly Group[], overflow: Overflow): FitResult {
  const { oversize } = input.plan.policy.fit
  const [newest, ...older] = groups as [Group, ...Group[]]
  const heads = input.pins(newest.start)
  // a window that holds its pinned messages is not empty
  if (oversize === 'keep' && heads.first > 0) {
    return cut(overflow, heads.kept, [], flat([...groups, ...overflow.beyond]))
  }
  const made = narrow(input, newest, heads, overflow)
  if (!made.ok) return input.current && oversize !== 'keep' ? bare(input, groups, overflow) : made
  const sent = new Set(made.kept.map(({ slot }) => slot.index))
  const left = flat([made.rest, ...older, ...overflow.beyond]).filter(({ slot }) => !sent.has(slot.index))
  return cut(overflow, made.head, made.kept, left, made.excess)
}

/** Nothing of the history but the pins fits beside the current message. */
function bare(input: FitInput, groups: readonly Group[], overflow: Overflow): FitResult {
  const { kept: head, least } = input.pins(Number.POSITIVE_INFINITY)
  const gaps = input.plan.policy.fit.gap.reserve === 'first' ? input.gaps(head, Number.POSITIVE_INFINITY) : weightless
  const load = plus(least, gaps)
  const allowed = { ...overflow.allowed, tokens: overflow.allowed.tokens + input.slack }
  if (over(load, allowed) === null) {
    return cut(overflow, head, [], flat([...groups, ...overflow.beyond]))
  }
  return { ok: false, issue: tooSmall(load, allowed) }
}

/** Oldest first. */
function flat(groups: readonly Group[]): Kept[] {
  const out: Kept[] = []
  for (let i = groups.length - 1; i >= 0; i--) out.push(...(groups[i] as Group).kept)
  return out
}
