/** How well cards and sittings match by their words: BM25, and which share of what is asked they speak of. */
import type { Catalogue } from './catalogue.js'
import { holds } from './pairs.js'
import type { Question } from './query.js'

type Weighted = ReadonlyMap<string, number>

const saturation = 1.2
const cardLength = 0.5
const sittingLength = 0.75

/** `whole`: the weight of all terms, rare ones first of all; `found`: of it, what occurs anywhere. */
export function match(catalogue: Catalogue, terms: Weighted) {
  const { size, starts } = catalogue
  const { sittings } = catalogue.columns()
  const groups = starts.length
  const found = {
    cards: new Float64Array(size),
    /** Of the weight of all terms, so much is in the card; and in the card or one of its two neighbours. */
    cover: new Float64Array(size),
    around: new Float64Array(size),
    /** How many of the terms that say what is asked about, and the highest weight of one, as far as the card speaks of it as much as any. */
    hits: new Float64Array(size),
    peak: new Float64Array(size),
  }
  const bySitting = new Float64Array(groups)
  const times = new Float64Array(groups)
  const near = new Int32Array(size).fill(-1)
  const usualSitting = catalogue.length / groups || 1
  const density = densityIn(catalogue)
  let whole = 0
  let known = 0
  let number = 0
  for (const [term, weight] of terms) {
    const list = catalogue.find(term)
    const rarity = weight * rare(size, list.length / 2)
    whole += rarity
    if (list.length === 0) continue
    known += rarity
    number++
    const touched: number[] = []
    const most = weight >= 1 ? highestOf(list, density) : Number.POSITIVE_INFINITY
    for (let at = 0; at < list.length; at += 2) {
      const place = list[at] as number
      const often = list[at + 1] as number
      const dense = density(place, often)
      add(found.cards, place, rarity * dense * (saturation + 1))
      found.peak[place] = Math.max(found.peak[place] as number, (rarity * dense) / most)
      add(found.cover, place, rarity)
      if (weight >= 1) add(found.hits, place, 1)
      const sitting = sittings[place] as number
      for (let beside = place - 1; beside <= place + 1; beside++)
        if (sittings[beside] === sitting && near[beside] !== number) {
          near[beside] = number
          add(found.around, beside, rarity)
        }
      if (times[sitting] === 0) touched.push(sitting)
      add(times, sitting, often)
    }
    const spread = weight * rare(groups, touched.length)
    for (const sitting of touched) {
      const often = times[sitting] as number
      times[sitting] = 0
      const long = 1 - sittingLength + (sittingLength * (catalogue.lengths[sitting] as number)) / usualSitting
      add(bySitting, sitting, (spread * often * (saturation + 1)) / (often + saturation * long))
    }
  }
  for (const list of [found.cover, found.around, found.peak]) share(list, whole)
  return {
    ...found,
    sittings: bySitting,
    whole,
    found: known,
  }
}

function share(list: Float64Array, whole: number): Float64Array {
  for (let at = 0; at < list.length; at++) list[at] = (list[at] as number) / (whole || 1)
  return list
}

/** How well cards match, and nothing else of it; by no term that more of them have than `common`. */
export function byWords(catalogue: Catalogue, terms: Weighted, common: number): Float64Array {
  const { size } = catalogue
  const density = densityIn(catalogue)
  const found = new Float64Array(size)
  for (const [term, weight] of terms) {
    if (catalogue.having(term) > common) continue
    const list = catalogue.find(term)
    const rarity = weight * rare(size, list.length / 2)
    for (let at = 0; at < list.length; at += 2) {
      const place = list[at] as number
      add(found, place, rarity * density(place, list[at + 1] as number) * (saturation + 1))
    }
  }
  return found
}

/** How much a card speaks of a term that it has so often: in a short one each word counts more. */
function densityIn(catalogue: Catalogue): (place: number, often: number) => number {
  const { words } = catalogue.columns()
  const usual = catalogue.length / catalogue.size || 1
  return (place, often) =>
    often / (often + saturation * (1 - cardLength + (cardLength * (words[place] as number)) / usual))
}

/** The weight of the question's pairs of words that the card has, rare ones first of all. */
export function phrases(catalogue: Catalogue, { pairs }: Pick<Question, 'pairs'>): Float64Array {
  const { size } = catalogue
  const sum = new Float64Array(size)
  for (const [one, other] of pairs) {
    const found = withBoth(catalogue, one, other).filter((place) => holds(catalogue.card(place).pairs, one, other))
    for (const place of found) add(sum, place, rare(size, found.length))
  }
  return sum
}

/** Where both terms are, side by side or not. */
export function withBoth({ find }: Catalogue, one: string, other: string): readonly number[] {
  const list = find(one).slice()
  const others = find(other)
  const found: number[] = []
  for (let at = 0, by = 0; at < list.length && by < others.length; ) {
    const place = list[at] as number
    const beside = others[by] as number
    if (place === beside) found.push(place)
    if (place <= beside) at += 2
    if (beside <= place) by += 2
  }
  return found
}

/** Of the weight of all terms, so much is in the card, by the term itself or by one of like meaning. */
export function likeness(catalogue: Catalogue, { terms, kin }: Question, whole: number): Float64Array {
  const { size } = catalogue
  const sum = new Float64Array(size)
  const best = new Float64Array(size)
  for (const [term, weight] of terms) {
    const exact = catalogue.find(term)
    const own = weight * rare(size, exact.length / 2)
    const touched: number[] = []
    const note = (list: Uint32Array, value: number): void => {
      for (let at = 0; at < list.length; at += 2) {
        const place = list[at] as number
        if (best[place] === 0) touched.push(place)
        best[place] = Math.max(best[place] as number, value)
      }
    }
    note(exact, own)
    for (const [other, by] of kin.get(term) ?? []) {
      const list = catalogue.find(other)
      note(list, (by - distance) * Math.min(own, weight * rare(size, list.length / 2)))
    }
    for (const place of touched) {
      add(sum, place, best[place] as number)
      best[place] = 0
    }
  }
  return share(sum, whole)
}

function highestOf(list: Uint32Array, density: (place: number, often: number) => number): number {
  let most = 0
  for (let at = 0; at < list.length; at += 2) most = Math.max(most, density(list[at] as number, list[at + 1] as number))
  return most
}

/** What a term of like meaning loses. */
const distance = 0.3

const add = (list: Float64Array, at: number, value: number): void => {
  list[at] = (list[at] as number) + value
}

const rare = (all: number, having: number): number => Math.log(1 + (all - having + 0.5) / (having + 0.5))
