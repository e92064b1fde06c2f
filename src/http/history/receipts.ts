/** Receipts: what was sent, to whom, and why; compared, and made again. */
import { z } from 'zod'
import { explain } from '../../core/receipt/explain.js'
import { pageOf, paging } from '../../operations/shapes/common.js'
import { keptReceiptSchema } from '../../operations/shapes/receipt.js'
import { windowSchema } from '../../operations/shapes/window.js'
import type { StoredReceipt } from '../../store/contract/keeping.js'
import { fresh } from '../reply.js'
import { type Route, route } from '../route.js'
import { diff, diffSchema } from './diff.js'
import { findReceipt, keptIn, receiptIn, settingsIn } from './kept.js'
import { findConversation } from './open.js'
import { replay, replaySchema } from './replay.js'
import { whatIf, whatIfBody } from './what-if.js'

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
    handle: async (context) => fresh(context, receiptOf(await findReceipt(context, context.params.receipt))),
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
        findReceipt(context, context.params.receipt),
        findReceipt(context, context.params.other),
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
      const stored = await findReceipt(context, context.params.receipt)
      return replay(context, stored.conversation, receiptIn(stored), settingsIn(stored))
    },
  }),
  route({
    name: 'whatIf',
    method: 'post',
    path: `${path}/what-if`,
    tag: 'windows',
    summary: 'The window as it would have been with other settings; nothing is sent and nothing is kept',
    scope: 'read',
    owned: { receipt: 'receipt' },
    body: whatIfBody,
    answers: { 200: windowSchema },
    problems: ['invalid', 'policy_invalid', 'refused', 'unknown_model', 'gone'],
    example: { body: { budget: 4_000 } },
    handle: async (context) => {
      const stored = await findReceipt(context, context.params.receipt)
      return whatIf(context, stored.conversation, receiptIn(stored), settingsIn(stored))
    },
  }),
]

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
