/** What speaks for a card and against it, each as a number; `weights` says how much each counts. */

import { bytesOf, lengthOf, product } from '../store/shared/bytes.js'
import { eventsIn } from './beside.js'
import type { Card } from './card.js'
import type { Catalogue } from './catalogue.js'
import { dot } from './embedder.js'
import { byWords, likeness, match, phrases } from './lexical.js'
import type { Question } from './query.js'
import type { Signs } from './weights.js'
import { day, nearness, type Span, sideOf, spansIn } from './when.js'
import { termOf, termsOf, wordsOf } from './words.js'

interface Weighed {
  /** The signs of each card that is weighed, and its place. */
  readonly rows: readonly Signs[]
  readonly places: readonly number[]
  /** Adds how much each sounds like what was said last, which only matters when that goes on. */
  heed(): void
}

/** Up to so many cards all are weighed; of more, those whose words, meaning or time speak for them, and the newest. */
const most = 1_024
const newest = 64

export function signsOf(catalogue: Catalogue, question: Question): Weighed {
  const { cards, sittings, starts } = catalogue
  const size = cards.length
  const { cards: by, cover, around, sittings: bySitting, whole, found, hits, peak } = match(catalogue, question.terms)
  const like = likeness(catalogue, question, whole)
  const said = phrases(catalogue, question)
  const bestSaid = highest(said)
  const near = vectorsOf(catalogue, question)
  const apart = apartFrom(catalogue, question)
  const best = highest(by)
  const bestSitting = highest(bySitting)
  const bestNear = highest(near.cards)
  const people = areAuthors(cards)
  const named = people ? namesIn(question, cards) : new Set<string>()
  const spans = [
    ...spansIn(question.text, Number.isNaN(question.now) ? lastAt(cards) : question.now, () => yearsOf(cards)),
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
    (spans.length > 0 ? nearness((cards[at] as Card).at, spans) : 0)
  const places = promising(size, score)
  const rows = places.map((at): Signs => {
    const card = cards[at] as Card
    const sitting = sittings[at] as number
    const previous = sittings[at - 1] === sitting
    const next = sittings[at + 1] === sitting
    const isUser = !people && card.role === 'user' ? 1 : 0
    const isOther = !people && card.role === 'assistant' ? 1 : 0
    const long = Math.log(1 + card.length)
    const before = previous ? (by[at - 1] as number) / best : 0
    return {
      always: 1,
      best: (by[at] as number) / best,
      match: (by[at] as number) / (whole || 1),
      cover: cover[at] as number,
      around: around[at] as number,
      before,
      answers: cards[at - 1]?.asks ? before : 0,
      after: next ? (by[at + 1] as number) / best : 0,
      beyond:
        Math.max(
          sittings[at - 2] === sitting ? (by[at - 2] as number) : 0,
          sittings[at + 2] === sitting ? (by[at + 2] as number) : 0,
        ) / best,
      sitting: (bySitting[sitting] as number) / (whole || 1),
      sittingBest: (bySitting[sitting] as number) / bestSitting,
      near: near.cards[at] as number,
      nearBest: (near.cards[at] as number) / bestNear,
      nearBefore: previous ? (near.cards[at - 1] as number) : 0,
      nearAfter: next ? (near.cards[at + 1] as number) : 0,
      nearSitting: near.sittings[sitting] as number,
      apart: apart(card, near.cards[at] as number),
      user: isUser,
      mineUser: question.mine ? isUser : 0,
      mineOther: question.mine ? isOther : 0,
      yoursOther: question.yours ? isOther : 0,
      toldOther: question.told ? isOther : 0,
      named: named.has(card.author) ? 1 : 0,
      unnamed: named.size > 0 && !named.has(card.author) ? 1 : 0,
      long,
      manyLong: question.many ? long : 0,
      short: card.length < 8 ? 1 : 0,
      asks: card.asks ? 1 : 0,
      self: card.self ? 1 : 0,
      opens: at - (starts[sitting] as number) < 2 ? 1 : 0,
      age: Math.log(1 + size - at),
      time: spans.length > 0 ? nearness(card.at, spans) : 0,
      here: sitting === sittings[size - 1] ? 1 : 0,
      fresh: Math.exp((at + 1 - size) / 6),
      echo: 0,
      vague,
      points: question.points ? 1 : 0,
      terms: Math.log(1 + question.terms.size),
      size: Math.log(size),
      hits: Math.log(1 + (hits[at] as number)),
      like: like[at] as number,
      phrase: (said[at] as number) / bestSaid,
      peak: (peak[at] as number) * broad,
      hangs: card.hangs ? 1 : 0,
      tells: card.tells ? isUser : 0,
      figures: question.figures && card.figures ? 1 : 0,
      begins: previous ? 0 : 1,
      userLong: isUser * long,
    }
  })
  const heed = (): void => {
    const sounds = byWords(catalogue, question.echo)
    const loudest = highest(sounds)
    for (const [row, at] of places.entries()) (rows[row] as Signs).echo = (sounds[at] as number) / loudest
  }
  return { rows, places, heed }
}

function promising(size: number, score: (at: number) => number): readonly number[] {
  const all = Array.from({ length: size }, (_, at) => at)
  if (size <= most) return all
  const scores = new Float64Array(size)
  for (let at = 0; at < size; at++) scores[at] = score(at)
  const least = Float64Array.from(scores).sort()[size - most] as number
  return all.filter((at) => (scores[at] as number) > least || at >= size - newest)
}

/** Of each card, and of each sitting the mean of its three nearest. */
function vectorsOf({ cards, sittings, starts }: Catalogue, { vector }: Question) {
  const near = { cards: new Float64Array(cards.length), sittings: new Float64Array(starts.length) }
  if (!vector) return near
  const bytes = bytesOf(vector)
  const scale = 1 / (lengthOf(bytes) || 1)
  const top = new Float64Array(starts.length * 3)
  for (let at = 0; at < cards.length; at++) {
    const card = cards[at] as Card
    if (!card.vector) continue
    const by = product(bytes, card.vector, 0) * scale * card.scale
    near.cards[at] = by
    keep(top, 3 * (sittings[at] as number), by)
  }
  for (let at = 0; at < starts.length; at++)
    near.sittings[at] = ((top[3 * at] as number) + (top[3 * at + 1] as number) + (top[3 * at + 2] as number)) / 3
  return near
}

/** Nearness once what all cards have in common is taken off. */
function apartFrom({ cards, sum }: Catalogue, { vector }: Question): (card: Card, by: number) => number {
  if (!vector || !sum) return () => 0
  const common = sum.map((value) => value / cards.length)
  const commonLength = dot(common, common)
  const shared = dot(vector, common)
  return (card, by) => {
    if (!card.vector) return 0
    const own = dot(common, card.vector) * card.scale
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
const areAuthors = (cards: readonly Card[]): boolean =>
  cards.some(({ role, author }) => role === 'assistant' && author !== '') &&
  cards.every(({ role, author }) => author !== '' || role === 'tool' || role === 'system')

function namesIn({ terms }: Question, cards: readonly Card[]): Set<string> {
  const authors = new Set(cards.map(({ author }) => author))
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
    const { at } = catalogue.cards[place] as Card
    if ((cover[place] as number) < 0.99 || Number.isNaN(at)) return []
    const span = sideOf({ from: at, to: at, slack: 3 }, event)
    return [{ ...span, weight: (span.weight ?? 1) * vague }]
  })
}

const lastAt = (cards: readonly Card[]): number => cards.at(-1)?.at ?? Number.NaN

function yearsOf(cards: readonly Card[]): readonly number[] {
  const days = new Set<number>()
  for (const { at } of cards) if (!Number.isNaN(at)) days.add(Math.floor(at / day))
  return [...new Set([...days].map((one) => new Date(one * day).getUTCFullYear()))]
}
