/** Receipts: what was sent, to whom, and why; compared, and made again. */
import { z } from 'zod'
import { HistoryError } from '../core/message/issue.js'
import { explain } from '../core/receipt/explain.js'
import type { Receipt } from '../core/receipt/receipt.js'
import type { KeptReceipt } from '../runs/ask.js'
import type { StoredReceipt } from '../store/contract/keeping.js'
import type { PageQuery } from '../store/contract/page.js'
import type { OperationContext } from './context.js'
import { defined } from './defined.js'
import { diff, diffSchema } from './diff.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { replay, replaySchema } from './replay.js'
import { conversation_id, id, pageOf, paging } from './shapes/common.js'
import { keptReceiptSchema } from './shapes/receipt.js'
import { windowSchema } from './shapes/window.js'
import { changeable, whatIf } from './what-if.js'

const receipt_id = id.describe('The id of a receipt')

export const listReceipts = operation({
  name: 'receipts.list',
  summary: 'The receipts of a conversation, newest first',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({ conversation_id, ...paging }),
  output: pageOf(keptReceiptSchema),
  refusals: ['invalid'],
  run: async (context, { conversation_id, ...page }) => {
    const { id } = await findConversation(context, conversation_id)
    const { items, cursor } = await context.store.receipts(context.workspace, id, defined<PageQuery>(page))
    return { items: items.map(receiptToWire), next_cursor: cursor }
  },
})

export const getReceipt = operation({
  name: 'receipts.get',
  summary: 'One receipt, also in words',
  scope: 'read',
  owned: { receipt_id: 'receipt' },
  input: z.strictObject({ receipt_id }),
  output: keptReceiptSchema,
  run: async (context, { receipt_id }) => receiptToWire(await findReceipt(context, receipt_id)),
})

export const diffReceipts = operation({
  name: 'receipts.diff',
  summary: 'What became different from one window to another',
  scope: 'read',
  owned: { receipt_id: 'receipt', other_id: 'receipt' },
  input: z.strictObject({ receipt_id, other_id: receipt_id }),
  output: diffSchema,
  run: async (context, { receipt_id, other_id }) => {
    const [one, other] = await Promise.all([findReceipt(context, receipt_id), findReceipt(context, other_id)])
    return diff(receiptIn(one), receiptIn(other))
  },
})

export const replayReceipt = operation({
  name: 'receipts.replay',
  summary: 'Make the window again and see whether it is the same to the byte',
  scope: 'read',
  owned: { receipt_id: 'receipt' },
  input: z.strictObject({ receipt_id }),
  output: replaySchema,
  refusals: ['invalid', 'policy_invalid', 'gone'],
  run: async (context, { receipt_id }) => {
    const stored = await findReceipt(context, receipt_id)
    return replay(context, stored.conversation, receiptIn(stored), settingsOf(stored))
  },
})

export const whatIfReceipt = operation({
  name: 'receipts.what_if',
  summary: 'The window as it would have been with other settings; nothing is sent and nothing is kept',
  scope: 'read',
  owned: { receipt_id: 'receipt' },
  input: z.strictObject({ receipt_id, ...changeable }),
  output: windowSchema,
  refusals: ['invalid', 'policy_invalid', 'refused', 'unknown_model', 'gone'],
  example: { budget: 4_000 },
  run: async (context, { receipt_id, ...change }) => {
    const stored = await findReceipt(context, receipt_id)
    return whatIf(
      context,
      { conversation: stored.conversation, receipt: receiptIn(stored) },
      settingsOf(stored),
      change,
    )
  },
})

async function findReceipt({ store, workspace }: OperationContext, id: string): Promise<StoredReceipt> {
  const found = await store.getReceipt(workspace, id)
  if (!found) throw notFound('receipt_id', id)
  return found
}

/** A run keeps its receipt with the settings; a history keeps it alone. */
function keptIn({ body }: StoredReceipt): KeptReceipt | null {
  return typeof body === 'object' && body !== null && 'receipt' in body ? (body as KeptReceipt) : null
}

export const receiptIn = (stored: StoredReceipt): Receipt => (keptIn(stored)?.receipt ?? stored.body) as Receipt

function settingsOf(stored: StoredReceipt): KeptReceipt {
  const kept = keptIn(stored)
  // one that was passed on was the client's own
  if (kept?.policy) return kept
  const message = 'it was kept without what it takes to make the window again'
  throw new HistoryError('invalid', [{ code: 'invalid', message }])
}

function receiptToWire(stored: StoredReceipt) {
  const receipt = receiptIn(stored)
  return {
    id: stored.id,
    conversation_id: stored.conversation,
    message_id: stored.entry,
    run_id: keptIn(stored)?.run ?? null,
    at: stored.at,
    receipt,
    explanation: explain(receipt),
  }
}
