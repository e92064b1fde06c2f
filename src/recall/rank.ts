/** The chance of each card that the answer needs it, and why. */
import type { Catalogue } from './catalogue.js'
import { chance, goesOn } from './gate.js'
import type { Question } from './query.js'
import { type Sign, signs, signsOf } from './signs.js'
import { follow, past } from './weights.js'

export interface Ranking {
  readonly chances: Float64Array
  reason(place: number): string
}

/** All of a sitting is of some use to a message that goes on with it, and none of it for sure. */
const surest = 0.6

export function rank(catalogue: Catalogue, question: Question): Ranking {
  const rows = signsOf(catalogue, question)
  const size = catalogue.cards.length
  const on = size > 0 ? goesOn(rows) : 0
  const chances = new Float64Array(size)
  for (let place = 0; place < size; place++)
    chances[place] =
      (1 - on) * chance(weigh(rows, place, past)) + on * Math.min(surest, chance(weigh(rows, place, follow)))
  return { chances, reason: (place) => reasonOf(rows, place, on) }
}

type Weights = Readonly<Partial<Record<Sign, number>>>

function weigh(rows: Float64Array, place: number, weights: Weights, only?: readonly Sign[]): number {
  let sum = 0
  for (const [at, sign] of signs.entries())
    if (!only || only.includes(sign)) sum += (weights[sign] ?? 0) * (rows[place * signs.length + at] as number)
  return sum
}

const grounds: readonly (readonly [reason: string, signs: readonly Sign[]])[] = [
  ['its words', ['best', 'match', 'cover']],
  ['what stands beside it', ['around', 'before', 'answers', 'after', 'beyond', 'sitting', 'sittingBest']],
  ['its meaning', ['near', 'nearBest', 'nearBefore', 'nearAfter', 'nearSitting', 'apart']],
  ['its time', ['time']],
]

/** What speaks for it most. */
function reasonOf(rows: Float64Array, place: number, on: number): string {
  const goesOn = on * Math.min(surest, chance(weigh(rows, place, follow)))
  if (goesOn > (1 - on) * chance(weigh(rows, place, past))) return 'the talk just now'
  const weighed = grounds.map(([reason, only]) => ({ reason, weight: weigh(rows, place, past, only) }))
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).reason
}
