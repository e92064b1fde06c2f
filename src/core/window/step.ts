/** How far things give way at once, so that the requests in between begin alike. */
import type { Caching } from '../tokens/size.js'
import type { Plan } from './walk.js'

/** The highest power of two, counted from the origin, that lies between the start of a turn and the start of the turn before it. */
export const roundness = (start: number, before = 0, origin = 0): number =>
  31 - Math.clz32(Math.max(0, start - origin) ^ Math.max(0, before - origin))

/** Where nothing is gained by giving way in steps, this part of the room is used at least. */
const full = 0.97

/** Tokens of the room that a step leaves in use. It grows with the room, so that a bigger budget never keeps less. */
export function leastOf({ step, cachedFrom }: Plan, room: number, budget: number): number {
  if (step === 0) return room * full
  return Math.max(Math.min(room, cachedFrom) * full, room - step * budget)
}

/**
 * What the history of one request costs on average, in tokens at the full price, when so many turns go into a step.
 * After a step all of it is written anew; each request until the next one reads what the one before it wrote.
 */
export function stepPrice(room: number, step: number, turn: number, { read, write }: Caching): number {
  const least = room * (1 - step)
  const turns = turnsIn(room, step, turn)
  let sum = least * write
  for (let i = 1; i < turns; i++) sum += (least + (i - 1) * turn) * read + turn * write
  return sum / turns
}

export const turnsIn = (room: number, step: number, turn: number): number =>
  Math.max(1, Math.floor((room * step) / Math.max(1, turn)))
