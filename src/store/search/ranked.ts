/** Search by meaning, and by both: pages of what two lists come to, the same in every store. */
import type { Page } from '../contract/page.js'
import type { Hit, Near, SearchQuery } from '../contract/search.js'
import { decodeCursor, encodeCursor, limitOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { isSought, type Sought, searchTerms } from './terms.js'

/** Where an entry stands in the index. */
export type Ref = Readonly<ReturnType<typeof refOf>>

export const refOf = (row: Readonly<Record<string, unknown>>) => ({
  place: row.place as number,
  conversation: row.conversation_id as string,
  seq: row.seq as number,
})

export type Scored = Ref & { readonly score: number }

/** Best first, and of equals the newest. */
export interface Bound {
  /** Only what was taken in before it. */
  readonly below: number
  readonly limit: number
  /** Only what comes behind it. */
  readonly after?: Pick<Scored, 'score' | 'place'>
}

/** What a store gives: two lists, and the entries themselves. */
export interface Sides {
  /** A place above all that are taken. */
  end(): Promise<number>
  /** Those that have the words, newest first. */
  words(bound: Bound): Promise<readonly Ref[]>
  /** Those that are near, nearest first; none of them is gone. */
  nearest(bound: Bound): Promise<readonly Scored[]>
  /** In the order asked for, without those that are gone. */
  hits(refs: readonly Ref[]): Promise<readonly { readonly ref: Ref; readonly hit: Hit; readonly text: string }[]>
}

/** So many of each list are fused. */
const depth = 200
/** What a rank is worth: 1 / (60 + rank), as the authors of reciprocal rank fusion have it. */
const damp = 60

export function ranked(query: SearchQuery, near: Near, sought: readonly Sought[], sides: Sides): Promise<Page<Hit>> {
  return near.by === 'meaning' ? nearest(query, sought, sides) : fused(query, sought, sides)
}

/** A page ends with a score and a place, so that what is written meanwhile moves nothing. */
async function nearest(query: SearchQuery, sought: readonly Sought[], sides: Sides): Promise<Page<Hit>> {
  const limit = limitOf(query.limit)
  const after = query.cursor === undefined ? undefined : keyIn(query.cursor)
  const found = await sides.nearest({ below: await sides.end(), limit: limit + 1, ...(after && { after }) })
  const page = found.slice(0, limit)
  const scores = new Map(page.map(({ place, score }) => [place, score]))
  const items = (await sides.hits(page)).map(({ ref, hit, text }): Hit => {
    const why = hasAll(text, sought) ? 'both' : 'meaning'
    return { ...hit, score: rounded(scores.get(ref.place) as number), why }
  })
  const last = page.at(-1)
  return {
    items,
    cursor: last && found.length > limit ? encodeCursor([String(last.score), String(last.place)]) : null,
  }
}

/** A page ends with a count, among what had been taken in when the first page was made. */
async function fused(query: SearchQuery, sought: readonly Sought[], sides: Sides): Promise<Page<Hit>> {
  const limit = limitOf(query.limit)
  const [below, from] = query.cursor === undefined ? [await sides.end(), 0] : countIn(query.cursor)
  const [words, meaning] = await Promise.all([
    sought.length > 0 ? sides.words({ below, limit: depth }) : [],
    sides.nearest({ below, limit: depth }),
  ])
  const all = fuse(words, meaning)
  const page = all.slice(from, from + limit)
  const known = new Map(page.map((one) => [one.place, one]))
  const items = (await sides.hits(page)).map(({ ref, hit }): Hit => {
    const { score, why } = known.get(ref.place) as Fused
    return { ...hit, score: rounded(score), why }
  })
  const next = from + limit
  return { items, cursor: next < all.length ? encodeCursor([String(below), String(next)]) : null }
}

type Fused = Scored & { readonly why: NonNullable<Hit['why']> }

function fuse(words: readonly Ref[], meaning: readonly Ref[]): readonly Fused[] {
  const all = new Map<number, Fused>()
  for (const [rank, ref] of words.entries()) all.set(ref.place, { ...ref, score: worth(rank), why: 'words' })
  for (const [rank, ref] of meaning.entries()) {
    const score = worth(rank) + (all.get(ref.place)?.score ?? 0)
    all.set(ref.place, { ...ref, score, why: all.has(ref.place) ? 'both' : 'meaning' })
  }
  return [...all.values()].sort((one, other) => other.score - one.score || other.place - one.place)
}

const worth = (rank: number): number => 1 / (damp + rank + 1)

const rounded = (score: number): number => Math.round(score * 10_000) / 10_000

function hasAll(text: string, sought: readonly Sought[]): boolean {
  const terms = searchTerms(text)
  const has = (word: Sought): boolean =>
    terms.has(word.term) || (word.prefix && [...terms].some((term) => isSought(word, term)))
  return sought.length > 0 && sought.every(has)
}

function keyIn(cursor: string): Pick<Scored, 'score' | 'place'> {
  const [score, place] = numbersIn(cursor)
  return { score, place }
}

function countIn(cursor: string): readonly [below: number, from: number] {
  const [below, from] = numbersIn(cursor)
  if (Number.isSafeInteger(from) && from >= 0) return [below, from]
  throw strange(cursor)
}

function numbersIn(cursor: string): readonly [number, number] {
  const [one, other] = decodeCursor(cursor, 2).map((part) => (part === '' ? Number.NaN : Number(part)))
  if (one !== undefined && Number.isFinite(one) && Number.isSafeInteger(other)) return [one, other as number]
  throw strange(cursor)
}

const strange = (cursor: string): Error =>
  refusal('invalid', 'the cursor is not one that a page gave', { field: 'cursor', value: cursor })
