/** Where a workspace speaks of the words of a question: rare words weigh more, and common ones are looked for two by two. */

import type { Hit } from '../store/contract/search.js'
import type { Store } from '../store/contract.js'
import { termOf, wordsOf } from './words.js'

export interface Find {
  readonly hit: Hit
  /** The rarer the words by which it was found, the more. */
  readonly weight: number
}

/** So many words are looked up, so many of the newest hits of each are looked at, and so many pairs of common words. */
const words = 8
const each = 16
const pairs = 4

export async function findWords(
  { store, workspace }: { readonly store: Store; readonly workspace: string },
  question: string,
): Promise<readonly Find[]> {
  const look = async (text: string): Promise<readonly Hit[]> =>
    (await store.search(workspace, { text, limit: each })).items
  const sought = soughtIn(question)
  const single = await Promise.all(sought.map(({ beginning }) => look(beginning)))
  const common = sought.filter((_, at) => (single[at]?.length ?? 0) >= each)
  const double = await Promise.all(pairsOf(common).map(look))
  const finds = new Map<string, Find>()
  for (const hits of [...single, ...double])
    for (const hit of hits) {
      const name = JSON.stringify([hit.conversation, hit.entry])
      finds.set(name, { hit, weight: (finds.get(name)?.weight ?? 0) + 1 / (1 + hits.length) })
    }
  return [...finds.values()]
}

interface Word {
  readonly word: string
  /** Other forms of the word begin so, too. */
  readonly beginning: string
}

/** The longest words first: they say most. */
function soughtIn(question: string): readonly Word[] {
  const telling = [...new Set(wordsOf(question))].filter((word) => termOf(word) !== '')
  const found = telling.map((word) => ({ word, beginning: word.startsWith(termOf(word)) ? termOf(word) : word }))
  return [...new Map(found.map((one) => [one.beginning, one])).values()]
    .sort((one, other) => other.word.length - one.word.length)
    .slice(0, words)
}

function pairsOf(common: readonly Word[]): string[] {
  const all = common.flatMap(({ word }, at) => common.slice(at + 1).map(({ beginning }) => `${word} ${beginning}`))
  return all.slice(0, pairs)
}
