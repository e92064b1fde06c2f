/** What recall knows of one entry; its words are not kept. */
import type { Entry } from '../store/contract/entry.js'
import { bytesOf, lengthOf } from '../store/shared/bytes.js'
import { instantOf } from '../store/shared/instant.js'
import { type Pairs, pairsOf } from './pairs.js'
import { hashOf, termsOf, wordsOf } from './words.js'

type Role = 'user' | 'assistant' | 'tool'

export interface Card {
  /** Where it stands in its conversation. */
  readonly seq: number
  /** Its position on its path. */
  readonly depth: number
  /** The beginning of the hash of its words, as a number: the same words need no second place. */
  readonly contentHash: number
  /** Of `bits`. */
  readonly facts: number
  readonly author: string
  /** When it was said, in milliseconds; NaN when that is not known. */
  readonly at: number
  readonly tokens: number
  /** Words that say something. */
  readonly length: number
  /** Its words that stand side by side. */
  readonly pairs: Pairs
  /** Null without an embedder. */
  readonly vector: Int8Array | null
  /** What makes the vector one of length one. */
  readonly scale: number
}

/**
 * Who speaks, when that is not the user; it ends with a question; someone speaks of himself; it only goes on with what was said
 * ("hmm", "ok", "and"); it begins with what someone is, has or does; it has figures; it has an author.
 */
export const bits = { assistant: 1, tool: 2, asks: 4, self: 8, hangs: 16, tells: 32, figures: 64, named: 128 } as const

export const roleIn = (facts: number): Role =>
  facts & bits.tool ? 'tool' : facts & bits.assistant ? 'assistant' : 'user'

/** How often each stands there, by its hash: a term itself is a slice, and would keep the whole text it came from. */
export type Terms = ReadonlyMap<number, number>

type Said = Pick<Entry, 'seq' | 'depth' | 'contentHash' | 'at' | 'tokens' | 'text' | 'author'>

/** So much of a text is looked at: what is longer is a file or a log. */
export const most = 40_000

/** Null for what is never quoted. */
export function roleOf({ body, redacted, text }: Pick<Entry, 'body' | 'redacted' | 'text'>): Role | null {
  if (redacted || text.trim() === '') return null
  if (body.kind === 'message') return body.role === 'system' ? null : body.role
  return body.kind === 'result' ? 'tool' : null
}

const asks = /[?？؟]["'”)]*\s*(?:\[[^\]]*\]\s*)?$/
const hangs = /^(?:hmm|ok|okay|thanks|thank you|yeah|yes|no|sure|got it|great|cool|wow|what about|and|so|but)\b/i
const tells = /^.{0,60}\b(?:I'm|I am|I've|I have|my|we're|I just|I also)\b/i
const self = /\b(?:I|I'm|I've|[Mm]y|we|our)\b/

export function cardOf(entry: Said, role: Role, meant: Float32Array | null): [Card, Terms] {
  const { seq, depth, contentHash, at, tokens, author = '' } = entry
  const text = entry.text.slice(0, most)
  const terms = new Map<number, number>()
  const said = termsOf(wordsOf(text))
  for (const term of said) add(terms, term)
  // a person is found by name, too
  for (const term of termsOf(wordsOf(author))) add(terms, term)
  const vector = meant && bytesOf(meant)
  const facts =
    (role === 'user' ? 0 : bits[role]) |
    (asks.test(text.slice(-400)) ? bits.asks : 0) |
    (hangs.test(text) ? bits.hangs : 0) |
    (tells.test(text) ? bits.tells : 0) |
    (/\d/.test(text) ? bits.figures : 0) |
    (self.test(text) ? bits.self : 0) |
    (author === '' ? 0 : bits.named)
  return [
    {
      seq,
      depth,
      contentHash: Number.parseInt(contentHash.slice(0, 13), 16),
      facts,
      author,
      at: instantOf(at) ?? Number.NaN,
      tokens,
      length: said.length,
      pairs: pairsOf(said),
      vector,
      scale: vector ? 1 / (lengthOf(vector) || 1) : 0,
    },
    terms,
  ]
}

const add = (terms: Map<number, number>, term: string): void => {
  const hash = hashOf(term)
  terms.set(hash, (terms.get(hash) ?? 0) + 1)
}
