/** What one request says of itself, in the few figures that every screen shows. All of them are the receipt's own. */
import type { KeptReceipt } from '../../src/client/index.js'

export type Receipt = KeptReceipt['receipt']

export interface Saw {
  /** Messages that were sent whole, shortened or quoted, of all there were; the question is one. */
  readonly seen: number
  readonly of: number
  /** Only in a summary. */
  readonly summarised: number
  readonly left: number
  /** Tokens of the whole request, and those the model takes. */
  readonly used: number
  readonly window: number | null
}

/** A receipt of before 0.2 has no numbers of its request; it is as good as none. */
export const isCounted = ({ receipt }: KeptReceipt): boolean => 'request' in receipt

export const sawOf = ({ request, totals }: Receipt): Saw => ({
  seen: request.messages.sent,
  of: request.messages.of,
  summarised: totals.summarised,
  left: totals.dropped,
  used: request.used,
  window: request.window,
})

/** How much of a message got through. */
export type Column = 'seen' | 'recalled' | 'short' | 'summary' | 'out' | 'missed' | 'question'

/** Neighbours that fared alike. */
export interface Stretch {
  readonly column: Column
  readonly count: number
}

const columns: Readonly<Record<Receipt['lines'][number]['fate'], Column>> = {
  kept: 'seen',
  clipped: 'short',
  folded: 'short',
  recalled: 'recalled',
  summarised: 'summary',
  dropped: 'out',
}

/** From the first message to the question. `missed`: where the details are that the model could not see. */
export function stretchesOf({ lines, current }: Receipt, missed: ReadonlySet<number> = new Set()): readonly Stretch[] {
  const found: { column: Column; count: number }[] = []
  const add = (column: Column, count = 1): void => {
    const last = found.at(-1)
    if (last?.column === column) last.count += count
    else found.push({ column, count })
  }
  for (const { from, to, fate, rule } of lines) {
    // a place in the log that holds no message
    if (rule === 'no_message') continue
    const hits = [...missed].filter((at) => from <= at && at <= to).sort((a, b) => a - b)
    let at = from
    for (const hit of fate === 'kept' ? [] : hits) {
      if (hit > at) add(columns[fate], hit - at)
      add('missed')
      at = hit + 1
    }
    if (at <= to) add(columns[fate], to - at + 1)
  }
  if (current) add('question')
  return found
}
