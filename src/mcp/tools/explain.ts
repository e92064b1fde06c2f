/** `receipt_explain`: what became of every message, and why. */
import { z } from 'zod'
import { explain } from '../../core/receipt/explain.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { McpContext } from '../kit/context.js'
import { conversationOf } from '../kit/conversation.js'
import { missing, wrong } from '../kit/refusal.js'
import { clip, room } from '../kit/room.js'
import { tool } from '../kit/tool.js'
import { uris } from '../kit/uris.js'
import { conversationId } from './find.js'
import { numbersIn, numbersShape } from './shapes.js'

const input = z.strictObject({
  receipt_id: z.string().min(1).max(200).optional(),
  task_id: z.string().min(1).max(200).optional().describe('The receipt of the history that was handed over'),
  conversation_id: conversationId.optional().describe('The newest receipt of a conversation'),
})

export const receiptExplain = tool({
  name: 'receipt_explain',
  title: 'Explain a window',
  description:
    'Tells what was sent and what was not, and why, from a kept receipt: of a run, of a conversation, or of a task.',
  scope: 'read',
  hints: { reads: true },
  input,
  output: z.object({
    receipt_id: z.string().nullable(),
    policy: z.string(),
    target: z.string(),
    totals: z.object({
      messages: z.int(),
      kept: z.int(),
      clipped: z.int(),
      folded: z.int(),
      summarised: z.int(),
      dropped: z.int(),
    }),
    numbers: numbersShape,
    explanation: z.string(),
  }),
  run: async (asked, context) => {
    const { id, receipt } = await found(asked, context)
    const { messages, kept, clipped, folded, summarised, dropped } = receipt.totals
    const explanation = clip(explain(receipt), room - 2_000).text
    return {
      data: {
        receipt_id: id,
        policy: receipt.policy.name,
        target: receipt.target,
        totals: { messages, kept, clipped, folded, summarised, dropped },
        numbers: numbersIn(receipt),
        explanation,
      },
      text: explanation,
      ...(id === null ? null : { links: [{ uri: uris.receipt(id), name: 'receipt' }] }),
    }
  },
})

interface Found {
  /** Null for that of a task, which has no name of its own. */
  readonly id: string | null
  readonly receipt: Receipt
}

async function found(
  { receipt_id, task_id, conversation_id }: z.output<typeof input>,
  context: McpContext,
): Promise<Found> {
  const { store, workspace, tasks } = context
  const given = [receipt_id, task_id, conversation_id].filter((id) => id !== undefined)
  if (given.length !== 1) throw wrong('receipt_id', 'give one of receipt_id, task_id and conversation_id')
  if (receipt_id !== undefined) return { id: receipt_id, receipt: await receiptOf(context, receipt_id) }
  if (task_id !== undefined) {
    const task = await tasks.get(task_id)
    if (!task) throw missing('task_id')
    if (!task.receipt) throw wrong('task_id', 'the task was given no history')
    return { id: null, receipt: task.receipt }
  }
  const { id } = await conversationOf(context, conversation_id as string)
  const [newest] = (await store.receipts(workspace, id, { limit: 1 })).items
  if (!newest) throw wrong('conversation_id', 'no receipt of this conversation was kept')
  return { id: newest.id, receipt: receiptIn(newest.body) }
}

export async function receiptOf({ store, workspace }: McpContext, id: string): Promise<Receipt> {
  const stored = await store.getReceipt(workspace, id)
  if (!stored) throw missing('receipt_id')
  return receiptIn(stored.body)
}

/** A run keeps its receipt with the settings; a history keeps it alone. */
const receiptIn = (body: unknown): Receipt =>
  (typeof body === 'object' && body !== null && 'receipt' in body ? body.receipt : body) as Receipt
