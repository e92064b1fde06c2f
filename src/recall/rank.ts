/** The chance of each card that the answer needs it, and why. */
import { surely } from './asks.js'
import type { Catalogue } from './catalogue.js'
import { chance, goesOn } from './gate.js'
import type { Question } from './query.js'
import { type Sign, signs, signsOf } from './signs.js'
import { follow, past } from './weights.js'

export interface Ranking {
  readonly chances: Float64Array
  /** The chance that the question goes on with what was just said. */
  readonly goesOn: number
  /** It does not go on, and nothing has a word or the meaning of it. */
  readonly isStrange: boolean
  reason(place: number): string
}

/** All of a sitting is of some use to a message that goes on with it, and none of it for sure. */
const surest = 0.6

/** The cosine from which on two texts have something to do with each other. */
const nearly = 0.25

export function rank(catalogue: Catalogue, question: Question): Ranking {
  const rows = signsOf(catalogue, question)
  const size = catalogue.cards.length
  const on = size > 0 ? goesOn(rows) : 0
  const chances = new Float64Array(size)
  for (let place = 0; place < size; place++)
    chances[place] =
      (1 - on) * chance(weigh(rows, place, byPast)) + on * Math.min(surest, chance(weigh(rows, place, byFollow)))
  const [hits, near] = [signs.indexOf('hits'), signs.indexOf('near')]
  const isMet = (place: number) => (rows[place + hits] as number) > 0 || (rows[place + near] as number) >= nearly
  const isStrange = on < surely && !catalogue.cards.some((_, place) => isMet(place * signs.length))
  return { chances, goesOn: on, isStrange, reason: (place) => reasonOf(rows, place, on) }
}

type Weights = Readonly<Partial<Record<Sign, number>>>

const listed = (weights: Weights, only: readonly Sign[] = signs): Float64Array =>
  Float64Array.from(signs, (sign) => (only.includes(sign) ? (weights[sign] ?? 0) : 0))

function weigh(rows: Float64Array, place: number, weights: Float64Array): number {
  let sum = 0
  const start = place * weights.length
  for (let at = 0; at < weights.length; at++) sum += (weights[at] as number) * (rows[start + at] as number)
  return sum
}

const byPast = listed(past)
const byFollow = listed(follow)

const grounds: readonly (readonly [reason: string, weights: Float64Array])[] = [
  ['its words', listed(past, ['best', 'match', 'cover', 'hits', 'like'])],
  ['what stands beside it', listed(past, ['around', 'before', 'answers', 'after', 'beyond', 'sitting', 'sittingBest'])],
  ['its meaning', listed(past, ['near', 'nearBest', 'nearBefore', 'nearAfter', 'nearSitting', 'apart'])],
  ['its time', listed(past, ['time'])],
]

/** What speaks for it most. */
function reasonOf(rows: Float64Array, place: number, on: number): string {
  const goesOn = on * Math.min(surest, chance(weigh(rows, place, byFollow)))
  if (goesOn > (1 - on) * chance(weigh(rows, place, byPast))) return 'the talk just now'
  const weighed = grounds.map(([reason, weights]) => ({ reason, weight: weigh(rows, place, weights) }))
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).reason
}
