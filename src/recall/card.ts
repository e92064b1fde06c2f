/** What recall knows of one entry; its words are not kept. */
import type { Entry } from '../store/contract/entry.js'
import { bytesOf, lengthOf } from '../store/shared/bytes.js'
import { instantOf } from '../store/shared/instant.js'
import { type Pairs, pairsOf } from './pairs.js'
import { termsOf, wordsOf } from './words.js'

export interface Card {
  readonly id: string
  /** Its position on its path. */
  readonly depth: number
  /** Of its words: the same words need no second place. */
  readonly contentHash: string
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly author: string
  /** When it was said, in milliseconds; NaN when that is not known. */
  readonly at: number
  readonly tokens: number
  /** Words that say something. */
  readonly length: number
  /** It ends with a question. */
  readonly asks: boolean
  /** Someone speaks of himself. */
  readonly self: boolean
  /** It only goes on with what was said: "hmm", "ok", "and". */
  readonly hangs: boolean
  /** It begins with what someone is, has or does. */
  readonly tells: boolean
  readonly figures: boolean
  /** Its words that stand side by side. */
  readonly pairs: Pairs
  /** Null without an embedder. */
  readonly vector: Int8Array | null
  /** What makes the vector one of length one. */
  readonly scale: number
}

type Said = Pick<Entry, 'id' | 'depth' | 'contentHash' | 'at' | 'tokens' | 'text' | 'author'>

/** So much of a text is looked at: what is longer is a file or a log. */
const most = 40_000

/** Null for what is never quoted. */
export function roleOf({ body, redacted, text }: Pick<Entry, 'body' | 'redacted' | 'text'>): Card['role'] | null {
  if (redacted || text.trim() === '') return null
  if (body.kind === 'message') return body.role === 'system' ? null : body.role
  return body.kind === 'result' ? 'tool' : null
}

export function cardOf(
  entry: Said,
  role: Card['role'],
  meant: Float32Array | null,
): [Card, ReadonlyMap<string, number>] {
  const { id, depth, contentHash, at, tokens, author = '' } = entry
  const text = entry.text.slice(0, most)
  const terms = new Map<string, number>()
  const said = termsOf(wordsOf(text))
  for (const term of said) add(terms, term)
  // a person is found by name, too
  for (const term of termsOf(wordsOf(author))) add(terms, term)
  const vector = meant && bytesOf(meant)
  const facts = {
    asks: /[?？؟]["'”)]*\s*(?:\[[^\]]*\]\s*)?$/.test(text.slice(-400)),
    hangs: /^(?:hmm|ok|okay|thanks|thank you|yeah|yes|no|sure|got it|great|cool|wow|what about|and|so|but)\b/i.test(
      text,
    ),
    tells: /^.{0,60}\b(?:I'm|I am|I've|I have|my|we're|I just|I also)\b/i.test(text),
    figures: /\d/.test(text),
    self: /\b(?:I|I'm|I've|[Mm]y|we|our)\b/.test(text),
  }
  return [
    {
      id,
      depth,
      contentHash,
      role,
      author,
      at: instantOf(at) ?? Number.NaN,
      tokens,
      length: said.length,
      ...facts,
      pairs: pairsOf(said),
      vector,
      scale: vector ? 1 / (lengthOf(vector) || 1) : 0,
    },
    terms,
  ]
}

const add = (terms: Map<string, number>, term: string): void => {
  terms.set(term, (terms.get(term) ?? 0) + 1)
}
