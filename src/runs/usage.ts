/** The figures of one run, added to those of its conversation and day. */
import type { Line } from '../core/receipt/receipt.js'
import type { Windowed } from '../engine/window/window.js'
import type { Run } from './contract.js'
import type { Prefixes } from './prefix.js'

export function usageOf(
  ended: Run,
  made: (Windowed & { ok: true }) | null,
  prefixes: Prefixes,
): Readonly<Record<string, number>> {
  const receipt = made?.receipt
  const before = receipt?.totals.tokens.before ?? null
  const reused = made ? prefixes.reused(ended.conversation, made.items) : null
  return {
    runs: 1,
    [ended.state]: 1,
    messages: (ended.asked ? 1 : 0) + (ended.entry ? 1 : 0),
    sent: receipt?.request.used ?? 0,
    saved: receipt && before !== null ? Math.max(0, before - receipt.totals.tokens.after) : 0,
    dropped: receipt?.totals.dropped ?? 0,
    ...(receipt ? fatesOf(receipt.lines) : null),
    input: ended.usage?.input ?? 0,
    output: ended.usage?.output ?? 0,
    cost: ended.cost ?? 0,
    ...(reused === null || !receipt ? null : { reused, reusable: receipt.budget.used }),
  }
}

/** Messages by fate, and those that were not sent whole by the rule that decided it. */
function fatesOf(lines: readonly Line[]): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {}
  const add = (name: string, count: number): void => {
    numbers[name] = (numbers[name] ?? 0) + count
  }
  for (const { from, to, fate, rule } of lines) {
    add(`fate:${fate}`, to - from + 1)
    if (fate !== 'kept') add(`rule:${fate}:${rule}`, to - from + 1)
  }
  return numbers
}
