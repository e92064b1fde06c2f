/** The chance of each card that the answer needs it, and why. */
import { surely } from './asks.js'
import type { Catalogue } from './catalogue.js'
import { chance, goesOn } from './gate.js'
import type { Question } from './query.js'
import { signsOf } from './signs.js'
import { type Sign, type Signs, weights } from './weights.js'

export interface Ranking {
  /** The places of the cards that were weighed, and the chance of each. */
  readonly places: readonly number[]
  readonly chances: readonly number[]
  /** The chance that the question goes on with what was just said. */
  readonly goesOn: number
  /** It does not go on, and nothing has a word or the meaning of it. */
  readonly isStrange: boolean
  reason(row: number): string
}

/** All of a sitting is of some use to a message that goes on with it, and none of it for sure. */
const surest = 0.6

/** Below this chance that the talk goes on, what was said last says nothing. */
const heard = 0.01

/** The cosine from which on two texts have something to do with each other. */
const nearly = 0.25

export function rank(catalogue: Catalogue, question: Question): Ranking {
  const { rows, places, heed } = signsOf(catalogue, question)
  const on = goesOn(rows)
  if (on > heard) heed()
  const pastOf = (row: Signs): number => (1 - on) * chance(weigh(row, 0))
  const followOf = (row: Signs): number => on * Math.min(surest, chance(weigh(row, 1)))
  const isStrange = on < surely && !rows.some(({ hits, near }) => hits > 0 || near >= nearly)
  const reason = (at: number): string => {
    const row = rows[at] as Signs
    return followOf(row) > pastOf(row) ? 'the talk just now' : groundOf(row)
  }
  return { places, chances: rows.map((row) => pastOf(row) + followOf(row)), goesOn: on, isStrange, reason }
}

const all = Object.keys(weights) as Sign[]

const weigh = (row: Signs, column: 0 | 1, signs: readonly Sign[] = all): number => {
  let sum = 0
  for (const sign of signs) sum += weights[sign][column] * row[sign]
  return sum
}

const grounds: readonly (readonly [reason: string, signs: readonly Sign[]])[] = [
  ['its words', ['best', 'match', 'cover', 'hits', 'like']],
  ['what stands beside it', ['around', 'before', 'answers', 'after', 'beyond', 'sitting', 'sittingBest']],
  ['its meaning', ['near', 'nearBest', 'nearBefore', 'nearAfter', 'nearSitting', 'apart']],
  ['its time', ['time']],
]

function groundOf(row: Signs): string {
  const weighed = grounds.map(([reason, signs]) => ({ reason, weight: weigh(row, 0, signs) }))
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).reason
}
