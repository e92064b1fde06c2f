/** Receipts: what was sent, to whom, and why; compared, and made again. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import { HistoryError } from '../core/message/issue.js'
import { explain } from '../core/receipt/explain.js'
import { upToDate } from '../core/receipt/older.js'
import type { Receipt } from '../core/receipt/receipt.js'
import type { KeptReceipt } from '../runs/ask.js'
import type { StoredReceipt } from '../store/contract/keeping.js'
import type { PageQuery } from '../store/contract/page.js'
import type { OperationContext } from './context.js'
import { diff, diffSchema } from './diff.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { invalidInput, notFound } from './refusals.js'
import { replay, replaySchema } from './replay.js'
import { conversation_id, id, pageSchema, paging } from './shapes/common.js'
import { keptReceiptSchema, numbersShape, receiptSchema, withoutEach } from './shapes/receipt.js'
import { windowSchema } from './shapes/window.js'
import { changeable, whatIf } from './what-if.js'

const receipt_id = id.describe('The id of a receipt')

export const listReceipts = operation({
  name: 'receipts.list',
  summary: 'The receipts of a conversation, newest first',
  scope: 'read',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({ conversation_id, ...paging }),
  output: pageSchema(keptReceiptSchema),
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

export const explainReceipt = operation({
  name: 'receipts.explain',
  summary: 'What was sent and what was not, and why: by a receipt, a conversation (its newest) or a task',
  scope: 'read',
  // one of the three is given; the tests of MCP ask for the other two
  owned: { receipt_id: 'receipt' },
  input: z.strictObject({
    receipt_id: receipt_id.optional(),
    conversation_id: conversation_id.optional().describe('Its newest receipt'),
    task_id: id.optional().describe('The receipt of the history that was handed over'),
  }),
  output: z
    .object({
      receipt_id: id.nullable().describe('Null for that of a task'),
      policy: z.string(),
      target: z.string(),
      totals: receiptSchema.shape.totals,
      numbers: numbersShape,
      explanation: z.string(),
    })
    .meta({ id: 'Explanation', description: 'A receipt in words' }),
  refusals: ['invalid', 'not_found', 'unavailable'],
  run: async (context, asked) => {
    const { id, receipt } = await explained(context, asked)
    const { policy, target, totals } = receipt
    const numbers = withoutEach(receipt.request)
    return { receipt_id: id, policy: policy.name, target, totals, numbers, explanation: explain(receipt) }
  },
})

interface Asked {
  readonly receipt_id?: string | undefined
  readonly conversation_id?: string | undefined
  readonly task_id?: string | undefined
}

async function explained(context: OperationContext, { receipt_id, conversation_id, task_id }: Asked) {
  if ([receipt_id, conversation_id, task_id].filter((id) => id !== undefined).length !== 1)
    throw invalidInput('receipt_id', 'give one of receipt_id, conversation_id and task_id')
  if (task_id !== undefined) {
    const task = await context.tasksOf(context.workspace).get(task_id)
    if (!task) throw notFound('task_id', task_id)
    if (!task.receipt) throw nothingKept('task_id', 'the task was given no history')
    return { id: null, receipt: task.receipt }
  }
  if (receipt_id !== undefined) {
    const stored = await findReceipt(context, receipt_id)
    return { id: stored.id, receipt: receiptIn(stored) }
  }
  const { id } = await findConversation(context, conversation_id as string)
  const [newest] = (await context.store.receipts(context.workspace, id, { limit: 1 })).items
  if (!newest) throw nothingKept('conversation_id', 'no receipt of this conversation was kept')
  return { id: newest.id, receipt: receiptIn(newest) }
}

const nothingKept = (field: string, message: string): HistoryError =>
  new HistoryError('invalid', [{ code: 'invalid', field, message }])

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

export const receiptIn = (stored: StoredReceipt): Receipt =>
  upToDate((keptIn(stored)?.receipt ?? stored.body) as Receipt)

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
