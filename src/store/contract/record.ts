/** Small documents beside the log. */
import type { PageQuery } from './page.js'

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

export interface RecordQuery extends PageQuery {
  readonly kind: string
  readonly conversation?: string
}
