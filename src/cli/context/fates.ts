/** The fate of every message, one by one. */
import type { Fate, Line } from '../../core/receipt/receipt.js'
import type { Entry } from '../../store/contract/entry.js'
import type { Made } from './make.js'

export interface Fated {
  /** Position in the window's history, from 0, as in the receipt. */
  readonly index: number
  readonly entry: Entry | null
  readonly fate: Fate
  readonly rule: string
  /** As it was written, and as it would be sent. */
  readonly tokens: readonly [before: number, sent: number]
}

export function fatesOf({ entries, window }: Made): Fated[] {
  const sent = new Map(window.items.flatMap(({ index, tokens }) => (index === null ? [] : [[index, tokens]])))
  return window.receipt.lines.flatMap((line) =>
    Array.from({ length: line.to - line.from + 1 }, (_, i): Fated => {
      const index = line.from + i
      const entry = entries[index] ?? null
      return { index, entry, fate: line.fate, rule: line.rule, tokens: tokensOf(line, entry, sent.get(index)) }
    }),
  )
}

/** A line of one message counts it; in a longer one, what was sent counts, and else what was written down. */
function tokensOf(line: Line, entry: Entry | null, sent: number | undefined): readonly [number, number] {
  if (line.from === line.to && line.tokens) return line.tokens
  const before = entry?.tokens ?? 0
  if (line.fate === 'dropped') return [before, 0]
  const now = sent ?? before
  return line.fate === 'kept' ? [now, now] : [Math.max(before, now), now]
}
