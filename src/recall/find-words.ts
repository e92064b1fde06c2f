/** Where a workspace speaks of what a question asks: rare words weigh more, and common ones are looked for two by two. */

import type { Meant, Spot } from '../store/contract/search.js'
import type { Store } from '../store/contract/store.js'
import { termOf, wordsOf } from './words.js'

export interface Find {
  readonly spot: Spot
  /** The rarer the words by which it was found, or the nearer it is, the more. */
  readonly weight: number
}

/** So many words are looked up, so many of the newest hits of each are looked at, and so many pairs of common words. */
const words = 8
const each = 16
const pairs = 4

export async function findWords(
  { store, workspace }: { readonly store: Store; readonly workspace: string },
  question: string,
  meant: Meant | null,
): Promise<readonly Find[]> {
  const sought = soughtIn(question)
  const leads = [...sought.map(({ beginning }) => beginning), ...(meant ? [meant] : [])]
  const found = await store.locate(workspace, leads, each)
  const single = found.slice(0, sought.length)
  const common = sought.filter((_, at) => (single[at]?.length ?? 0) >= each)
  const double = await store.locate(workspace, pairsOf(common), each)
  const finds = new Map<string, Find>()
  const note = (spot: Spot, weight: number): void => {
    const name = `${spot.seq} ${spot.conversation}`
    finds.set(name, { spot, weight: (finds.get(name)?.weight ?? 0) + weight })
  }
  for (const spots of [...single, ...double]) for (const spot of spots) note(spot, 1 / (1 + spots.length))
  for (const [rank, spot] of (found[sought.length] ?? []).entries()) note(spot, near / (1 + rank))
  return [...finds.values()]
}

/** What the nearest weighs: as much as one that has a word of its own. */
const near = 0.5

/** The longest words first: they say most. Other forms of a word have its beginning, too. */
function soughtIn(question: string) {
  const telling = [...new Set(wordsOf(question))].filter((word) => termOf(word) !== '')
  const found = telling.map((word) => ({ word, beginning: word.startsWith(termOf(word)) ? termOf(word) : word }))
  return [...new Map(found.map((one) => [one.beginning, one])).values()]
    .sort((one, other) => other.word.length - one.word.length)
    .slice(0, words)
}

function pairsOf(common: ReturnType<typeof soughtIn>): string[] {
  const all = common.flatMap(({ word }, at) => common.slice(at + 1).map(({ beginning }) => `${word} ${beginning}`))
  return all.slice(0, pairs)
}
