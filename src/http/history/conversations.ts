/** Conversations: make, find, change, remove. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { HistoryError } from '../../core/message/issue.js'
import { isPreset } from '../../core/policy/presets/index.js'
import { pageOf, paging, removalSchema } from '../../operations/shapes/common.js'
import {
  conversationOf,
  conversationPatch,
  conversationSchema,
  metaOf,
  newConversation,
} from '../../operations/shapes/conversation.js'
import type { Conversation, ListQuery } from '../../store/contract/conversation.js'
import { requestHash } from '../../store/gate.js'
import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import { created, fresh, guard, json } from '../reply.js'
import { type Route, route } from '../route.js'
import { findConversation } from './open.js'
import { removalOf } from './removal.js'

const one = '/api/v1/conversations/{conversation}'
const owned = { conversation: 'conversation' }

const listFilter = z.strictObject({
  ...paging,
  q: z.string().min(1).max(200).optional().describe('In the title; a page may be short and still have a next one'),
  folder: z.string().min(1).max(200).optional(),
  tag: z.string().min(1).max(100).optional(),
  pinned: z.boolean().optional(),
  archived: z.boolean().optional(),
})

export const conversationRoutes: readonly Route[] = [
  route({
    name: 'listConversations',
    method: 'get',
    path: '/api/v1/conversations',
    tag: 'conversations',
    summary: 'The conversations, newest first, pinned ones before the others',
    scope: 'read',
    query: listFilter,
    answers: { 200: pageOf(conversationSchema) },
    problems: ['invalid'],
    handle: list,
  }),
  route({
    name: 'createConversation',
    method: 'post',
    path: '/api/v1/conversations',
    tag: 'conversations',
    summary: 'A new conversation',
    scope: 'write',
    keyed: true,
    body: newConversation,
    answers: { 201: conversationSchema, 200: conversationSchema.describe('It was there already, by its key') },
    problems: ['id_conflict', 'key_reused', 'policy_invalid', 'gone', 'invalid'],
    example: { body: { title: 'Trip to Lisbon', tags: ['travel'] } },
    handle: create,
  }),
  route({
    name: 'getConversation',
    method: 'get',
    path: one,
    tag: 'conversations',
    summary: 'One conversation',
    scope: 'read',
    owned,
    tagged: true,
    answers: { 200: conversationSchema },
    handle: async (context) =>
      fresh(context, conversationOf(await findConversation(context, context.params.conversation))),
  }),
  route({
    name: 'updateConversation',
    method: 'patch',
    path: one,
    tag: 'conversations',
    summary: 'Change its title, place, marks or settings',
    scope: 'write',
    owned,
    tagged: true,
    body: conversationPatch,
    answers: { 200: conversationSchema },
    problems: ['policy_invalid', 'gone', 'invalid'],
    example: { body: { title: 'Lisbon in May', pinned: true } },
    handle: update,
  }),
  route({
    name: 'deleteConversation',
    method: 'delete',
    path: one,
    tag: 'conversations',
    summary: 'Remove it and everything it owns',
    scope: 'write',
    owned,
    answers: { 200: removalSchema },
    problems: ['gone'],
    handle: async (context) => {
      const { id } = await findConversation(context, context.params.conversation)
      return removalOf(await context.frame.store.remove(context.workspace, id))
    },
  }),
]

type ListContext = Context<unknown, z.output<typeof listFilter>>

/** A search of titles reads so many pages at most before it answers. */
const mostPages = 10

async function list({ frame, workspace, query }: ListContext) {
  const { q, limit, cursor, ...filter } = query
  const ask = (more: Pick<ListQuery, 'limit' | 'cursor'>) =>
    frame.store.list(workspace, { ...(filter as Omit<ListQuery, 'limit'>), ...more })
  const from = (at: string | null | undefined) => (at ? { cursor: at } : {})
  if (q === undefined) return paged(await ask({ limit, ...from(cursor) }))
  const words = q.toLowerCase()
  const items: Conversation[] = []
  let next: string | null | undefined = cursor
  for (let page = 0; page < mostPages && items.length < limit; page++) {
    const found = await ask({ limit: limit - items.length, ...from(next) })
    items.push(...found.items.filter(({ title }) => title.toLowerCase().includes(words)))
    next = found.cursor
    if (next === null) break
  }
  return paged({ items, cursor: next ?? null })
}

const paged = ({ items, cursor }: { readonly items: readonly Conversation[]; readonly cursor: string | null }) => ({
  items: items.map(conversationOf),
  next_cursor: cursor,
})

type CreateContext = Context<unknown, unknown, z.output<typeof newConversation>>

async function create(context: CreateContext) {
  const { frame, workspace, body, key } = context
  const { store, env } = frame
  checkPolicy(body.policy)
  const { id = key === undefined ? env.id() : keyedId(workspace, key), title, folder, tags } = body
  const at = env.now()
  const meta = metaOf(body, {})
  const asked = requestHash(body)
  const record = key === undefined ? undefined : { kind: 'created', id, body: { asked } }
  const input = { id, at, ...given({ title, folder, tags, meta, record }) }
  try {
    const made = conversationOf(await store.create(workspace, input))
    return created(made, `/api/v1/conversations/${encodeURIComponent(id)}`)
  } catch (error) {
    if (key === undefined || !HistoryError.is(error) || error.code !== 'id_conflict') throw error
    return json(conversationOf(await madeBefore(context, id, asked)))
  }
}

/** What an earlier request with the same key made. */
async function madeBefore({ frame, workspace }: CreateContext, id: string, asked: string): Promise<Conversation> {
  const found = await frame.store.get(workspace, id)
  const known = await frame.store.getRecord(workspace, 'created', id)
  if (found && (known?.body as { readonly asked: string } | undefined)?.asked === asked) return found
  throw new Problem('key_reused')
}

const keyedId = (workspace: string, key: string): string =>
  `c_${createHash('sha256').update(`${workspace}\n${key}`).digest('hex').slice(0, 32)}`

async function update(context: Context<{ conversation: string }, unknown, z.output<typeof conversationPatch>>) {
  const { frame, workspace, params, body } = context
  checkPolicy(body.policy)
  const before = await findConversation(context, params.conversation)
  guard(context, conversationOf(before))
  const { title, folder, tags, pinned, archived } = body
  const meta = metaOf(body, before.meta)
  const patch = { at: frame.env.now(), ...given({ title, folder, tags, pinned, archived, meta }) }
  const after = await frame.store.update(workspace, params.conversation, patch)
  if (after.title !== before.title) await tell(context, after)
  return fresh(context, conversationOf(after))
}

async function tell({ frame, workspace }: Pick<Context, 'frame' | 'workspace'>, { id, title }: Conversation) {
  const news = { type: 'conversation-changed', data: { title } }
  await frame.store.commit(workspace, id, [{ do: 'emit', events: [news], at: frame.env.now() }])
}

function checkPolicy(policy: string | null | undefined): void {
  if (policy === undefined || policy === null || isPreset(policy)) return
  throw new Problem('policy_invalid', { errors: [{ path: 'policy', message: 'is not the name of a policy' }] })
}

/** Without the fields that were left out. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
