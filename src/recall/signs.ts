/** What speaks for a card and against it, each as a number; `weights` says how much each counts. */

import { bytesOf, lengthOf } from '../store/shared/bytes.js'
import { eventsIn } from './beside.js'
import { bits, roleIn } from './card.js'
import type { Catalogue } from './catalogue.js'
import { dot } from './embedder.js'
import { byWords, likeness, match, phrases } from './lexical.js'
import type { Question } from './query.js'
import { place, type Signs, signs } from './weights.js'
import { day, nearness, type Span, sideOf, timeSpansIn } from './when.js'
import { termOf, termsOf, wordsOf } from './words.js'

/** Up to so many cards all are weighed; of more, those whose words, meaning or time speak for them, and the newest. */
const most = 1_024
const newest = 64

/** The signs of each card that is weighed, and its place. */
export function signsOf(catalogue: Catalogue, question: Question) {
  const { size, starts } = catalogue
  const { sittings, facts, words, at: times } = catalogue.columns()
  const { cards: by, cover, around, sittings: bySitting, whole, found, hits, peak } = match(catalogue, question.terms)
  const like = likeness(catalogue, question, whole)
  const said = phrases(catalogue, question)
  const bestSaid = highest(said)
  const near = vectorsOf(catalogue, question)
  const apart = apartFrom(catalogue, question)
  const best = highest(by)
  const bestSitting = highest(bySitting)
  const bestNear = highest(near.cards)
  const people = areAuthors(facts)
  const named = people ? namesIn(question, catalogue) : new Set<string>()
  const spans = [
    ...timeSpansIn(question.text, Number.isNaN(question.now) ? (times.at(-1) ?? Number.NaN) : question.now, () =>
      yearsOf(times),
    ),
    ...happenings(catalogue, question.text),
  ]
  const vague = 1 / (1 + found / Math.log(1 + size))
  // of many terms each is a small part of the whole
  const broad = Math.sqrt(question.terms.size)
  const score = (at: number): number =>
    (by[at] as number) / best +
    (near.cards[at] as number) / bestNear +
    (like[at] as number) +
    (said[at] as number) / bestSaid +
    (spans.length > 0 ? nearness(times[at] as number, spans) : 0)
  const places = promising(size, score)
  const width = signs.length
  const table = new Float64Array(places.length * width)
  const rows = places.map((at, index) => {
    const fact = facts[at] as number
    const is = (bit: number): 0 | 1 => ((fact & bit) > 0 ? 1 : 0)
    const role = people ? null : roleIn(fact)
    const sitting = sittings[at] as number
    const previous = sittings[at - 1] === sitting
    const next = sittings[at + 1] === sitting
    const isUser = role === 'user' ? 1 : 0
    const isOther = role === 'assistant' ? 1 : 0
    const long = Math.log(1 + (words[at] as number))
    const before = previous ? (by[at - 1] as number) / best : 0
    const row = table.subarray(index * width, (index + 1) * width)
    row[place.always] = 1
    row[place.best] = (by[at] as number) / best
    row[place.match] = (by[at] as number) / (whole || 1)
    row[place.cover] = cover[at] as number
    row[place.around] = around[at] as number
    row[place.before] = before
    row[place.answers] = ((facts[at - 1] ?? 0) & bits.asks) > 0 ? before : 0
    row[place.after] = next ? (by[at + 1] as number) / best : 0
    row[place.beyond] =
      Math.max(
        sittings[at - 2] === sitting ? (by[at - 2] as number) : 0,
        sittings[at + 2] === sitting ? (by[at + 2] as number) : 0,
      ) / best
    row[place.sitting] = (bySitting[sitting] as number) / (whole || 1)
    row[place.sittingBest] = (bySitting[sitting] as number) / bestSitting
    row[place.near] = near.cards[at] as number
    row[place.nearBest] = (near.cards[at] as number) / bestNear
    row[place.nearBefore] = previous ? (near.cards[at - 1] as number) : 0
    row[place.nearAfter] = next ? (near.cards[at + 1] as number) : 0
    row[place.nearSitting] = near.sittings[sitting] as number
    row[place.apart] = apart(at, near.cards[at] as number)
    row[place.user] = isUser
    row[place.mineUser] = question.mine ? isUser : 0
    row[place.mineOther] = question.mine ? isOther : 0
    row[place.yoursOther] = question.yours ? isOther : 0
    row[place.toldOther] = question.told ? isOther : 0
    const isNamed = named.size > 0 && named.has(catalogue.card(at).author)
    row[place.named] = isNamed ? 1 : 0
    row[place.unnamed] = named.size > 0 && !isNamed ? 1 : 0
    row[place.long] = long
    row[place.manyLong] = question.many ? long : 0
    row[place.short] = (words[at] as number) < 8 ? 1 : 0
    row[place.asks] = is(bits.asks)
    row[place.self] = is(bits.self)
    row[place.opens] = at - (starts[sitting] as number) < 2 ? 1 : 0
    row[place.age] = Math.log(1 + size - at)
    row[place.time] = spans.length > 0 ? nearness(times[at] as number, spans) : 0
    row[place.here] = sitting === sittings[size - 1] ? 1 : 0
    row[place.fresh] = Math.exp((at + 1 - size) / 6)
    row[place.vague] = vague
    row[place.points] = question.points ? 1 : 0
    row[place.terms] = Math.log(1 + question.terms.size)
    row[place.size] = Math.log(size)
    row[place.hits] = Math.log(1 + (hits[at] as number))
    row[place.like] = like[at] as number
    row[place.phrase] = (said[at] as number) / bestSaid
    row[place.peak] = (peak[at] as number) * broad
    row[place.hangs] = is(bits.hangs)
    row[place.tells] = is(bits.tells) * isUser
    row[place.figures] = question.figures ? is(bits.figures) : 0
    row[place.begins] = previous ? 0 : 1
    row[place.userLong] = isUser * long
    return row
  })
  /** Adds how much each sounds like what was said last, which only matters when that goes on. */
  const heed = (): void => {
    // in a long conversation a word that many messages have says little of what is talked about
    const sounds = byWords(catalogue, question.echo, size > most ? size / 8 : size)
    const loudest = highest(sounds)
    for (const [row, at] of places.entries()) (rows[row] as Signs)[place.echo] = (sounds[at] as number) / loudest
  }
  return { rows, places, heed }
}

