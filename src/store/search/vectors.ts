/** The vectors of a workspace in this process, compact enough to look at every one: there is no index that could miss. */

import type { Hit } from '../contract/search.js'
import { lengthOf, product } from '../shared/bytes.js'
import type { Filter } from './found.js'
import type { Bound, Ref, Scored } from './ranked.js'
import { isWithin, type Span } from './spans.js'

export interface KeptVector extends Ref {
  readonly role: Hit['role']
  readonly instant: number | null
  readonly vector: Int8Array
}

/** What a query asks for beside its meaning. */
export interface Wanted extends Omit<Filter, 'conversation'> {
  readonly conversations: ReadonlySet<string> | null
  /** Of the one conversation. */
  readonly spans: readonly Span[] | null
  readonly least: number
}

export interface Vectors {
  /** The last place that was taken in, 0 before the first. */
  last(): number
  /** In the order of their places. */
  add(rows: readonly KeptVector[]): void
  /** Nothing is left of them that could be near to anything. */
  drop(places: readonly number[]): void
  nearest(vector: Int8Array, wanted: Wanted, bound: Bound): readonly Scored[]
}

export function createVectors(dimensions: number): Vectors {
  // a row is looked at in three stretches: mostly the first ones tell that it cannot come near enough any more
  const [first, second] = [dimensions >> 2, dimensions >> 1]
  let rows = new Int8Array(64 * dimensions)
  /** How long each is: all of it, and what is left of it behind the first stretch and the second. */
  let lengths = new Float64Array(64 * 3)
  const facts: Omit<KeptVector, 'vector'>[] = []

  const grow = (): void => {
    const [more, longer] = [new Int8Array(rows.length * 2), new Float64Array(lengths.length * 2)]
    more.set(rows)
    longer.set(lengths)
    ;[rows, lengths] = [more, longer]
  }
  const lengthsOf = (vector: Int8Array): readonly [number, number, number] => [
    lengthOf(vector),
    lengthOf(vector.subarray(first)),
    lengthOf(vector.subarray(second)),
  ]

  return {
    last: () => facts.at(-1)?.place ?? 0,
    add(kept) {
      for (const { vector, ...fact } of kept) {
        if (facts.length * 3 === lengths.length) grow()
        if (vector.length === dimensions) {
          rows.set(vector, facts.length * dimensions)
          lengths.set(lengthsOf(vector), facts.length * 3)
        }
        facts.push(fact)
      }
    },
    drop(places) {
      const gone = new Set(places)
      for (const [at, { place }] of facts.entries()) {
        if (!gone.has(place)) continue
        rows.fill(0, at * dimensions, (at + 1) * dimensions)
        lengths.fill(0, at * 3, at * 3 + 3)
      }
    },
    nearest(vector, wanted, bound) {
      const [length, behindFirst, behindSecond] = lengthsOf(vector)
      if (length === 0 || vector.length !== dimensions) return []
      const best: Scored[] = []
      const passes = passing(wanted)
      let { least } = wanted
      for (let at = 0; at < facts.length; at++) {
        if (passes && !passes(facts[at] as Omit<KeptVector, 'vector'>)) continue
        const own = lengths[at * 3] as number
        if (own === 0) continue
        const start = at * dimensions
        const enough = least * length * own - rounding
        let sum = product(vector, rows, start, 0, first)
        if (sum + behindFirst * (lengths[at * 3 + 1] as number) < enough) continue
        sum += product(vector, rows, start, first, second)
        if (sum + behindSecond * (lengths[at * 3 + 2] as number) < enough) continue
        sum += product(vector, rows, start, second, dimensions)
        const score = sum / (length * own)
        if (!(score >= least)) continue
        const fact = facts[at] as Omit<KeptVector, 'vector'>
        if (fact.place >= bound.below) continue
        keep(best, { ...refOf(fact), score }, bound)
        if (best.length === bound.limit) least = Math.max(least, (best.at(-1) as Scored).score)
      }
      return best
    },
  }
}

/** More than numbers lose on their way: what is left out is farther away by more. */
const rounding = 0.001

/** Null when everything passes. */
function passing({
  conversations,
  spans,
  role,
  since,
  until,
}: Wanted): ((fact: Omit<KeptVector, 'vector'>) => boolean) | null {
  if (!conversations && !role && since === null && until === null) return null
  return (fact) =>
    (role === null || fact.role === role) &&
    (conversations === null || conversations.has(fact.conversation)) &&
    (spans === null || isWithin(spans, fact.seq)) &&
    (since === null || (fact.instant !== null && fact.instant >= since)) &&
    (until === null || (fact.instant !== null && fact.instant < until))
}

const refOf = ({ place, conversation, seq }: Ref): Ref => ({ place, conversation, seq })

type Key = Pick<Scored, 'score' | 'place'>

/** Above zero when the first comes behind the second. */
export const compareScored = (one: Key, other: Key): number => other.score - one.score || other.place - one.place

/** Puts one where it belongs among the best, if it does. */
function keep(best: Scored[], one: Scored, { limit, after }: Bound): void {
  if (after && compareScored(one, after) <= 0) return
  if (best.length === limit && compareScored(one, best[limit - 1] as Scored) > 0) return
  let at = best.length
  while (at > 0 && compareScored(one, best[at - 1] as Scored) < 0) at--
  best.splice(at, 0, one)
  if (best.length > limit) best.pop()
}
