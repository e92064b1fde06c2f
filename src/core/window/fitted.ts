/** What a fit is asked for and what it gives, and the steps that all ways to fit share. */
import type { Issue } from '../message/issue.js'
import type { Item } from '../message/item.js'
import { type HeldPins, holdPins, markedPins } from './hold.js'
import { boundless, inOrder, type Kept, type Limit, type Load, plus } from './load.js'
import type { Where } from './memo.js'
import { before, pinsOf } from './pin.js'
import { leastOf } from './step.js'
import type { Standing } from './summary.js'
import type { Group, Turns } from './turns.js'
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
  /** The first message that no summary covers: places are round by their distance from it. */
  readonly origin: number
  /** The pinned messages and what they cost when the tail begins at `start`. */
  readonly pins: Heads['at']
  /** The same when there is room for all of them. */
  readonly whole: Heads['at']
  /** What the markers cost when the pins are `heads` and the tail does not reach the beginning. */
  readonly gaps: (heads: readonly Kept[], start: number) => Load
  /** What one more marker costs, inside a turn that has to be narrowed. */
  readonly hole: Load
}

export interface Overflow {
  readonly limit: Limit
  readonly allowed: Load
  readonly turns: Turns
  /** Groups that were looked at and never came into question. */
  readonly beyond: Group[]
}

/** Not what the messages weigh, but how many there are. */
export const countsOf = ({ messages, turns }: Load): Load => ({ ...boundless, messages, turns })

/** Tokens that stay in use when things give way in a step, those of what is pinned among them: they grow with the budget. */
export const leastIn = (input: FitInput, pinned: number): number =>
  pinned + leastOf(input.plan, tightOf(input).tokens - pinned, input.budget)

export const tightOf = ({ room, spare }: FitInput): Load =>
  spare > 0 ? { ...room, tokens: room.tokens - spare } : room

/** What people pinned before the first message of the user, where a history has to begin with one. */
export function unledOf({ plan, pins }: FitInput, groups: readonly Group[]): HeadsAt | null {
  const first = groups.at(-1)
  return plan.marks && plan.policy.fit.lead === 'user' && first ? pins(first.start) : null
}

export function withHead(
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

export const cut = (
  { limit }: { readonly limit: Limit | null },
  head: readonly Kept[],
  tail: readonly Kept[],
  left: readonly Kept[],
  excess = 0,
  isAll = false,
): FitResult => ({ ok: true, fitted: { head, tail, left, limit, excess, exceeded: true, isAll } })

/** Oldest first. */
export function flat(groups: readonly Group[]): Kept[] {
  const out: Kept[] = []
  for (let i = groups.length - 1; i >= 0; i--) out.push(...(groups[i] as Group).kept)
  return out
}

// What stands before the tail whatever the cut does: the first messages, those that people pinned, the summary.

export interface Heads {
  /** The first messages. */
  readonly first: () => readonly Kept[]
  /** Those that people pinned. */
  readonly marked: () => readonly Kept[]
  /** Those before the tail, and what they weigh; those that people pinned, before `end`. */
  readonly at: (start: number, end?: number) => HeadsAt
}

export interface HeadsAt {
  readonly kept: readonly Kept[]
  /** With all of a share that not everything fits into, so that a bigger budget never keeps less. */
  readonly load: Load
  /** What they really weigh. */
  readonly least: Load
  /** How many of them the policy pins. */
  readonly first: number
}

export function headsOf(messages: readonly unknown[], plan: Plan, floor: number, room: Load, where: Where): Heads {
  const first = once(() => pinsOf(messages, plan, floor, room.tokens))
  const marked = once(() => (plan.marks ? markedPins(messages, plan, floor, where, first()) : none))
  const known = new Map<string, HeldPins>()
  const opened = once(() => before(first(), Number.POSITIVE_INFINITY, plan))
  const at = (start: number, end = start): HeadsAt => {
    const isAll = first().every(({ slot }) => slot.index < start)
    const opening = isAll ? opened() : before(first(), start, plan)
    if (!plan.marks) return opening
    // the user message of a turn stays anyway
    const pins = marked().filter(
      ({ slot: { index, item } }) => index < end && (index !== start || item.role !== 'user'),
    )
    const key = pins.map(({ slot }) => slot.index).join()
    const { kept, load, least } = known.get(key) ?? holdPins(pins, room, plan)
    known.set(key, { kept, load, least })
    return {
      kept: inOrder([...opening.kept, ...kept]),
      load: plus(opening.load, load),
      least: plus(opening.least, least),
      first: opening.first,
    }
  }
  return { first, marked, at }
}

/** With the summary's weight on top; one without words only leaves its share free. */
export const above =
  ({ at }: Heads, { item, load }: Standing): Heads['at'] =>
  (start, end) => {
    const found = at(start, end)
    return { ...found, load: plus(found.load, load), least: item ? plus(found.least, load) : found.least }
  }

const none: readonly Kept[] = []

export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
