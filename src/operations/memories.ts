/** Memories: what is known beyond one conversation. People and agents see, add, correct and delete them. */
import { z } from 'zod'
import { type MemorySource, openMemories } from '../recall/memories.js'
import type { OperationContext } from './context.js'
import { findConversation, findMessage } from './find.js'
import { operation, streamOperation } from './operation.js'
import { invalidInput, notFound } from './refusals.js'
import { id, pageSchema, paging } from './shapes/common.js'
import { memoryKind, memoryShape, memoryText, memoryToWire } from './shapes/memory.js'

const memory_id = id.describe('The id of a memory')

export const listMemories = operation({
  name: 'memories.list',
  summary: 'What is known, newest first',
  scope: 'read',
  input: z.strictObject({ ...paging, kind: memoryKind.optional() }),
  output: pageSchema(memoryShape),
  refusals: ['invalid'],
  run: async (context, query) => {
    const { items, cursor } = await memoriesOf(context).list(query)
    return { items: items.map(memoryToWire), next_cursor: cursor }
  },
})

export const getMemory = operation({
  name: 'memories.get',
  summary: 'One memory',
  scope: 'read',
  owned: { memory_id: 'memory' },
  input: z.strictObject({ memory_id }),
  output: memoryShape,
  run: async (context, { memory_id }) => {
    const memory = await memoriesOf(context).get(memory_id)
    if (!memory) throw notFound('memory_id', memory_id)
    return memoryToWire(memory)
  },
})

export const exportMemories = streamOperation({
  name: 'memories.export',
  summary: 'Everything that is known, oldest first: one JSON document per line',
  scope: 'read',
  input: z.strictObject({}),
  output: memoryShape,
  run: async function* (context) {
    for await (const memory of memoriesOf(context).all()) yield memoryToWire(memory)
  },
})

export const addMemory = operation({
  name: 'memories.add',
  summary: 'Remember something; it is deleted with the conversation it comes from',
  scope: 'write',
  owned: { conversation_id: 'conversation', message_id: 'message' },
  input: z.strictObject({
    text: memoryText,
    kind: memoryKind.default('semantic'),
    conversation_id: id.optional().describe('Where it comes from, with `message_id`'),
    message_id: id.optional(),
  }),
  output: memoryShape,
  refusals: ['invalid', 'gone'],
  example: { kind: 'profile', text: 'Prefers answers in metric units.' },
  run: async (context, { text, kind, conversation_id, message_id }) => {
    const source = await sourceOf(context, conversation_id, message_id)
    return memoryToWire(await memoriesOf(context).add({ kind, text, source, author: context.author }))
  },
})

export const correctMemory = operation({
  name: 'memories.correct',
  summary: 'Correct what is known',
  scope: 'write',
  owned: { memory_id: 'memory' },
  input: z.strictObject({
    memory_id,
    kind: memoryKind.optional(),
    text: memoryText.optional(),
    expect: z.int().min(1).optional().describe('The revision you saw'),
  }),
  output: memoryShape,
  refusals: ['invalid', 'record_moved'],
  example: { text: 'Prefers metric units and short answers.' },
  run: async (context, { memory_id, ...change }) => {
    await getMemory.run(context, { memory_id })
    return memoryToWire(await memoriesOf(context).correct(memory_id, change))
  },
})

export const deleteMemory = operation({
  name: 'memories.delete',
  summary: 'Forget it; no window has it again',
  scope: 'write',
  destroys: true,
  owned: { memory_id: 'memory' },
  input: z.strictObject({ memory_id }),
  output: z.null(),
  run: async (context, { memory_id }) => {
    await getMemory.run(context, { memory_id })
    await memoriesOf(context).remove(memory_id)
    return null
  },
})

const memoriesOf = ({ store, workspace, env }: OperationContext) => openMemories({ store, workspace, env })

async function sourceOf(
  context: OperationContext,
  conversation: string | undefined,
  message: string | undefined,
): Promise<MemorySource | null> {
  if (conversation === undefined && message === undefined) return null
  if (conversation === undefined) throw invalidInput('conversation_id', 'is needed with message_id')
  if (message === undefined) throw invalidInput('message_id', 'is needed with conversation_id')
  await findConversation(context, conversation)
  return { conversation, entry: (await findMessage(context, conversation, message)).id }
}
