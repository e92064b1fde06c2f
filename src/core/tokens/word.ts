import { commonWords, pairs } from './weights.js'

/** Set in the key of a word that begins with a capital. */
export const titledBit = 1 << 30
/** Extra cost of a capital at the head of a word. */
const capital = 0.6

/** Five bits for each letter: words up to this length have keys of their own. */
const longest = 12
const slots = 4096
const nearKeys = new Int32Array(slots)
const farKeys = new Int32Array(slots)
const costs = new Float64Array(slots)

/**
 * Most tokens of a word, whose first letter may be a capital. The same words come again and again, so what they cost is
 * remembered by their letters: the last six in `near`, the six before them in `far`.
 */
export function wordCost(text: string, from: number, end: number, near: number, far: number): number {
  if (end - from > longest) return spell(text, from, end, far)
  const slot = (Math.imul(near, 0x9e3779b1) ^ Math.imul(far, 0x85ebca6b)) >>> 20
  if (nearKeys[slot] === near && farKeys[slot] === far) return costs[slot] as number
  const cost = spell(text, from, end, far)
  nearKeys[slot] = near
  farKeys[slot] = far
  costs[slot] = cost
  return cost
}

function spell(text: string, from: number, end: number, far: number): number {
  const cost = lettersCost(text, from, end)
  return (far & titledBit) === 0 ? cost : Math.min(1 + lettersCost(text, from + 1, end), capital + cost)
}

/**
 * Most tokens of the letters between two places: one for a known word, two for two of them, else what the pairs of
 * letters cost, less when a known word of four letters or more begins it.
 */
function lettersCost(text: string, from: number, end: number): number {
  let hash = 0
  let head = edge
  let cost = 0
  let split = 0
  let restHash = 0
  let restHead = edge
  let rest = 0
  for (let at = from; at < end; at++) {
    const letter = (text.charCodeAt(at) | 32) - 97
    cost += pairCost[head * 27 + letter] as number
    hash = (Math.imul(hash, 31) + letter + 1) | 0
    head = letter
    if (split > 0) {
      rest += pairCost[restHead * 27 + letter] as number
      restHash = (Math.imul(restHash, 31) + letter + 1) | 0
      restHead = letter
    }
    if (at < end - 1 && known(hash)) {
      split = at - from + 1
      rest = restHash = 0
      restHead = edge
    }
  }
  if (known(hash)) return 1
  cost = Math.max(1, cost + (pairCost[head * 27 + edge] as number))
  if (split > 0 && known(restHash)) return Math.min(cost, 2)
  return split < 4 ? cost : Math.min(cost, 1 + Math.max(1, rest + (pairCost[restHead * 27 + edge] as number)))
}

const pairCost = Float64Array.from(pairs, (char) => (char.charCodeAt(0) - 40) / 12)
const edge = 26

const filter = new Int32Array(4096)

function known(hash: number): boolean {
  let slot = (hash ^ (hash >>> 12)) & 4095
  for (;;) {
    const entry = filter[slot]
    if (entry === hash) return true
    if (entry === 0) return false
    slot = (slot + 1) & 4095
  }
}

for (let at = 0, word = ''; at < commonWords.length; ) {
  const shared = commonWords.charCodeAt(at++) - 65
  const from = at
  while (at < commonWords.length && commonWords.charCodeAt(at) > 90) at++
  word = word.slice(0, shared) + commonWords.slice(from, at)
  let hash = 0
  for (let i = 0; i < word.length; i++) hash = (Math.imul(hash, 31) + word.charCodeAt(i) - 96) | 0
  let slot = (hash ^ (hash >>> 12)) & 4095
  while (filter[slot] !== 0) slot = (slot + 1) & 4095
  filter[slot] = hash
}
