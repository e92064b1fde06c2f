/** Receipts that were kept before they carried `request`: the same numbers, worked out from what they say. */
import type { Receipt } from './receipt.js'
import { isSentAs, type RequestNumbers, usedOf } from './receipt.js'

type Older = Omit<Receipt, 'request'> & { readonly request?: RequestNumbers }

export const upToDate = (receipt: Older): Receipt => ({ ...receipt, request: receipt.request ?? numbersOf(receipt) })

function numbersOf({ model, budget, totals, lines, current, summary, recall }: Older): RequestNumbers {
  const { system, tools } = budget.reserve
  const around = system + tools
  const answering = current?.tokens[1] ?? 0
  const history = totals.tokens.after
  const parts = {
    system,
    tools,
    history,
    summary: summary?.tokens ?? 0,
    recall: recall?.tokens ?? 0,
    current: answering,
    markers: 0,
  }
  const known = usedOf({ ...parts, frame: 0 })
  const used = Math.max(budget.used + around, known)
  const lost = lines.reduce((sum, { from, to, fate }) => (isSentAs(fate) ? sum : sum + to - from + 1), 0)
  const now = current ? 1 : 0
  return {
    window: model?.window ?? null,
    budget: budget.tokens === null ? null : budget.tokens + around,
    used,
    free: budget.free,
    parts: { ...parts, frame: used - known },
    messages: { sent: Math.max(0, totals.messages - lost) + now, of: totals.messages + now },
    tokens: {
      sent: history + answering,
      of: totals.tokens.before === null ? null : totals.tokens.before + (current?.tokens[0] ?? 0),
    },
    each: lines.flatMap(({ from, to, fate, tokens }) =>
      from === to && tokens && isSentAs(fate) ? [[from, tokens[1], tokens[0]] as const] : [],
    ),
  }
}
