/** In a talk of nothing but specifics not all of them fit one summary: then it covers fewer messages, from the oldest on. */
import type { Entry } from '../../store/contract/entry.js'
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

/** What must not vanish fits into a summary of them. */
export function isFitting(entries: readonly Entry[], { count, most }: PortionScale, share = 1): boolean {
  return count(textOf(exact(keepsOf(saidIn(entries)).must))) <= most(entries) * share
}

/** The most whole turns that a summary has room for; null when one turn is too much. */
export function portionOf(entries: readonly Entry[], scale: PortionScale): readonly Entry[] | null {
  const ends = entries.flatMap(({ body }, at) =>
    at > 0 && body.kind === 'message' && body.role === 'user' ? [at] : [],
  )
  let [low, high] = [0, ends.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (isFitting(entries.slice(0, ends[middle - 1]), scale, spare)) low = middle
    else high = middle - 1
  }
  return low === 0 ? null : entries.slice(0, ends[low - 1])
}
