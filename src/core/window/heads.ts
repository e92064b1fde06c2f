/** What stands before the tail whatever the cut does: the first messages, those that people pinned, the summary. */

import { type HeldPins, holdPins, markedPins } from './hold.js'
import { inOrder, type Kept, type Load, plus } from './load.js'
import type { Where } from './marks.js'
import { before, pinsOf } from './pin.js'
import type { Standing } from './summary.js'
import type { Plan } from './walk.js'

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
