/** Two windows over the same path: what more is sent, what less. */
import { isSent, type Look, type Receipt, type Row } from './rows.js'

export interface Comparison {
  /** Messages that are sent now and were not, and the other way round. */
  readonly more: number
  readonly fewer: number
  /** Tokens of the second window over those of the first. */
  readonly tokens: number
  readonly same: boolean
  /** The fates of the first. */
  readonly was: ReadonlyMap<string, Look>
}

export interface Window {
  readonly receipt: Receipt
  readonly rows: readonly Row[]
}

export function compare(before: Window, after: Window): Comparison {
  const was = new Map(before.rows.map(({ brief, look }) => [brief.id, look]))
  const sent = new Set(before.rows.filter(isSent).map(({ brief }) => brief.id))
  const now = after.rows.filter(isSent)
  const more = now.filter(({ brief }) => !sent.has(brief.id)).length
  return {
    more,
    fewer: sent.size - (now.length - more),
    tokens: after.receipt.request.used - before.receipt.request.used,
    same: before.receipt.wire.hash === after.receipt.wire.hash,
    was,
  }
}
