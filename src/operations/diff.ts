/** Two receipts side by side: only what differs. */
import { z } from 'zod'
import type { Line, Receipt } from '../core/receipt/receipt.js'

const verdict = z.object({ fate: z.string(), rule: z.string() }).nullable()

export const diffSchema = z
  .object({
    same: z.boolean().describe('The requests were the same to the byte'),
    facts: z
      .array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() }))
      .describe('Facts of the windows that differ'),
    messages: z
      .array(z.object({ from: z.int(), to: z.int(), before: verdict, after: verdict }))
      .describe('Runs of messages whose fate differs, positions inclusive'),
  })
  .meta({ id: 'ReceiptDiff', description: 'What two windows have in common, and what not' })

export function diff(before: Receipt, after: Receipt): z.output<typeof diffSchema> {
  return {
    same: before.wire.hash === after.wire.hash,
    facts: facts(before, after),
    messages: fates(before.lines, after.lines),
  }
}

function facts(before: Receipt, after: Receipt): z.output<typeof diffSchema>['facts'] {
  const told = (receipt: Receipt): Record<string, unknown> => ({
    policy: receipt.policy.name,
    policy_hash: receipt.policy.hash,
    target: receipt.target,
    model: receipt.model?.id ?? null,
    counter: receipt.counter.name,
    budget: receipt.request.budget,
    used: receipt.request.used,
    limit: receipt.budget.limit,
    messages: receipt.totals.messages,
    kept: receipt.totals.kept,
    dropped: receipt.totals.dropped,
  })
  const [one, other] = [told(before), told(after)]
  return Object.keys(one).flatMap((field) =>
    one[field] === other[field] ? [] : [{ field, before: one[field], after: other[field] }],
  )
}

/** Both lists are in order and without holes: one walk over both. */
function fates(before: readonly Line[], after: readonly Line[]): z.output<typeof diffSchema>['messages'] {
  const out: z.output<typeof diffSchema>['messages'] = []
  const end = Math.max(before.at(-1)?.to ?? -1, after.at(-1)?.to ?? -1)
  for (let at = 0, i = 0, j = 0; at <= end; ) {
    while (before[i] && (before[i] as Line).to < at) i++
    while (after[j] && (after[j] as Line).to < at) j++
    const [one, other] = [before[i], after[j]]
    const to = Math.min(one?.to ?? end, other?.to ?? end)
    if (one?.fate !== other?.fate || one?.rule !== other?.rule)
      out.push({ from: at, to, before: verdictOf(one), after: verdictOf(other) })
    at = to + 1
  }
  return out
}

const verdictOf = (line: Line | undefined): z.output<typeof verdict> =>
  line ? { fate: line.fate, rule: line.rule } : null
