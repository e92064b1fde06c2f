/** Cards of the workspace's other conversations, found by the words of the question. */
import type { Hit, Store } from '../store/contract.js'
import { cardOf } from './card.js'
import { type Catalogue, createCatalogue } from './catalogue.js'
import type { Embedder } from './embedder.js'
import { termOf, wordsOf } from './words.js'

export interface Elsewhere {
  readonly catalogue: Catalogue
  /** In the order of the cards. */
  readonly hits: readonly Hit[]
}

/** So many words are looked up, and so many of the newest hits of each are looked at. */
const words = 8
const each = 24

export async function lookElsewhere(
  {
    store,
    workspace,
    conversation,
  }: { readonly store: Store; readonly workspace: string; readonly conversation: string },
  question: string,
  embedder: Embedder | null,
): Promise<Elsewhere> {
  const pages = await Promise.all(soughtIn(question).map((text) => store.search(workspace, { text, limit: each })))
  const found = new Map(
    pages.flatMap(({ items }) => items.map((hit) => [JSON.stringify([hit.conversation, hit.entry]), hit])),
  )
  const hits = [...found.values()]
    .filter((hit) => hit.conversation !== conversation)
    .sort((one, other) =>
      one.conversation < other.conversation ? -1 : one.conversation > other.conversation ? 1 : one.seq - other.seq,
    )
  const vectors = embedder && hits.length > 0 ? await embedder.embed(hits.map(({ snippet }) => snippet)) : null
  const catalogue = createCatalogue()
  for (const [at, hit] of hits.entries()) catalogue.add(...cardOf(saidIn(hit), hit.role, vectors?.[at] ?? null))
  return { catalogue, hits }
}

/** Rough: the snippet stands for the whole until it is chosen. */
const saidIn = ({ entry, seq, at, snippet }: Hit) => ({
  id: entry,
  depth: seq,
  contentHash: snippet,
  at,
  tokens: Math.ceil(snippet.length / 3),
  text: snippet,
})

/** The longest words first: they say most. Each by its beginning, so that other forms of it are found. */
function soughtIn(question: string): string[] {
  const telling = [...new Set(wordsOf(question))].filter((word) => termOf(word) !== '')
  const beginnings = telling.map((word) => (word.startsWith(termOf(word)) ? termOf(word) : word))
  return [...new Set(beginnings)].sort((one, other) => other.length - one.length).slice(0, words)
}