function promising(size: number, score: (at: number) => number): readonly number[] {
  const scores = new Float64Array(size)
  for (let at = 0; at < size; at++) scores[at] = score(at)
  const least = size > most ? highestBut(scores, most) : Number.NEGATIVE_INFINITY
  const places: number[] = []
  for (let at = 0; at < size; at++) if ((scores[at] as number) > least || at >= size - newest) places.push(at)
  return places
}

/** The highest value but so many, found in a few steps: to sort all of them would take longer than to make them. */
function highestBut(values: Float64Array, count: number): number {
  const steps = 4_096
  const by = steps / highest(values)
  const stepOf = (value: number): number => Math.max(0, Math.min(steps, Math.floor(value * by)))
  const many = new Uint32Array(steps + 1)
  for (let at = 0; at < values.length; at++) {
    const step = stepOf(values[at] as number)
    many[step] = (many[step] as number) + 1
  }
  let [step, left] = [steps, count]
  while (left > (many[step] as number)) left -= many[step--] as number
  const within = values.filter((value) => stepOf(value) === step).sort()
  return within[within.length - left] as number
}

/** Of each card, and of each sitting the mean of its three nearest. */
function vectorsOf(catalogue: Catalogue, { vector }: Question) {
  const { size, starts, sum } = catalogue
  const near = { cards: new Float64Array(size), sittings: new Float64Array(starts.length) }
  if (!vector || !sum) return near
  const { scales, sittings } = catalogue.columns()
  const bytes = bytesOf(vector)
  const scale = 1 / (lengthOf(bytes) || 1)
  const top = new Float64Array(starts.length * 3)
  catalogue.products(bytes, near.cards)
  for (let at = 0; at < size; at++) {
    const by = (near.cards[at] as number) * scale * (scales[at] as number)
    near.cards[at] = by
    keep(top, 3 * (sittings[at] as number), by)
  }
  for (let at = 0; at < starts.length; at++)
    near.sittings[at] = ((top[3 * at] as number) + (top[3 * at + 1] as number) + (top[3 * at + 2] as number)) / 3
  return near
}

/** Nearness once what all cards have in common is taken off. */
function apartFrom(catalogue: Catalogue, { vector }: Question): (at: number, by: number) => number {
  const { size, sum } = catalogue
  if (!vector || !sum) return () => 0
  const { scales } = catalogue.columns()
  const common = sum.map((value) => value / size)
  const commonLength = dot(common, common)
  const shared = dot(vector, common)
  return (at, by) => {
    const scale = scales[at] as number
    const meant = scale === 0 ? null : catalogue.vector(at)
    if (!meant) return 0
    const own = dot(common, meant) * scale
    const lengths = Math.sqrt((1 - 2 * own + commonLength) * (1 - 2 * shared + commonLength))
    return Math.max(0, (by - own - shared + commonLength) / (lengths || 1))
  }
}

/** The three highest values, highest first. */
function keep(top: Float64Array, from: number, value: number): void {
  let rest = value
  for (let at = from; at < from + 3; at++) {
    const held = top[at] as number
    if (rest <= held) continue
    top[at] = rest
    rest = held
  }
}

function highest(list: Float64Array): number {
  let most = 0
  for (let at = 0; at < list.length; at++) if ((list[at] as number) > most) most = list[at] as number
  return most || 1
}

/** People on both sides, each with a name, rather than a person and a model. */
const areAuthors = (facts: Uint8Array): boolean =>
  facts.every((fact) => (fact & (bits.named | bits.tool)) > 0) &&
  facts.some((fact) => roleIn(fact) === 'assistant' && (fact & bits.named) > 0)

function namesIn({ terms }: Question, { authors }: Catalogue): Set<string> {
  return new Set([...authors].filter((author) => wordsOf(author).some((word) => terms.has(termOf(word)))))
}

/** It may have been spoken of on another day than it happened. */
const vague = 0.6

/** What is on the side of something that happened, when one card speaks of all of it. */
function happenings(catalogue: Catalogue, text: string): Span[] {
  return eventsIn(text).flatMap((event) => {
    const terms = new Map(termsOf(wordsOf(event.words)).map((term) => [term, 1]))
    if (terms.size === 0) return []
    const { cards, cover } = match(catalogue, terms)
    const place = cards.reduce((best, by, at) => (by > (cards[best] as number) ? at : best), 0)
    const at = catalogue.columns().at[place] as number
    if ((cover[place] as number) < 0.99 || Number.isNaN(at)) return []
    const span = sideOf({ from: at, to: at, slack: 3 }, event)
    return [{ ...span, weight: (span.weight ?? 1) * vague }]
  })
}

function yearsOf(times: Float64Array): readonly number[] {
  const days = new Set<number>()
  for (const at of times) if (!Number.isNaN(at)) days.add(Math.floor(at / day))
  return [...new Set([...days].map((one) => new Date(one * day).getUTCFullYear()))]
}
