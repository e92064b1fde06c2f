/** What speaks for a card and against it, each as a number; `weights` says how much each counts. */
import { eventsIn } from './beside.js'
import type { Card } from './card.js'
import type { Catalogue } from './catalogue.js'
import { dot } from './embedder.js'
import { byWords, likeness, match, phrases } from './lexical.js'
import type { Question } from './query.js'
import { nearness, type Span, sideOf, spansIn } from './when.js'
import { termOf, termsOf, wordsOf } from './words.js'

export const signs = [
  'always',
  /** The words of the question: against the best, against all that could be said, and which share of them. */
  'best',
  'match',
  'cover',
  'around',
  /** Of the cards beside it. */
  'before',
  'answers',
  'after',
  'beyond',
  'sitting',
  'sittingBest',
  /** The meaning, by the vectors. */
  'near',
  'nearBest',
  'nearBefore',
  'nearAfter',
  'nearSitting',
  'apart',
  /** Who speaks. */
  'user',
  'mineUser',
  'mineOther',
  'yoursOther',
  'toldOther',
  'named',
  'unnamed',
  'tool',
  /** How it is said. */
  'long',
  'manyLong',
  'short',
  'asks',
  'self',
  'opens',
  /** When. */
  'age',
  'time',
  /** What the conversation is about just now, and how much the question needs that. */
  'here',
  'fresh',
  'echo',
  'vagueHere',
  'vagueFresh',
  'vagueEcho',
  'pointsHere',
  'pointsFresh',
  'pointsEcho',
  /** How hard it is to find anything. */
  'terms',
  'size',
  /** How many of the words, and how much of them in other words. */
  'hits',
  'like',
  'phrase',
  'peak',
  /** What it is. */
  'hangs',
  'tells',
  'figures',
  'begins',
  'userLong',
] as const

export type Sign = (typeof signs)[number]

/** A row of signs for each card. */
export function signsOf(catalogue: Catalogue, question: Question): Float64Array {
  const { cards, sittings, starts } = catalogue
  const size = cards.length
  const { cards: by, cover, around, sittings: bySitting, whole, found, hits, peak } = match(catalogue, question.terms)
  const echo = byWords(catalogue, question.echo)
  const like = likeness(catalogue, question, whole)
  const said = phrases(catalogue, question)
  const bestSaid = highest(said)
  const { figures } = question
  const near = vectorsOf(catalogue, question)
  const best = highest(by)
  const bestSitting = highest(bySitting)
  const bestNear = highest(near.cards)
  const bestEcho = highest(echo)
  const people = areAuthors(cards)
  const named = people ? namesIn(question, cards) : new Set<string>()
  const spans = [
    ...spansIn(question.text, Number.isNaN(question.now) ? lastAt(cards) : question.now, yearsOf(cards)),
    ...happenings(catalogue, question.text),
  ]
  const vague = 1 / (1 + found / Math.log(1 + size))
  const points = question.points ? 1 : 0
  const many = question.many ? 1 : 0
  // of many terms each is a small part of the whole
  const broad = Math.sqrt(question.terms.size)
  const last = sittings[size - 1]
  const out = new Float64Array(size * signs.length)
  for (let at = 0; at < size; at++) {
    const card = cards[at] as Card
    const sitting = sittings[at] as number
    const previous = sittings[at - 1] === sitting
    const next = sittings[at + 1] === sitting
    const isUser = !people && card.role === 'user' ? 1 : 0
    const isOther = !people && card.role === 'assistant' ? 1 : 0
    const here = sitting === last ? 1 : 0
    const fresh = Math.exp((at + 1 - size) / 6)
    const sounds = (echo[at] as number) / bestEcho
    const long = Math.log(1 + card.length)
    const before = previous ? (by[at - 1] as number) / best : 0
    const row = [
      1,
      (by[at] as number) / best,
      (by[at] as number) / (whole || 1),
      cover[at] as number,
      around[at] as number,
      before,
      cards[at - 1]?.asks ? before : 0,
      next ? (by[at + 1] as number) / best : 0,
      Math.max(
        sittings[at - 2] === sitting ? (by[at - 2] as number) : 0,
        sittings[at + 2] === sitting ? (by[at + 2] as number) : 0,
      ) / best,
      (bySitting[sitting] as number) / (whole || 1),
      (bySitting[sitting] as number) / bestSitting,
      near.cards[at] as number,
      (near.cards[at] as number) / bestNear,
      previous ? (near.cards[at - 1] as number) : 0,
      next ? (near.cards[at + 1] as number) : 0,
      near.sittings[sitting] as number,
      near.apart[at] as number,
      isUser,
      question.mine ? isUser : 0,
      question.mine ? isOther : 0,
      question.yours ? isOther : 0,
      question.told ? isOther : 0,
      named.has(card.author) ? 1 : 0,
      named.size > 0 && !named.has(card.author) ? 1 : 0,
      card.role === 'tool' ? 1 : 0,
      long,
      many * long,
      card.length < 8 ? 1 : 0,
      card.asks ? 1 : 0,
      card.self ? 1 : 0,
      at - (starts[sitting] as number) < 2 ? 1 : 0,
      Math.log(1 + size - at),
      spans.length > 0 ? nearness(card.at, spans) : 0,
      here,
      fresh,
      sounds,
      vague * here,
      vague * fresh,
      vague * sounds,
      points * here,
      points * fresh,
      points * sounds,
      Math.log(1 + question.terms.size),
      Math.log(size),
      Math.log(1 + (hits[at] as number)),
      like[at] as number,
      (said[at] as number) / bestSaid,
      (peak[at] as number) * broad,
      card.hangs ? 1 : 0,
      card.tells ? isUser : 0,
      figures && card.figures ? 1 : 0,
      previous ? 0 : 1,
      isUser * long,
    ]
    out.set(row, at * signs.length)
  }
  return out
}

interface Near {
  readonly cards: Float64Array
  /** The mean of the three nearest. */
  readonly sittings: Float64Array
  /** Nearness once what all cards have in common is taken off. */
  readonly apart: Float64Array
}

function vectorsOf({ cards, sittings, starts, sum }: Catalogue, { vector }: Question): Near {
  const near: Near = {
    cards: new Float64Array(cards.length),
    sittings: new Float64Array(starts.length),
    apart: new Float64Array(cards.length),
  }
  if (!vector) return near
  const common = (sum ?? new Float32Array(vector.length)).map((value) => value / cards.length)
  const commonLength = dot(common, common)
  const shared = dot(vector, common)
  const top = new Float64Array(starts.length * 3)
  for (const [at, card] of cards.entries()) {
    if (!card.vector) continue
    const by = dot(vector, card.vector)
    const own = dot(card.vector, common)
    near.cards[at] = by
    const lengths = Math.sqrt((1 - 2 * own + commonLength) * (1 - 2 * shared + commonLength))
    near.apart[at] = Math.max(0, (by - own - shared + commonLength) / (lengths || 1))
    keep(top, 3 * (sittings[at] as number), by)
  }
  for (let at = 0; at < starts.length; at++)
    near.sittings[at] = ((top[3 * at] as number) + (top[3 * at + 1] as number) + (top[3 * at + 2] as number)) / 3
  return near
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

const highest = (list: Float64Array): number => list.reduce((most, value) => Math.max(most, value), 0) || 1

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

const yearsOf = (cards: readonly Card[]): readonly number[] => [
  ...new Set(cards.filter(({ at }) => !Number.isNaN(at)).map(({ at }) => new Date(at).getUTCFullYear())),
]
