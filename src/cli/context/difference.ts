/** This window against the one that was sent last. */
import { upToDate } from '../../core/receipt/older.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import { diff } from '../../operations/diff.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import { paged } from '../../store/shared/page.js'
import type { Cli } from '../kit/desk.js'
import { notFound } from '../kit/failure.js'
import { number } from '../kit/term.js'
import { when } from '../kit/when.js'
import type { Made } from './make.js'

interface Difference extends ReturnType<typeof diff> {
  readonly since: { readonly receipt: string; readonly at: string }
}

export async function difference({ store, workspace }: Cli, made: Made): Promise<Difference> {
  const { id } = made.conversation
  const newest = paged((from) => store.receipts(workspace, id, { limit: 20, ...from }))
  for await (const stored of newest) {
    const { receipt, branch } = keptIn(stored)
    if (branch !== made.branch) continue
    return { since: { receipt: stored.id, at: stored.at }, ...diff(receipt, made.window.receipt) }
  }
  throw notFound(`nothing was sent on branch ${made.branch} yet: there is no receipt to compare with`)
}

/** A run keeps its receipt with the settings, a history keeps it alone. */
function keptIn({ body }: StoredReceipt): { readonly receipt: Receipt; readonly branch: string } {
  const kept = body as { readonly receipt?: Receipt; readonly branch?: string }
  return { receipt: upToDate(kept.receipt ?? (body as Receipt)), branch: kept.branch ?? 'main' }
}

export function differenceText({ since, same, facts, messages }: Difference, { entries }: Made): string {
  const numberOf = (index: number): string => String(entries[index]?.seq ?? 'now')
  const lines = [
    `against ${since.receipt}, ${when(since.at)}`,
    ...(same ? ['the same request to the byte'] : []),
    ...facts.map(({ field, before, after }) => `  ~ ${field}: ${plain(before)} → ${plain(after)}`),
    ...messages.map(({ from, to, before, after }) => {
      const where = from === to ? `message ${numberOf(from)}` : `messages ${numberOf(from)}–${numberOf(to)}`
      if (!before) return `  + ${where}: ${verdict(after)}`
      return after ? `  ~ ${where}: ${verdict(before)} → ${verdict(after)}` : `  - ${where}: was ${verdict(before)}`
    }),
  ]
  return lines.join('\n')
}

const verdict = (one: { readonly fate: string; readonly rule: string } | null): string =>
  one === null ? 'nothing' : `${one.fate} (${one.rule})`

const plain = (value: unknown): string => (typeof value === 'number' ? number(value) : String(value ?? 'none'))
