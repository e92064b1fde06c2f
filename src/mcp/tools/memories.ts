/** What is known beyond one conversation: an agent reads it, adds to it, corrects it and forgets it. */
import { z } from 'zod'
import { type Memory, memoryChars, openMemories } from '../../recall/memories.js'
import { conversationOf } from '../conversation.js'
import type { Desk } from '../desk.js'
import { missing } from '../refusal.js'
import { fit } from '../room.js'
import { tool } from '../tool.js'
import { conversationId } from './find.js'
import { entryOf } from './read.js'

const kind = z.enum(['profile', 'semantic'])
const memoryId = z.string().min(1).max(200).describe('From memory_list')

const memoryShape = z.object({
  memory_id: z.string(),
  kind,
  text: z.string(),
  conversation_id: z.string().nullable().describe('Where it comes from'),
  message_id: z.string().nullable(),
  author: z.string(),
  updated_at: z.string(),
  revision: z.int(),
})

const rowOf = ({ id, kind, text, source, author, updatedAt, revision }: Memory): z.output<typeof memoryShape> => ({
  memory_id: id,
  kind,
  text,
  conversation_id: source?.conversation ?? null,
  message_id: source?.entry ?? null,
  author,
  updated_at: updatedAt,
  revision,
})

const memoriesOf = ({ store, workspace, env }: Desk) => openMemories({ store, workspace, env })

export const memoryList = tool({
  name: 'memory_list',
  title: 'List memories',
  description: 'What is known beyond one conversation, newest first.',
  scope: 'read',
  hints: { reads: true },
  input: z.strictObject({
    kind: kind.optional(),
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(2_000).optional(),
  }),
  output: z.object({ items: z.array(memoryShape), next_cursor: z.string().nullable() }),
  run: async ({ kind, limit, cursor }, desk) => {
    const pageOf = (limit: number) =>
      memoriesOf(desk).list({ limit, ...(kind && { kind }), ...(cursor !== undefined && { cursor }) })
    const whole = await pageOf(limit)
    const fitting = fit(whole.items.map(rowOf))
    // the cursor has to lead to the first that did not fit
    const page = fitting.left > 0 ? await pageOf(fitting.items.length) : whole
    const items = page.items.map(rowOf)
    return {
      data: { items, next_cursor: page.cursor },
      text: items.map((one) => `${one.memory_id} · ${one.kind} · ${one.text}`).join('\n') || 'Nothing is known yet.',
    }
  },
})

export const memoryWrite = tool({
  name: 'memory_write',
  title: 'Remember something',
  description:
    'One short fact for later conversations, or with memory_id a correction. profile: who someone is; semantic: a fact. People can see and delete it.',
  scope: 'write',
  hints: {},
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(memoryChars * 2),
    kind: kind.optional().describe('semantic by default'),
    memory_id: memoryId.optional().describe('The one to correct'),
    conversation_id: conversationId.optional().describe('Its source'),
    message_id: z.string().min(1).max(200).optional(),
  }),
  output: z.object({ memory: memoryShape }),
  run: async ({ text, kind, memory_id, conversation_id, message_id }, desk) => {
    const memories = memoriesOf(desk)
    if (memory_id !== undefined && !(await memories.get(memory_id))) throw missing('memory_id')
    const memory =
      memory_id === undefined
        ? await memories.add({
            kind: kind ?? 'semantic',
            text,
            author: 'agent',
            source: await sourceOf(desk, conversation_id, message_id),
          })
        : await memories.correct(memory_id, { text, ...(kind && { kind }) })
    return { data: { memory: rowOf(memory) }, text: `Remembered as ${memory.id} (${memory.kind}): ${memory.text}` }
  },
})

async function sourceOf(desk: Desk, conversation: string | undefined, message: string | undefined) {
  if (conversation === undefined || message === undefined) return null
  await conversationOf(desk, conversation)
  return { conversation, entry: (await entryOf(desk, conversation, message)).id }
}

export const memoryDelete = tool({
  name: 'memory_delete',
  title: 'Forget something',
  description: 'Deletes one memory; no window has it again.',
  scope: 'write',
  hints: { destroys: true },
  input: z.strictObject({ memory_id: memoryId }),
  output: z.object({ memory_id: z.string() }),
  run: async ({ memory_id }, desk) => {
    const memories = memoriesOf(desk)
    if (!(await memories.get(memory_id))) throw missing('memory_id')
    await memories.remove(memory_id)
    return { data: { memory_id }, text: `${memory_id} is forgotten.` }
  },
})
