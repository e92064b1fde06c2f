/** What stands before the tail whatever the cut does: the first messages, those that people pinned, the summary. */

import { type Held, hold, markedPins } from './hold.js'
import { inOrder, type Kept, type Load, plus } from './load.js'
import type { Where } from './marks.js'
import { before, pinsOf } from './pin.js'
import type { Plan } from './walk.js'

export interface Heads {
  /** The first messages. */
  readonly first: () => readonly Kept[]
  /** Those that people pinned. */
  readonly marked: () => readonly Kept[]
  /** Those before the tail, and what they weigh. */
  readonly at: (start: number) => HeadsAt
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
  const held = new Map<number, Held>()
  const holding = (count: number): Held => {
    const known = held.get(count) ?? hold(marked().slice(0, count), room, plan)
    held.set(count, known)
    return known
  }
  const at = (start: number): HeadsAt => {
    const opening = before(first(), start, plan, room.tokens)
    const count = plan.marks ? marked().filter(({ slot }) => slot.index < start).length : 0
    const own = opening.kept.length
    if (count === 0) return { ...opening, first: own }
    const { kept, load, least } = holding(count)
    return {
      kept: inOrder([...opening.kept, ...kept]),
      load: plus(opening.load, load),
      least: plus(opening.least, least),
      first: own,
    }
  }
  return { first, marked, at }
}

/** With the summary's weight on top. */
export const above =
  ({ at }: Heads, load: Load): Heads['at'] =>
  (start) => {
    const found = at(start)
    return { ...found, load: plus(found.load, load), least: plus(found.least, load) }
  }

const none: readonly Kept[] = []

export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
