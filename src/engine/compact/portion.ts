/** In a talk of nothing but specifics not all of them fit one summary: then it covers fewer messages, from the oldest on. */
import type { Entry } from '../../store/contract/entry.js'
import { nextTurn } from '../../store/shared/turn.js'
import { exact } from './accept.js'
import { keepsOf } from './keep.js'
import { saidIn } from './material.js'
import { textOf } from './write.js'

export interface PortionScale {
  /** Tokens of a text. */
  readonly count: (text: string) => number
  /** Tokens that a summary of these may have. */
  readonly most: (entries: readonly Entry[]) => number
}

/** Words of its own need room beside what must not vanish. */
const spare = 0.8

/** What must not vanish fits into a summary of them. Where it does not, mostly the first of them show it. */
export async function isFitting(entries: readonly Entry[], { count, most }: PortionScale): Promise<boolean> {
  const room = most(entries)
  for (let first = 500; first < entries.length; first *= 4) {
    if (!fits(entries.slice(0, first), count, room)) return false
    await nextTurn()
  }
  return fits(entries, count, room)
}

const fits = (entries: readonly Entry[], count: PortionScale['count'], room: number): boolean =>
  count(textOf(exact(keepsOf(saidIn(entries)).must))) <= room

/** The most whole turns that a summary has room for; null when one turn is too much. A try costs what it looks at, so the first are short. */
export async function portionOf(
  entries: readonly Entry[],
  { count, most }: PortionScale,
): Promise<readonly Entry[] | null> {
  const ends = entries.flatMap(({ body }, at) =>
    at > 0 && body.kind === 'message' && body.role === 'user' ? [at] : [],
  )
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = Math.min((low + high + 1) >> 1, 2 * low + 8)
    const some = entries.slice(0, ends[middle - 1])
    if (fits(some, count, most(some) * spare)) low = middle
    else high = middle - 1
    await nextTurn()
  }
  return low === 0 ? null : entries.slice(0, ends[low - 1])
}
