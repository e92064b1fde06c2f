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
  const { lines, request } = window.receipt
  const counted = new Map(request.each.map(([index, sent, whole]) => [index, [whole, sent] as const]))
  return lines.flatMap((line) =>
    Array.from({ length: line.to - line.from + 1 }, (_, i): Fated => {
      const index = line.from + i
      const entry = entries[index] ?? null
      return { index, entry, fate: line.fate, rule: line.rule, tokens: counted.get(index) ?? [wholeOf(line, entry), 0] }
    }),
  )
}

/** A line of one message counts it; a message of a longer one has what was written down with it. */
const wholeOf = ({ from, to, tokens }: Line, entry: Entry | null): number =>
  from === to && tokens ? tokens[0] : (entry?.tokens ?? 0)
