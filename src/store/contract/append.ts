/** Entries as they are appended and read. */
import type { Entry } from './entry.js'

/** Which branch is written to, and from where. */
export interface AppendOptions {
  readonly branch: string
  /** The head the caller saw; left out, the entries go wherever the head is. */
  readonly expect?: string | null
  /** Begin at this entry instead of the head, or at the very beginning with null: a new branch, or one that moves. */
  readonly from?: string | null
  /** Idempotency key; its record commits with the entries. */
  readonly key?: string
  readonly at: string
}

/** The entries as they stand in the log. */
export interface Appended {
  readonly entries: readonly Entry[]
  readonly head: string
  /** Nothing was written: all of it was there already. */
  readonly repeated: boolean
}

/** How far back a window query goes: it stops behind the first entry that crosses one of the limits. */
export interface Reach {
  readonly tokens?: number
  readonly entries?: number
  readonly turns?: number
}

export interface Stretch {
  readonly head: Entry | null
  /** Newest part of the path, oldest first. */
  readonly entries: readonly Entry[]
  /** The first user message of the path, when it is not among the entries. */
  readonly opener: Entry | null
  /** The newest summary on the path, when it is not among the entries. */
  readonly summary: Entry | null
}
