// Numbers and texts that a seed gives again.
import { createHash } from 'node:crypto'

/** Like Math.random, from a seed (mulberry32). */
export function diceOf(seed) {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A whole number from `low` to `high`, both included. */
export const between = (dice, low, high) => low + Math.floor(dice() * (high - low + 1))

/** The text of an entry follows from the seed and its id: whoever checks it needs no copy. */
export function textOf(seed, id, [low, high]) {
  const start = `${id} 🧵 `
  const length = between(diceOf(`${seed}/${id}`), low, high)
  const outputLength = Math.ceil(Math.max(1, length - start.length) / 2)
  return start + createHash('shake256', { outputLength }).update(`${seed}/${id}`).digest('hex')
}

export const at = '2026-01-01T00:00:00.000Z'

export function entryOf(seed, id, sizes) {
  const text = textOf(seed, id, sizes)
  const body = { kind: 'message', role: 'user', parts: [{ type: 'text', text }], status: 'complete' }
  return { id, body, text, tokens: 1, at }
}
