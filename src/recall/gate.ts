/** Whether a message goes on with what was just said or asks about something of the past. */
import { signs } from './signs.js'
import { leaning } from './weights.js'

export type Hint = keyof Facts

interface Facts {
  readonly always: number
  readonly vague: number
  readonly points: number
  readonly terms: number
  readonly hereBest: number
  readonly hereCover: number
  readonly cover: number
  readonly hereNear: number
  readonly near: number
  readonly hereNearBest: number
  readonly yours: number
}

const at = Object.fromEntries(signs.map((sign, place) => [sign, place])) as Readonly<
  Record<(typeof signs)[number], number>
>

/** The chance that it goes on. */
export function goesOn(rows: Float64Array): number {
  const count = rows.length / signs.length
  const top = { best: 0, cover: 0, near: 0, allCover: 0, allNear: 0, yours: 0 }
  for (let row = 0; row < count; row++) {
    const get = (sign: (typeof signs)[number]): number => rows[row * signs.length + at[sign]] as number
    top.allCover = Math.max(top.allCover, get('cover'))
    top.allNear = Math.max(top.allNear, get('near'))
    top.yours = Math.max(top.yours, get('yoursOther'))
    if (get('here') === 0) continue
    top.best = Math.max(top.best, get('best'))
    top.cover = Math.max(top.cover, get('cover'))
    top.near = Math.max(top.near, get('near'))
  }
  const last = (sign: (typeof signs)[number]): number => rows[(count - 1) * signs.length + at[sign]] ?? 0
  const facts: Facts = {
    always: 1,
    vague: last('vagueFresh'),
    points: last('pointsFresh'),
    terms: last('terms'),
    hereBest: top.best,
    hereCover: top.cover,
    cover: top.allCover,
    hereNear: top.near,
    near: top.allNear,
    hereNearBest: top.near / (top.allNear || 1),
    yours: top.yours,
  }
  return chance((Object.keys(facts) as Hint[]).reduce((sum, hint) => sum + facts[hint] * leaning[hint], 0))
}

export const chance = (odds: number): number => 1 / (1 + Math.exp(-odds))
