/** OpenAI's Conversations over ours: the same conversation, whoever began it. */
import { z } from 'zod'
import { redactEntry } from '../../engine/redact.js'
import type { Conversation } from '../../store/contract/conversation.js'
import { refuse } from '../dialect/refuse.js'
import { giveTitle } from '../dialect/title.js'
import { conversationAt, historyAt } from '../history/open.js'
import type { Context } from '../kit/context.js'
import type { Route } from '../kit/route.js'
import { findItem, itemPage, listItems } from './items/find.js'
import { itemsOf } from './items/show.js'
import { markSystem } from './items/system.js'
import { type TakenItems, takeItems } from './items/take.js'
import { bodyBytes, openaiRoute } from './shape/route.js'
import { include, item, itemSchema, listQuery, listSchema, metadata, secondsOf } from './shape/schemas.js'

const path = '/v1/conversations'
const one = `${path}/{conversation}` as const
const items = `${one}/items` as const
const owned = { conversation: 'conversation' }

const conversationSchema = z
  .object({
    id: z.string(),
    object: z.literal('conversation'),
    created_at: z.int(),
    metadata: z.record(z.string(), z.string()),
  })
  .meta({ id: 'OpenaiConversation', description: 'A conversation, as the OpenAI API tells of it' })

/** OpenAI takes 20 at once; an agent can have more to tell of one turn. */
const newItems = z.array(item).max(1_000)
const writing = ['id_conflict', 'already_answered', 'unknown_call', 'key_reused', 'head_moved', 'invalid'] as const

export const conversationRoutes: readonly Route[] = [
  openaiRoute({
    name: 'openaiCreateConversation',
    method: 'post',
    path,
    summary: 'A new conversation',
    scope: 'write',
    bodyBytes,
    body: z.strictObject({ items: newItems.nullish(), metadata: metadata.nullish() }).optional(),
    answers: { 200: conversationSchema },
    problems: writing,
    example: { body: { metadata: { topic: 'travel' }, items: [{ role: 'user', content: 'Where is Lisbon?' }] } },
    async handle(context) {
      const { frame, workspace, body } = context
      const id = `conv_${frame.env.id().replaceAll('-', '')}`
      const taken = takeItems(body?.items ?? [], 'items', frame.env.id)
      const stored = body?.metadata ? { meta: { metadata: body.metadata } } : null
      const made = await frame.store.create(workspace, { id, at: frame.env.now(), ...stored })
      if (taken.messages.length > 0)
        await put(context, id, taken).catch(async (error) => {
          await frame.store.remove(workspace, id)
          throw error
        })
      return conversationOf(made)
    },
  }),
  openaiRoute({
    name: 'openaiGetConversation',
    method: 'get',
    path: one,
    summary: 'One conversation',
    scope: 'read',
    owned,
    answers: { 200: conversationSchema },
    handle: async (context) => conversationOf(await conversationAt(context, context.params.conversation)),
  }),
  openaiRoute({
    name: 'openaiUpdateConversation',
    method: 'post',
    path: one,
    summary: 'Replace its metadata',
    scope: 'write',
    owned,
    body: z.strictObject({ metadata: metadata.nullable() }),
    answers: { 200: conversationSchema },
    problems: ['invalid'],
    example: { body: { metadata: { topic: 'travel' } } },
    async handle(context) {
      const { frame, workspace, params, body } = context
      const { id, meta } = await conversationAt(context, params.conversation)
      const next = { ...meta, metadata: body.metadata ?? {} }
      return conversationOf(await frame.store.update(workspace, id, { meta: next, at: frame.env.now() }))
    },
  }),
  openaiRoute({
    name: 'openaiDeleteConversation',
    method: 'delete',
    path: one,
    summary: 'Remove it and everything it owns',
    scope: 'write',
    owned,
    answers: { 200: z.object({ id: z.string(), object: z.literal('conversation.deleted'), deleted: z.literal(true) }) },
    async handle(context) {
      const { id } = await conversationAt(context, context.params.conversation)
      await context.frame.store.remove(context.workspace, id)
      return { id, object: 'conversation.deleted', deleted: true }
    },
  }),
  openaiRoute({
    name: 'openaiCreateItems',
    method: 'post',
    path: items,
    summary: 'Add items to it',
    scope: 'write',
    owned,
    keyed: true,
    bodyBytes,
    query: z.strictObject(include),
    body: z.strictObject({ items: newItems.min(1) }),
    answers: { 200: listSchema },
    problems: writing,
    example: { body: { items: [{ role: 'user', content: 'Which line goes to the airport?' }] } },
    async handle(context) {
      const { frame, params, body, key } = context
      const { conversation } = params
      await conversationAt(context, conversation)
      const taken = takeItems(body.items, 'items', frame.env.id)
      if (taken.messages.length === 0) return itemPage([], 20)
      const { entries } = await put(context, conversation, taken, key)
      const added = entries.flatMap(itemsOf)
      return itemPage(added, added.length)
    },
  }),
  openaiRoute({
    name: 'openaiListItems',
    method: 'get',
    path: items,
    summary: 'Its items, the newest first unless asked otherwise',
    scope: 'read',
    owned: { ...owned, 'query.after': 'item' },
    query: listQuery,
    answers: { 200: listSchema },
    async handle(context) {
      const { params, query } = context
      await conversationAt(context, params.conversation)
      return listItems(context, params.conversation, query)
    },
  }),
  openaiRoute({
    name: 'openaiGetItem',
    method: 'get',
    path: `${items}/{item}`,
    summary: 'One item',
    scope: 'read',
    owned: { ...owned, item: 'item' },
    query: z.strictObject(include),
    answers: { 200: itemSchema },
    async handle(context) {
      const { conversation, item: id } = context.params
      await conversationAt(context, conversation)
      return (await findItem(context, conversation, id)).item
    },
  }),
  openaiRoute({
    name: 'openaiDeleteItem',
    method: 'delete',
    path: `${items}/{item}`,
    summary: 'Remove its words everywhere they stand',
    scope: 'write',
    owned: { ...owned, item: 'item' },
    answers: { 200: conversationSchema },
    problems: ['invalid'],
    async handle(context) {
      const { frame, workspace, params } = context
      const found = await conversationAt(context, params.conversation)
      const { entry } = await findItem(context, found.id, params.item)
      if (itemsOf(entry).length > 1) throw refuse('item_id', 'is one of several items of one answer, which stays whole')
      await redactEntry(frame.sources(workspace, found.id), entry.id)
      return conversationOf(found)
    },
  }),
]

async function put(
  context: Pick<Context, 'frame' | 'workspace'>,
  id: string,
  { messages, system }: TakenItems,
  key?: string,
) {
  await giveTitle(context, id, messages)
  if (system.length > 0) await markSystem(context, id)
  const history = await historyAt(context, id)
  return history.append(messages, key === undefined ? {} : { key })
}

const conversationOf = ({ id, createdAt, meta }: Conversation): z.output<typeof conversationSchema> => ({
  id,
  object: 'conversation',
  created_at: secondsOf(createdAt),
  metadata: metadata.safeParse(meta.metadata).data ?? {},
})
