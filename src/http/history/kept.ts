/** A receipt as it is kept: with the settings of its run, or alone. */
import type { Receipt } from '../../core/receipt/receipt.js'
import type { KeptReceipt } from '../../runs/ask.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'

type At = Pick<Context, 'frame' | 'workspace'>

export async function findReceipt({ frame, workspace }: At, id: string): Promise<StoredReceipt> {
  const found = await frame.store.getReceipt(workspace, id)
  if (!found) throw new Problem('not_found')
  return found
}

/** A run keeps its receipt with the settings; a history keeps it alone. */
export function keptIn({ body }: StoredReceipt): KeptReceipt | null {
  return typeof body === 'object' && body !== null && 'receipt' in body ? (body as KeptReceipt) : null
}

export function settingsIn(stored: StoredReceipt): KeptReceipt {
  const kept = keptIn(stored)
  // one that was passed on was the client's own
  if (!kept?.policy)
    throw new Problem('invalid', { detail: 'it was kept without what it takes to make the window again' })
  return kept
}

export const receiptIn = (stored: StoredReceipt): Receipt => (keptIn(stored)?.receipt ?? stored.body) as Receipt
