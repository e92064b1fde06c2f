/** What is known beyond one conversation: notes to see, correct and delete. */
import { z } from 'zod'
import { type Memories, type Memory, memoryChars, openMemories } from '../../recall/memories.js'
import type { Context } from '../context.js'
import { created, streamed } from '../reply.js'
import { type Route, route } from '../route.js'
import { id, instant, pageOf, paging } from '../schemas/common.js'
import { findConversation, findEntry } from './open.js'

const kind = z.enum(['profile', 'semantic'])
const text = z
  .string()
  .min(1)
  .max(memoryChars * 2)

const memorySchema = z
  .object({
    id,
    kind,
    text: z.string(),
    source: z.object({ conversation_id: id, message_id: id }).nullable(),
    author: z.string(),
    created_at: instant,
    updated_at: instant,
    revision: z.int(),
  })
  .meta({ id: 'Memory', description: 'Something that is known beyond one conversation' })

export const memoryRoutes: readonly Route[] = [
  route({
    name: 'listMemories',
    method: 'get',
    path: '/api/v1/memories',
    tag: 'memories',
    summary: 'What is known, newest first',
    scope: 'read',
    query: z.strictObject({ ...paging, kind: kind.optional() }),
    answers: { 200: pageOf(memorySchema) },
    problems: ['invalid'],
    handle: async (context) => {
      const { kind, ...query } = context.query
      const page = await memoriesOf(context).list({
        limit: query.limit,
        ...(query.cursor && { cursor: query.cursor }),
        ...(kind && { kind }),
      })
      return { items: page.items.map(wire), next_cursor: page.cursor }
    },
  }),
  route({
    name: 'exportMemories',
    method: 'get',
    path: '/api/v1/memories/export',
    tag: 'memories',
    summary: 'All that is known, oldest first: one JSON document a line',
    scope: 'read',
    answers: { 200: { type: 'application/x-ndjson', says: 'A `Memory` on each line' } },
    handle: (context) =>
      streamed(linesOf(memoriesOf(context)), {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="memories.jsonl"',
      }),
  }),
  route({
    name: 'addMemory',
    method: 'post',
    path: '/api/v1/memories',
    tag: 'memories',
    summary: 'Remember something; it goes with the conversation it comes from',
    scope: 'write',
    owned: { 'body.conversation_id': 'conversation', 'body.message_id': 'message' },
    body: z.strictObject({
      kind,
      text,
      conversation_id: id.optional().describe('Where it comes from, with `message_id`'),
      message_id: id.optional(),
    }),
    answers: { 201: memorySchema },
    problems: ['invalid', 'gone'],
    example: { body: { kind: 'profile', text: 'Prefers answers in metric units.' } },
    handle: async (context) => {
      const { kind, text, conversation_id: conversation, message_id: entry } = context.body
      const source = conversation === undefined || entry === undefined ? null : { conversation, entry }
      if (source) await findEntry(context, (await findConversation(context, source.conversation)).id, source.entry)
      return created(wire(await memoriesOf(context).add({ kind, text, source })))
    },
  }),
  route({
    name: 'correctMemory',
    method: 'patch',
    path: '/api/v1/memories/{memory}',
    tag: 'memories',
    summary: 'Correct what is known',
    scope: 'write',
    owned: { memory: 'memory' },
    body: z.strictObject({
      kind: kind.optional(),
      text: text.optional(),
      expect: z.int().min(1).optional().describe('The revision you saw'),
    }),
    answers: { 200: memorySchema },
    problems: ['invalid', 'record_moved'],
    example: { body: { text: 'Prefers metric units and short answers.' } },
    handle: async (context) => {
      const { kind, text, expect } = context.body
      const change = {
        ...(kind && { kind }),
        ...(text !== undefined && { text }),
        ...(expect !== undefined && { expect }),
      }
      return wire(await memoriesOf(context).correct(context.params.memory, change))
    },
  }),
  route({
    name: 'deleteMemory',
    method: 'delete',
    path: '/api/v1/memories/{memory}',
    tag: 'memories',
    summary: 'Forget it',
    scope: 'write',
    owned: { memory: 'memory' },
    answers: { 204: null },
    handle: async (context) => {
      await memoriesOf(context).remove(context.params.memory)
      return new Response(null, { status: 204 })
    },
  }),
]

const memoriesOf = ({ frame, workspace }: Pick<Context, 'frame' | 'workspace'>) =>
  openMemories({ store: frame.store, workspace, env: frame.env })

async function* linesOf(memories: Memories): AsyncGenerator<string> {
  for await (const memory of memories.all()) yield `${JSON.stringify(wire(memory))}\n`
}

const wire = ({ id, kind, text, source, author, createdAt, updatedAt, revision }: Memory) => ({
  id,
  kind,
  text,
  source: source && { conversation_id: source.conversation, message_id: source.entry },
  author,
  created_at: createdAt,
  updated_at: updatedAt,
  revision,
})
