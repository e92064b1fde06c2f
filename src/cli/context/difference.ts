/** This window against the one that was sent last. */
import type { Receipt } from '../../core/receipt.js'
import { diff } from '../../http/history/diff.js'
import type { StoredReceipt } from '../../store/contract.js'
import { notFound } from '../failure.js'
import type { Desk } from '../history/desk.js'
import { number } from '../term.js'
import { when } from '../when.js'
import type { Made } from './make.js'

export interface Difference extends ReturnType<typeof diff> {
  readonly since: { readonly receipt: string; readonly at: string }
}

export async function difference({ store, workspace }: Desk, made: Made): Promise<Difference> {
  const { items } = await store.receipts(workspace, made.conversation.id, { limit: 1 })
  const [last] = items
  if (!last) throw notFound('nothing was sent yet: there is no receipt to compare with')
  return { since: { receipt: last.id, at: last.at }, ...diff(receiptIn(last), made.window.receipt) }
}

/** A run keeps its receipt with the settings, a history keeps it alone. */
function receiptIn({ body }: StoredReceipt): Receipt {
  const kept = body as { readonly receipt?: Receipt }
  return kept.receipt ?? (body as Receipt)
}

export function differenceText({ since, same, facts, messages }: Difference): string {
  const lines = [
    `against ${since.receipt}, ${when(since.at)}`,
    ...(same ? ['the same request to the byte'] : []),
    ...facts.map(({ field, before, after }) => `  ~ ${field}: ${plain(before)} → ${plain(after)}`),
    ...messages.map(({ from, to, before, after }) => {
      const where = from === to ? `message ${from}` : `messages ${from}–${to}`
      if (!before) return `  + ${where}: ${after?.fate} (${after?.rule})`
      return after ? `  ~ ${where}: ${before.fate} → ${after.fate} (${after.rule})` : `  - ${where}: was ${before.fate}`
    }),
  ]
  return lines.join('\n')
}

const plain = (value: unknown): string => (typeof value === 'number' ? number(value) : String(value ?? 'none'))
