/** What can be found, in the order in which it was taken in, and by which words. */
import type { Searched } from '../search/found.js'
import { isSought, type Sought } from '../search/terms.js'
import { newest, newPostings, type Postings, post, termsFor, unpost } from './postings.js'

export type Listed = Searched & { readonly place: number; readonly conversation: string }

export interface Listing {
  /** By place, rising. */
  readonly all: Map<number, Listed>
  /** By conversation and `seq`. */
  readonly own: Map<string, Map<number, Listed>>
  readonly postings: Postings
}

export const newListing = (): Listing => ({ all: new Map(), own: new Map(), postings: newPostings() })

export function list({ all, own, postings }: Listing, one: Listed): void {
  all.set(one.place, one)
  const talk = own.get(one.conversation) ?? new Map<number, Listed>()
  own.set(one.conversation, talk.set(one.seq, one))
  post(postings, one.place, one.terms)
}

export const listedAt = ({ own }: Listing, conversation: string, seq: number): Listed | undefined =>
  own.get(conversation)?.get(seq)

/** Its place stays what it is. */
export function relist(listing: Listing, known: Listed, searched: Searched): void {
  const others = [...known.terms].filter((term) => !searched.terms.has(term))
  unpost(listing.postings, new Set([known.place]), others)
  list(listing, { ...known, ...searched })
}

export function unlist({ all, own, postings }: Listing, gone: readonly Listed[]): void {
  const terms = new Set<string>()
  for (const one of gone) {
    all.delete(one.place)
    const talk = own.get(one.conversation)
    talk?.delete(one.seq)
    if (talk?.size === 0) own.delete(one.conversation)
    for (const term of one.terms) terms.add(term)
  }
  unpost(postings, new Set(gone.map(({ place }) => place)), terms)
}

/** Those that have all the words, newest first: whatever fewest have leads, a word or the conversation. */
export function* withWords(
  { all, own, postings }: Listing,
  sought: readonly Sought[],
  before: number,
  conversation?: string,
): Generator<Listed> {
  const words = sought.map((word) => {
    const terms = termsFor(postings, word)
    return { word, terms, lists: terms.map((term) => postings.places.get(term) as number[]) }
  })
  const within = conversation === undefined ? [] : [[...(own.get(conversation)?.values() ?? [])].map(placeOf).sort(up)]
  const leads = [...words.map(({ lists }) => lists), ...(within.length > 0 ? [within] : [])]
  const lead = leads.reduce((least, lists) => (countOf(lists) < countOf(least) ? lists : least))
  for (const place of newest(lead, before)) {
    const one = all.get(place) as Listed
    if (words.every(({ word, terms, lists }) => lists === lead || has(one, word, terms))) yield one
  }
}

const placeOf = ({ place }: Listed): number => place
const up = (one: number, other: number): number => one - other
const countOf = (lists: readonly (readonly number[])[]): number => lists.reduce((sum, { length }) => sum + length, 0)

/** Asks for the words that there are, or looks at those of the entry, whichever are fewer. */
function has({ terms }: Listed, word: Sought, known: readonly string[]): boolean {
  if (known.length <= terms.size) return known.some((term) => terms.has(term))
  for (const term of terms) if (isSought(word, term)) return true
  return false
}
