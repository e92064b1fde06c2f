/** What became of each message of a path in one window. */
import type { KeptReceipt, Message } from '../src/client/index.js'
import type { words } from './strings/chat.js'

export interface Sort {
  readonly fate: keyof typeof words.fates
  readonly rule: string
  /** Tokens before and after, where the receipt tells them of this message alone. */
  readonly tokens: readonly [before: number, after: number] | null
}

/** By the position on the path, which is where a receipt counts from. */
export function fatesOf({ receipt }: KeptReceipt): (depth: number) => Sort | null {
  return (depth) => {
    const line = receipt.lines.find(({ from, to }) => from <= depth && depth <= to)
    if (!line) return null
    return { fate: line.fate, rule: line.rule, tokens: line.from === line.to ? line.tokens : null }
  }
}

export const isLess = ({ fate }: Sort): boolean => fate === 'dropped' || fate === 'summarised' || fate === 'folded'

/** Everything before the question went into the window or stayed out of it; what follows was not there yet. */
export function sortOf(
  message: Message,
  answer: Message | undefined,
  kept: KeptReceipt,
  fates = fatesOf(kept),
): Sort | null {
  if (!answer || message.depth > answer.depth) return null
  if (message.id === answer.id) return { fate: 'answer', rule: '', tokens: null }
  if (message.id === answer.parent_id && kept.receipt.current)
    return { fate: 'current', rule: kept.receipt.current.rule, tokens: kept.receipt.current.tokens }
  return fates(message.depth)
}
