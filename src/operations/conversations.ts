/** Conversations: listed, made, changed, checked, deleted. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import { HistoryError } from '../core/message/issue.js'
import { isPreset } from '../core/policy/presets/index.js'
import type { Conversation, ConversationPatch, ListQuery, NewConversation } from '../store/contract/conversation.js'
import { requestHash } from '../store/shared/gate.js'
import type { OperationContext } from './context.js'
import { findConversation } from './find.js'
import { operation } from './operation.js'
import { conversation_id, pageSchema, paging, removalSchema, removalToWire } from './shapes/common.js'
import {
  conversationOf,
  conversationPatch,
  conversationSchema,
  metaOf,
  newConversation,
} from './shapes/conversation.js'

const owned = { conversation_id: 'conversation' } as const

export const listConversations = operation({
  name: 'conversations.list',
  summary: 'The conversations, newest first, pinned ones before the others',
  scope: 'read',
  input: z.strictObject({
    ...paging,
    q: z.string().min(1).max(200).optional().describe('In the title; a page may be short and still have a next one'),
    folder: z.string().min(1).max(200).optional(),
    tag: z.string().min(1).max(100).optional(),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
  }),
  output: pageSchema(conversationSchema),
  refusals: ['invalid'],
  run: async ({ store, workspace }, { q, limit, cursor, ...filter }) => {
    const ask = (most: number, from: string | null | undefined) =>
      store.list(workspace, defined<ListQuery>({ ...filter, limit: most, cursor: from ?? undefined }))
    if (q === undefined) return paged(await ask(limit, cursor))
    const words = q.toLowerCase()
    const items: Conversation[] = []
    let next: string | null | undefined = cursor
    for (let page = 0; page < titlePages && items.length < limit; page++) {
      const found = await ask(limit - items.length, next)
      items.push(...found.items.filter(({ title }) => title.toLowerCase().includes(words)))
      next = found.cursor
      if (next === null) break
    }
    return paged({ items, cursor: next ?? null })
  },
})

/** Pages that a search of titles reads before it answers. */
const titlePages = 10

const paged = ({ items, cursor }: { readonly items: readonly Conversation[]; readonly cursor: string | null }) => ({
  items: items.map(conversationOf),
  next_cursor: cursor,
})

export const getConversation = operation({
  name: 'conversations.get',
  summary: 'One conversation',
  scope: 'read',
  owned,
  input: z.strictObject({ conversation_id }),
  output: conversationSchema,
  run: async (context, { conversation_id }) => conversationOf(await findConversation(context, conversation_id)),
})

export const createConversation = operation({
  name: 'conversations.create',
  summary: 'A new conversation',
  scope: 'write',
  keyed: true,
  input: newConversation,
  output: conversationSchema.extend({ repeated: z.boolean().describe('It was there already, by its key') }),
  refusals: ['id_conflict', 'key_reused', 'policy_invalid', 'gone', 'invalid'],
  example: { title: 'Trip to Lisbon', tags: ['travel'] },
  run: async (context, asked) => {
    const { store, workspace, env, key } = context
    checkPolicy(asked.policy)
    const { id = key === undefined ? env.id() : keyedId(workspace, key), title, folder, tags } = asked
    const hash = requestHash(asked)
    const at = env.now()
    const record = { kind: 'created', id, body: { asked: hash }, at, expect: null }
    const input = defined<NewConversation>({
      ...{ id, at, title, folder, tags, steps: key === undefined ? undefined : [{ do: 'put-record', record }] },
      meta: metaOf(asked, {}),
    })
    try {
      return { ...conversationOf(await store.create(workspace, input)), repeated: false }
    } catch (error) {
      if (key === undefined || !HistoryError.is(error) || error.code !== 'id_conflict') throw error
      return { ...conversationOf(await madeBefore(context, id, hash)), repeated: true }
    }
  },
})

/** What an earlier request with the same key made. */
async function madeBefore({ store, workspace }: OperationContext, id: string, asked: string): Promise<Conversation> {
  const found = await store.get(workspace, id)
  const known = await store.getRecord(workspace, 'created', id)
  if (found && (known?.body as { readonly asked: string } | undefined)?.asked === asked) return found
  throw new HistoryError('key_reused', [
    { code: 'key_reused', message: 'the idempotency key belongs to another request' },
  ])
}

