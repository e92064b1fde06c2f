/** What providers said of how much they take, and how much of a request has to go so that it fits. */
import { type Lru, lru } from '../../core/message/lru.js'
import { isOverflow } from '../../models/wire/fault.js'
import type { WireName } from '../../models/wire/wires.js'
import type { Asked } from '../kit/door.js'
import { type Shortened, shorten } from './shorten.js'

export interface ForwardLimits {
  /** Shorter, if the session was refused before at this length; null where it goes as it is. */
  before(session: string, wire: WireName, asked: Asked): Shortened | null
  /** Shorter, after what was sent of it was refused; null where it was for another reason, or where nothing can go. */
  after(session: string, wire: WireName, asked: Asked, sent: Asked, refusal: Refusal): Shortened | null
}

export interface Refusal {
  readonly status: number
  readonly text: string
}

/** The cut moves in steps of this part of the limit, so that what was sent stays the same from one request to the next. */
const step = 0.25
/** Tokens are not spread evenly over characters. */
const margin = 0.97

export function openLimits(): ForwardLimits {
  /** Characters that fit, by session. */
  const known: Lru<number> = lru(5_000)
  const fit = (wire: WireName, asked: Asked, length: number, limit: number): Shortened | null => {
    const excess = length - limit
    if (excess <= 0) return null
    const size = limit * step
    // a step less is better than nothing
    return shorten(wire, asked, Math.ceil(excess / size) * size) ?? shorten(wire, asked, excess)
  }
  return {
    before(session, wire, asked) {
      const limit = known.get(session)
      return limit === undefined ? null : fit(wire, asked, lengthOf(asked), limit)
    },
    after(session, wire, asked, sent, { status, text }) {
      if (status !== 413 && !(status === 400 && isOverflow(text))) return null
      const [taken, most] = numbersIn(text)
      const length = lengthOf(sent)
      const fits = taken > most && most > 0 ? length * (most / taken) : length
      const limit = Math.floor(Math.min(fits, known.get(session) ?? Number.POSITIVE_INFINITY) * margin)
      known.set(session, limit)
      return fit(wire, asked, lengthOf(asked), limit)
    },
  }
}

const lengthOf = (asked: Asked): number => JSON.stringify(asked).length

/** In `prompt is too long: 205000 tokens > 200000 maximum` and its like: what was sent, and what is taken. */
function numbersIn(text: string): readonly [taken: number, most: number] {
  const words = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text
  const [, input, output, all] = /(\d+) \+ (\d+) > (\d+)/.exec(words) ?? []
  if (input && output && all) return [Number(input), Number(all) - Number(output)]
  const numbers = [...words.matchAll(/\d[\d,]*/g)].map(([digits]) => Number(digits.replaceAll(',', '')))
  const found = numbers.filter((one) => one > 255)
  return found.length < 2 ? [0, 0] : [Math.max(...found), Math.min(...found)]
}
