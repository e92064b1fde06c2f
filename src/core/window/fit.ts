/** Keeps the pinned head and the longest suffix of whole turns that fits every limit. */

import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import type { HeadsAt } from './heads.js'
import { excessOf, type Kept, type Limit, type Load, minus, over, plus, tooSmall, weightless } from './load.js'
import { narrow } from './narrow.js'
import { saysAloud } from './shrink.js'
import { settleRecent } from './squeeze.js'
import { roundness } from './step.js'
import { type Group, Turns } from './turns.js'
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
  /** The part of the history that a summary stands for. */
  readonly covered: Walk | null
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
  const { plan, walk } = input
  const { fit: rule } = plan.policy
  const room = tightOf(input)
  const turns = new Turns(walk, plan, input.current !== null, input.follows)
  const groups: Group[] = []
  let load = weightless
  let limit: Limit | null = null
  const recent = settleRecent(turns, plan, {
    budget: input.budget,
    room,
    mayFit: input.short === null,
    covered: input.covered && new Turns(input.covered, plan, true, true),
  })
  const allowed = recent.most === null ? room : { ...room, tokens: recent.most }
  for (const group of recent.groups) {
    load = plus(load, group.load)
    groups.push(group)
    limit ??= beyondFloor(groups, rule.floor) ? over(load, allowed) : null
  }
  while (!limit) {
    const turn = recent.waiting.shift() ?? turns.next()
    if (!turn) break
    const group = turns.group(turn, 'old')
    load = plus(load, group.load)
    groups.push(group)
    if (beyondFloor(groups, rule.floor)) limit = over(load, allowed)
  }
  const exceeded = groups.length > 0 && over(load, room) !== null
  if (!limit && input.short === null) {
    const unled = unledOf(input, groups)
    limit = unled && over(plus(load, unled.load), allowed)
    if (!limit) return whole(unled?.kept ?? [], groups, exceeded ? excessOf(load, room) : 0, exceeded)
  }
  if (!limit && over(withHead(input, groups, groups.length, load).load, allowed) === null) return headed(input, groups)
  const beyond = recent.waiting.map((turn) => turns.group(turn, 'old'))
  return trim(input, groups, {
    limit: limit ?? (input.short as Limit),
    allowed,
    turns,
    beyond,
    fewest: plan.policy.fold.recent,
  })
}

const tightOf = ({ room, spare }: FitInput): Load => (spare > 0 ? { ...room, tokens: room.tokens - spare } : room)

/** The floor counts messages; the newest group is never given up for a limit without a word. */
const beyondFloor = (groups: readonly Group[], floor: number): boolean => groups.length > floor

function whole(head: readonly Kept[], groups: readonly Group[], excess: number, exceeded: boolean): FitResult {
  return { ok: true, fitted: { head, tail: flat(groups), left: [], limit: null, excess, exceeded } }
}

/** What people pinned before the first message of the user, where a history has to begin with one. */
function unledOf({ plan, pins }: FitInput, groups: readonly Group[]): HeadsAt | null {
  const first = groups.at(-1)
  return plan.marks && plan.policy.fit.lead === 'user' && first ? pins(first.start) : null
}

/** All that the walk found, behind the pinned messages. */
function headed(input: FitInput, groups: readonly Group[]): FitResult {
  const { head } = withHead(input, groups, groups.length, weightless)
  return cut({ limit: input.short }, head, flat(groups), [])
}

const cut = (
  { limit }: { readonly limit: Limit | null },
  head: readonly Kept[],
  tail: readonly Kept[],
  left: readonly Kept[],
  excess = 0,
): FitResult => ({ ok: true, fitted: { head, tail, left, limit, excess, exceeded: true } })

interface Overflow {
  readonly limit: Limit
  readonly allowed: Load
  readonly turns: Turns
  /** Groups that were looked at and never came into question. */
  readonly beyond: readonly Group[]
  /** So many of the newest groups the step does not touch. */
  readonly fewest: number
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
  const { step } = input.plan.policy.fit
  const { allowed, fewest } = overflow
  if (step === 0 || !Number.isFinite(allowed.tokens)) return most
  const least = allowed.tokens - step * (input.steady - input.spare)
  let best = most
  let roundest = -1
  for (let count = most; count >= Math.max(1, Math.min(fewest, most)); count--) {
    if (withHead(input, groups, count, loads[count - 1] as Load).load.tokens < least && count < most) break
    const round = roundness((groups[count - 1] as Group).start, groups[count]?.start ?? 0)
    if (round > roundest) [best, roundest] = [count, round]
  }
  return best
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
