/** A message while it is streamed. */
import type { NewEntry } from './entry.js'

/** A draft to begin, held for some seconds at a time. */
export interface NewDraft {
  readonly id: string
  readonly branch: string
  readonly parent: string | null
  readonly leaseSeconds: number
  readonly at: string
  /** What the owner wants to find again if it has to be recovered; null when left out. */
  readonly body?: unknown
  /** Refused as `busy` while the conversation has another draft. */
  readonly sole?: boolean
}

/** An answer that is not finished, and who may write it. */
export interface Draft {
  readonly id: string
  readonly conversation: string
  readonly branch: string
  readonly parent: string | null
  readonly text: string
  readonly body: unknown
  /** Grows with every owner; a save with an older one is `fenced`. */
  readonly epoch: number
  readonly at: string
}

/** What there is so far, from the writer with this epoch. */
export interface DraftSave {
  readonly id: string
  readonly epoch: number
  readonly text: string
  readonly body: unknown
  readonly leaseSeconds: number
}

/** The end of a draft: its entries go into the log. */
export interface Promotion {
  readonly id: string
  readonly epoch: number
  readonly entries: readonly NewEntry[]
  readonly at: string
}

/** The lease alone, when the words are safe elsewhere. */
export interface DraftRenewal {
  readonly id: string
  readonly epoch: number
  readonly leaseSeconds: number
}
