/** Whether a message goes on with what was just said or asks about something of the past. */
import { place, type Sign, type Signs } from './weights.js'

/** The chance that it goes on; leaning to the past, because the newest turns are in the window anyway. Learnt with the weights. */
export function goesOn(rows: readonly Signs[]): number {
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

export const chance = (odds: number): number => 1 / (1 + Math.exp(-odds))