const keyedId = (workspace: string, key: string): string =>
  `c_${createHash('sha256').update(`${workspace}\n${key}`).digest('hex').slice(0, 32)}`

export const updateConversation = operation({
  name: 'conversations.update',
  summary: 'Change its title, place, marks or settings',
  scope: 'write',
  owned,
  input: conversationPatch.extend({ conversation_id }),
  output: conversationSchema,
  refusals: ['policy_invalid', 'gone', 'invalid'],
  example: { title: 'Lisbon in May', pinned: true },
  run: async (context, { conversation_id, ...change }) => {
    const { store, workspace, env } = context
    checkPolicy(change.policy)
    const before = await findConversation(context, conversation_id)
    const { title, folder, tags, pinned, archived } = change
    const meta = metaOf(change, before.meta)
    const patch = defined<ConversationPatch>({ at: env.now(), title, folder, tags, pinned, archived, meta })
    const after = await store.update(workspace, conversation_id, patch)
    if (after.title !== before.title) {
      const news = { type: 'conversation-changed', data: { title: after.title } }
      await store.commit(workspace, after.id, [{ do: 'emit', events: [news], at: env.now() }])
    }
    return conversationOf(after)
  },
})

function checkPolicy(policy: string | null | undefined): void {
  if (policy === undefined || policy === null || isPreset(policy)) return
  const message = 'policy is not the name of a policy'
  throw new HistoryError('policy_invalid', [{ code: 'policy_invalid', field: 'policy', message }])
}

export const deleteConversation = operation({
  name: 'conversations.delete',
  summary: 'Delete it and everything it owns',
  scope: 'write',
  destroys: true,
  owned,
  input: z.strictObject({ conversation_id }),
  output: removalSchema,
  refusals: ['gone'],
  run: async (context, { conversation_id }) => {
    const { id } = await findConversation(context, conversation_id)
    return removalToWire(await context.store.remove(context.workspace, id))
  },
})

export const verifyConversation = operation({
  name: 'conversations.verify',
  summary: 'Check that nothing was lost or changed: every hash and link',
  scope: 'read',
  owned,
  input: z.strictObject({ conversation_id }),
  output: z.object({
    ok: z.boolean(),
    entries: z.int(),
    faults: z.array(z.object({ seq: z.int(), fault: z.string() })),
  }),
  run: async (context, { conversation_id }) => {
    const { id } = await findConversation(context, conversation_id)
    const found = await context.store.verify(context.workspace, id)
    return { ok: found.ok, entries: found.entries, faults: found.ok ? [] : found.faults }
  },
})

const label = z.object({ name: z.string(), conversations: z.int() })

export const listLabels = operation({
  name: 'labels.list',
  summary: 'The folders and tags in use, by name, and how many conversations have them',
  scope: 'read',
  input: z.strictObject({ archived: z.boolean().optional() }),
  output: z
    .object({
      folders: z.array(label),
      tags: z.array(label),
      whole: z.boolean().describe('False where there were too many conversations to look at all of them'),
    })
    .meta({ id: 'Labels', description: 'Folders and tags, with how many conversations each has' }),
  run: async ({ store, workspace }, { archived }) => {
    const folders = new Map<string, number>()
    const tags = new Map<string, number>()
    const add = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
    let cursor: string | null | undefined
    for (let page = 0; page < labelPages && cursor !== null; page++) {
      const found = await store.list(workspace, defined<ListQuery>({ limit: 100, archived, cursor }))
      for (const one of found.items) {
        if (one.folder !== null) add(folders, one.folder)
        for (const tag of one.tags) add(tags, tag)
      }
      cursor = found.cursor
    }
    return { folders: sorted(folders), tags: sorted(tags), whole: cursor === null }
  },
})

/** Pages of a hundred conversations that are looked at for labels. */
const labelPages = 100

const sorted = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([name, conversations]) => ({ name, conversations }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))
