/** The chance of each card that the answer needs it, and why. */

import { surely } from './asks.js'
import type { Catalogue } from './catalogue.js'
import type { Question } from './query.js'
import { signsOf } from './signs.js'
import { place, type Sign, type Signs, signs, weights } from './weights.js'

/** All of a sitting is of some use to a message that goes on with it, and none of it for sure. */
const surest = 0.6

/** Below this chance that the talk goes on, what was said last says nothing. */
const heard = 0.01

/** The cosine from which on two texts have something to do with each other. */
const nearly = 0.25

/** The places of the cards that were weighed, the chance of each, and that the question goes on with what was just said. */
export function rank(catalogue: Catalogue, question: Question) {
  const { rows, places, heed } = signsOf(catalogue, question)
  const on = goesOn(rows)
  if (on > heard) heed()
  const pastOf = (row: Signs): number => (1 - on) * chance(weigh(row, 0))
  const followOf = (row: Signs): number => on * Math.min(surest, chance(weigh(row, 1)))
  // it does not go on, and nothing has a word or the meaning of it
  const isStrange =
    on < surely && !rows.some((row) => (row[place.hits] as number) > 0 || (row[place.near] as number) >= nearly)
  const reason = (at: number): string => {
    const row = rows[at] as Signs
    return followOf(row) > pastOf(row) ? 'the talk just now' : groundOf(row)
  }
  return { places, chances: rows.map((row) => pastOf(row) + followOf(row)), goesOn: on, isStrange, reason }
}

/** How much each sign counts for what is past, and for what goes on. */
const columns = [0, 1].map((column) => Float64Array.from(signs, (sign) => weights[sign][column as 0 | 1]))

function weigh(row: Signs, column: 0 | 1): number {
  const by = columns[column] as Float64Array
  let sum = 0
  for (let at = 0; at < row.length; at++) sum += (by[at] as number) * (row[at] as number)
  return sum
}

const grounds: readonly (readonly [reason: string, signs: readonly Sign[]])[] = [
  ['its words', ['best', 'match', 'cover', 'hits', 'like']],
  ['what stands beside it', ['around', 'before', 'answers', 'after', 'beyond', 'sitting', 'sittingBest']],
  ['its meaning', ['near', 'nearBest', 'nearBefore', 'nearAfter', 'nearSitting', 'apart']],
  ['its time', ['time']],
]

function groundOf(row: Signs): string {
  const weighed = grounds.map(([reason, signs]) => ({
    reason,
    weight: signs.reduce((sum, sign) => sum + weights[sign][0] * (row[place[sign]] as number), 0),
  }))
  return weighed.reduce((best, one) => (one.weight > best.weight ? one : best)).reason
}

// whether a message goes on with what was just said or asks about something of the past

/** The chance that it goes on; leaning to the past, because the newest turns are in the window anyway. Learnt with the weights. */
function goesOn(rows: readonly Signs[]): number {
  const last = rows.at(-1)
  if (!last) return 0
  const of = (row: Signs, sign: Sign): number => row[place[sign]] as number
  const here = rows.filter((row) => of(row, 'here') > 0)
  const top = (sign: Sign, some = rows): number => some.reduce((most, row) => Math.max(most, of(row, sign)), 0)
  const past = -3.7 * of(last, 'vague') - 7.26 * of(last, 'terms') - 1.68 * top('cover', here) - 4.54 * top('cover')
  const now = 2.39 * of(last, 'points') + 4.8 * top('best', here) + 1.38 * top('yoursOther')
  const meaning = 1.46 * top('near', here) + 4.18 * top('near') + 3.54 * (top('near', here) / (top('near') || 1))
  return chance(3.59 + past + now + meaning)
}

const chance = (odds: number): number => 1 / (1 + Math.exp(-odds))
