/** What is looked for, and what is found. */
import type { PageQuery } from './page.js'

/** What to look for, and where. */
export interface SearchQuery extends PageQuery {
  readonly text: string
  readonly conversation?: string
  /** Only what is on the path of this branch of the conversation. */
  readonly branch?: string
  /** Only in conversations with this tag. */
  readonly tag?: string
  readonly role?: 'system' | 'user' | 'assistant' | 'tool'
  /** Said at or after, and before: instants in ISO form, compared as instants. */
  readonly since?: string
  readonly until?: string
  readonly near?: Near
}

/** What a query means. */
export interface Meant {
  /** Whose vector it is; vectors of different models are never compared. */
  readonly model: string
  readonly vector: Float32Array
  /** The cosine from which on an entry is near. */
  readonly least: number
}

export interface Near extends Meant {
  /** `meaning`: the nearest first. `both`: those with the words and the nearest, fused by their ranks. */
  readonly by: 'meaning' | 'both'
}

/** What leads to entries: words, or a meaning. */
export type Lead = string | Meant

/** Where an entry stands. */
export interface Spot {
  readonly conversation: string
  readonly seq: number
}

export interface Unembedded {
  readonly conversation: string
  readonly seq: number
  readonly text: string
}

export interface NewVector {
  readonly conversation: string
  readonly seq: number
  readonly vector: Float32Array
}

export interface Reindexed {
  /** So many were looked at. */
  readonly entries: number
  /** Where to go on; null when all are done. */
  readonly cursor: string | null
}

/** A message that matches, with where it stands. */
export interface Hit {
  readonly conversation: string
  readonly title: string
  readonly entry: string
  readonly seq: number
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly at: string
  /** A stretch of the text around the first word that was found, at most 240 chars. */
  readonly snippet: string
  /** Where the words stand in the snippet: from and to, in UTF-16 units. */
  readonly marks: readonly (readonly [from: number, to: number])[]
  /** Found with `near`: the cosine, or the sum of what its ranks are worth. */
  readonly score?: number
  /** Found with `near`: by what. */
  readonly why?: 'words' | 'meaning' | 'both'
}
