/** Receipts: what was sent, to whom, and why; compared, and made again. */
import { z } from 'zod'
import { explain } from '../../core/explain.js'
import type { Receipt } from '../../core/receipt.js'
import type { KeptReceipt } from '../../runs/ask.js'
import type { StoredReceipt } from '../../store/contract.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { fresh } from '../reply.js'
import { type Route, route } from '../route.js'
import { pageOf, paging } from '../schemas/common.js'
import { keptReceiptSchema } from '../schemas/receipt.js'
import { diff, diffSchema } from './diff.js'
import { findConversation } from './open.js'
import { replay, replaySchema } from './replay.js'

const path = '/api/v1/receipts/{receipt}'

export const receiptRoutes: readonly Route[] = [
  route({
    name: 'listReceipts',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/receipts',
    tag: 'windows',
    summary: 'The receipts of a conversation, newest first',
    scope: 'read',
    owned: { conversation: 'conversation' },
    query: z.strictObject(paging),
    answers: { 200: pageOf(keptReceiptSchema) },
    problems: ['invalid'],
    handle: async (context) => {
      const { frame, workspace, query } = context
      const { id } = await findConversation(context, context.params.conversation)
      const { limit, cursor } = query
      const page = await frame.store.receipts(workspace, id, { limit, ...(cursor === undefined ? null : { cursor }) })
      return { items: page.items.map(receiptOf), next_cursor: page.cursor }
    },
  }),
  route({
    name: 'getReceipt',
    method: 'get',
    path,
    tag: 'windows',
    summary: 'One receipt, also in words',
    scope: 'read',
    owned: { receipt: 'receipt' },
    tagged: true,
    answers: { 200: keptReceiptSchema },
    handle: async (context) => fresh(context, receiptOf(await find(context, context.params.receipt))),
  }),
  route({
    name: 'diffReceipts',
    method: 'get',
    path: `${path}/diff/{other}`,
    tag: 'windows',
    summary: 'What became different from one window to another',
    scope: 'read',
    owned: { receipt: 'receipt', other: 'receipt' },
    answers: { 200: diffSchema },
    handle: async (context) => {
      const [one, other] = await Promise.all([
        find(context, context.params.receipt),
        find(context, context.params.other),
      ])
      return diff(receiptIn(one), receiptIn(other))
    },
  }),
  route({
    name: 'replayReceipt',
    method: 'post',
    path: `${path}/replay`,
    tag: 'windows',
    summary: 'Make the window again and see whether it is the same to the byte',
    scope: 'read',
    owned: { receipt: 'receipt' },
    answers: { 200: replaySchema },
    problems: ['invalid', 'policy_invalid', 'gone'],
    handle: async (context) => {
      const stored = await find(context, context.params.receipt)
      const kept = keptIn(stored)
      if (!kept) throw new Problem('invalid', { detail: 'it was kept without what it takes to make the window again' })
      return replay(context, stored.conversation, receiptIn(stored), kept)
    },
  }),
]

async function find({ frame, workspace }: Pick<Context, 'frame' | 'workspace'>, id: string): Promise<StoredReceipt> {
  const found = await frame.store.getReceipt(workspace, id)
  if (!found) throw new Problem('not_found')
  return found
}

/** A run keeps its receipt with the settings; a history keeps it alone. */
function keptIn({ body }: StoredReceipt): KeptReceipt | null {
  return typeof body === 'object' && body !== null && 'receipt' in body ? (body as KeptReceipt) : null
}

const receiptIn = (stored: StoredReceipt): Receipt => (keptIn(stored)?.receipt ?? stored.body) as Receipt

function receiptOf(stored: StoredReceipt): unknown {
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
