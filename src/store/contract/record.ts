/** Small documents beside the log. */
import type { PageQuery } from './page.js'

/** A record to write, if its revision is still the one that was seen. */
export interface RecordPut {
  readonly kind: string
  readonly id: string
  readonly body: unknown
  readonly at: string
  /** The conversation that owns it; it is removed with it. */
  readonly conversation?: string
  /** The revision it must have now, null for none; left out, whatever there is gives way. */
  readonly expect?: number | null
}

/** Adds to the numbers of a record, which is made when there is none: no one's addition is lost. */
export interface RecordAdd {
  readonly kind: string
  readonly id: string
  readonly numbers: Readonly<Record<string, number>>
  readonly at: string
}

/** A small document beside the log: memories, tasks, keys, settings. */
export interface StoredRecord {
  readonly kind: string
  readonly id: string
  readonly conversation: string | null
  readonly body: unknown
  /** From 1, one more with each change. */
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Which records, by kind and conversation. */
export interface RecordQuery extends PageQuery {
  readonly kind: string
  readonly conversation?: string
}
