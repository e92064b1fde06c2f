/** Notes drawn from a conversation when someone asks for them: each names the message it rests on and who wrote it. */
import { z } from 'zod'
import { extractive } from '../engine/compact/extract.js'
import { saidIn } from '../engine/compact/material.js'
import { memoryChars, openMemories } from '../recall/memories.js'
import { settingsIn } from '../runs/settings.js'
import { summariserOf } from '../runs/summarise.js'
import { digest } from '../store/shared/runtime.js'
import { findConversation, findHead } from './find.js'
import { operation } from './operation.js'
import { branchName } from './shapes/branch.js'
import { conversation_id } from './shapes/common.js'
import { memoryShape, memoryToWire } from './shapes/memory.js'

export const deriveMemories = operation({
  name: 'memories.derive',
  summary: 'Draw notes from a conversation: what happened and what follows, each with the message it rests on',
  detail:
    'Written by the conversation’s model; where only the built-in responder answers, sentences are picked. Nothing is noted unless this is asked for, and asking again adds only what is new.',
  scope: 'write',
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    conversation_id,
    branch: branchName.default('main'),
    messages: z.int().min(1).max(500).default(100).describe('How many of the newest messages are read'),
    words: z.int().min(20).max(1_000).default(150).describe('How many words the notes may have together'),
  }),
  output: z.object({ items: z.array(memoryShape) }).meta({ id: 'Derived', description: 'The notes that are new' }),
  refusals: ['gone', 'unknown_model', 'model_failed'],
  example: { words: 80 },
  run: async (context, { conversation_id: conversation, branch, messages, words }) => {
    const { store, workspace, env } = context
    const { model: named } = settingsIn(await findConversation(context, conversation))
    const head = await findHead(context, conversation, branch)
    const entries = head === null ? [] : await store.path(workspace, conversation, head, messages)
    const model = await context.models.find(named)
    const writer = model.kind === 'builtin' ? extractive : summariserOf(model)
    const said = saidIn(entries)
    const notes =
      said.length === 0 ? [] : await writer.summarise({ previous: [], said, words }, AbortSignal.timeout(60_000))
    const memories = openMemories({ store, workspace, env })
    const items = []
    for (const { section, text, sources } of notes) {
      const [entry] = sources
      // what rests on nothing that was said is not kept
      if (entry === undefined || !said.some(({ id }) => id === entry)) continue
      const id = `note_${digest(JSON.stringify([conversation, entry, text])).slice(0, 32)}`
      if (await memories.get(id)) continue
      const kind = section === 'fact' || section === 'exact' ? 'derived' : 'episodic'
      const source = { conversation, entry }
      items.push(await memories.add({ id, kind, text: text.slice(0, memoryChars), source, author: writer.author }))
    }
    return { items: items.map(memoryToWire) }
  },
})
