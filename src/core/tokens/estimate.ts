import type { Counter } from './counter.js'
import { type Family, isFamily } from './family.js'
import { astral, common, commonWords, emoji, pairs, plainCodes, ranges, weights } from './weights.js'

/** What a family charges where scripts do not matter, in tokens. */
interface Rates {
  /** Per digit after the first. */
  readonly digit: number
  /** Per line break or tab after the first of a run. */
  readonly break: number
  /** Factor on Latin words. */
  readonly word: number
  /** Factor on everything: how far the family's models are known to exceed the table it was calibrated on. */
  readonly scale: number
}

const rates: Record<Exclude<Family, 'unknown'>, Rates> = {
  o200k: { digit: 1 / 3, break: 0.25, word: 1, scale: 1 },
  cl100k: { digit: 1 / 3, break: 0.25, word: 1, scale: 1 },
  // the published table is that of Claude 2; later models count about 10 % more
  claude: { digit: 0.5, break: 1, word: 1, scale: 1.12 },
  gemini: { digit: 1, break: 0.25, word: 1, scale: 1 },
  llama: { digit: 1 / 3, break: 0.25, word: 1, scale: 1 },
  mistral: { digit: 1, break: 1, word: 1.1, scale: 1 },
  qwen: { digit: 1, break: 0.25, word: 1, scale: 1 },
  deepseek: { digit: 1 / 3, break: 0.25, word: 1, scale: 1 },
}

/**
 * An upper bound of the tokens of a text, fast and without tables of tokens. `scale` is for models whose tokenizer is
 * known to yield more tokens than their family's.
 */
export function estimator(family: Family, scale = 1): Counter {
  const name = `estimate:${family}${scale === 1 ? '' : ` x${scale}`}`
  const made = cache.get(name)
  if (made) return made
  const bounds = family === 'unknown' ? worst() : boundsOf(family)
  const counter: Counter = { name, exact: false, count: (text) => measure(text, bounds, scale) }
  cache.set(name, counter)
  return counter
}

const cache = new Map<string, Counter>()

interface Bounds extends Rates {
  /** Per slot of `slotOf`. */
  readonly chars: Float64Array
}

function boundsOf(family: Exclude<Family, 'unknown'>): Bounds {
  return { ...rates[family], chars: Float64Array.from(weights[family].replaceAll(' ', ''), Number) }
}

function worst(): Bounds {
  const all = Object.keys(rates)
    .filter(isFamily)
    .flatMap((f) => (f === 'unknown' ? [] : boundsOf(f)))
  const most = (rate: keyof Rates) => Math.max(...all.map((b) => b[rate]))
  const chars = Float64Array.from(all[0]?.chars ?? [], (_, slot) => Math.max(...all.map((b) => b.chars[slot] ?? 0)))
  return { digit: most('digit'), break: most('break'), word: most('word'), scale: most('scale'), chars }
}

const control = 0
const lower = 1
const upper = 2
const digit = 3
const mark = 4
const space = 5
const broken = 6

const kindOf = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return lower
  if (code >= 65 && code <= 90) return upper
  if (code >= 48 && code <= 57) return digit
  if (code === 32) return space
  if (code === 9 || code === 10) return broken
  return code > 32 && code < 127 ? mark : control
})

/** Cost of each further capital in a run. */
const capitals = 0.85
/** Cost of a repeated punctuation mark, and of a repeated space. */
const repeated = 0.5
const indent = 0.07
const sixLetters = 0x3fffffff

function measure(text: string, bounds: Bounds, scale: number): number {
  if (text === '') return 0
  const { chars } = bounds
  const size = text.length
  let latin = 0
  let rest = 0
  let at = 0
  while (at < size) {
    const code = text.charCodeAt(at)
    if (code > 127) {
      if ((code & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) {
        rest += chars[isEmoji(code, text.charCodeAt(at + 1)) ? emojiSlot : astralSlot] as number
        at += 2
        continue
      }
      rest += chars[slotOf[code] as number] as number
      at++
      continue
    }
    const kind = kindOf[code]
    const from = at
    if (kind === upper) {
      while (at < size && kindOf[text.charCodeAt(at)] === upper) at++
      const titled = at < size && kindOf[text.charCodeAt(at)] === lower
      const run = titled ? at - from - 1 : at - from
      if (run > 0) latin += 1 + capitals * (run - 1)
      if (!titled) continue
      at--
    }
    if (kind === lower || kind === upper) {
      const first = at
      // the last letters, five bits each: a word is known by them
      let near = 0
      let far = 0
      let letter = text.charCodeAt(at)
      do {
        far = ((far << 5) | (near >>> 25)) & sixLetters
        near = ((near << 5) | (letter & 31)) & sixLetters
        letter = ++at < size ? text.charCodeAt(at) : 0
      } while (kindOf[letter] === lower)
      latin += wordCost(text, first, at, near, kind === upper ? far | titledBit : far)
      continue
    }
    if (kind === digit) {
      while (at < size && kindOf[text.charCodeAt(at)] === digit) at++
      rest += Math.ceil((at - from) * bounds.digit)
    } else if (kind === space) {
      while (at < size && text.charCodeAt(at) === 32) at++
      const run = at - from
      const next = at < size ? (kindOf[text.charCodeAt(at)] ?? control) : control
      // a single space becomes the head of the word or mark after it
      const joined = next === lower || next === upper || next === mark
      rest += (run > 1 ? 1 + run * indent : 0) + (joined ? 0 : 1)
    } else {
      while (at < size && text.charCodeAt(at) === code) at++
      rest += 1 + (at - from - 1) * (kind === mark ? repeated : kind === broken ? bounds.break : 1)
    }
  }
  // one more, because a lone rare word may cost a little more than its letters promise
  return Math.ceil((latin * bounds.word + rest) * bounds.scale * scale) + 1
}

const emojiSlot = emoji * 3 + 2
const astralSlot = astral * 3 + 2

function isEmoji(high: number, low: number): boolean {
  const point = ((high & 0x3ff) << 10) + (low & 0x3ff) + 0x10000
  return (point >= 0x1f300 && point < 0x1f700) || (point >= 0x1f900 && point < 0x1fb00) || point >> 5 === 0xf8f
}

/** Index into a family's weights by UTF-16 unit. A lone surrogate is charged as a rare character. */
const slotOf = new Uint8Array(0x10000)
// each range ends where the next one fills on
for (const range of ranges.split(' '))
  slotOf.fill((range.charCodeAt(range.length - 1) - 103) * 3 + 2, Number.parseInt(range.slice(0, -1), 16))
for (const [tier, list] of [common, plainCodes].entries()) {
  let code = 0x80
  for (let at = 0; at < list.length; at++) {
    const step = list.charCodeAt(at)
    if (step > 96) code += 52 * 2 ** (step - 97)
    else {
      code += step - 40
      slotOf[code] = (slotOf[code] as number) - 1 - tier
      code++
    }
  }
}

/** Set in the key of a word that begins with a capital. */
const titledBit = 1 << 30
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
function wordCost(text: string, from: number, end: number, near: number, far: number): number {
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
