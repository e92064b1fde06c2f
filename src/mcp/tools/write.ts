/** Conversations: added to, and branched. */

import { z } from 'zod'
import { choiceOf } from '../../core/policy/presets/index.js'
import { type History, openHistory } from '../../engine/history.js'
import { checkAuthors } from '../../operations/authors.js'
import { settingsIn } from '../../runs/settings.js'
import type { McpContext } from '../kit/context.js'
import { conversationOf } from '../kit/conversation.js'
import { wrong } from '../kit/refusal.js'
import { tool } from '../kit/tool.js'
import { uris } from '../kit/uris.js'
import { conversationId } from './find.js'
import { messagesOf, messagesParameter } from './messages.js'
import { entryOf } from './read.js'
import { warningOf, warningShape } from './shapes.js'

const branch = z.string().min(1).max(200)

export const conversationAppend = tool({
  name: 'conversation_append',
  title: 'Add to a conversation',
  description:
    'Adds messages to a branch; without conversation_id a new conversation begins. The same key and messages again write nothing.',
  scope: 'write',
  hints: {},
  input: z.strictObject({
    conversation_id: conversationId.optional(),
    title: z.string().max(500).optional().describe('Of a new conversation'),
    branch: branch.default('main'),
    messages: messagesParameter.optional(),
    role: z
      .enum(['user', 'assistant', 'system', 'orchestrator', 'tool'])
      .optional()
      .describe('Instead of messages, with content'),
    content: z.string().optional(),
    expect: z
      .string()
      .max(200)
      .nullable()
      .optional()
      .describe('The head you saw; if it has moved on, nothing is written'),
    key: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/)
      .optional()
      .describe('Makes a repeated call harmless'),
  }),
  output: z.object({
    conversation_id: z.string(),
    branch: z.string(),
    head: z.string(),
    message_ids: z.array(z.string()),
    repeated: z.boolean().describe('Nothing was written: all of it was there already'),
    warnings: z.array(warningShape),
  }),
  run: async ({ conversation_id, title, branch, messages, role, content, expect, key }, context) => {
    const said = messages === undefined ? [{ role: role ?? 'user', content: content ?? '' }] : messagesOf(messages)
    if (messages === undefined && content === undefined) throw wrong('messages', 'give messages, or role and content')
    checkAuthors(said, context)
    const history = await historyOf(context, conversation_id, title)
    const done = await history.append(said, {
      branch,
      ...(expect === undefined ? null : { expect }),
      ...(key === undefined ? null : { key }),
    })
    const ids = done.entries.map(({ id }) => id)
    return {
      data: {
        conversation_id: history.id,
        branch,
        head: done.head,
        message_ids: ids.slice(0, 200),
        repeated: done.repeated,
        warnings: done.warnings.map(warningOf),
      },
      text: `${done.repeated ? 'It was there already' : `${ids.length} messages were added`}: conversation ${history.id}, branch ${branch}, head ${done.head}.`,
      links: [{ uri: uris.conversation(history.id), name: title ?? history.id }],
    }
  },
})

async function historyOf(context: McpContext, id: string | undefined, title: string | undefined): Promise<History> {
  const { store, workspace, policy, env } = context
  const known = id === undefined ? null : await conversationOf(context, id)
  const { model } = settingsIn(known)
  return openHistory({
    ...{ store, workspace, policy: choiceOf(policy), env, live: true },
    ...(id === undefined ? null : { conversation: id }),
    ...(title === undefined ? null : { title }),
    ...(model !== undefined && { model }),
  })
}

export const conversationFork = tool({
  name: 'conversation_fork',
  title: 'Branch a conversation',
  description: 'A new branch at a message, or at the beginning with null. Nothing is copied and nothing is lost.',
  scope: 'write',
  hints: {},
  input: z.strictObject({
    conversation_id: conversationId,
    at: z.string().max(200).nullable().describe('message_id where the branch begins'),
    branch: branch.optional().describe('Its name; one is made up when left out'),
  }),
  output: z.object({ conversation_id: z.string(), branch: z.string(), head: z.string().nullable() }),
  run: async ({ conversation_id, at, branch }, context) => {
    const history = await historyOf(context, conversation_id, undefined)
    if (at !== null) await entryOf(context, conversation_id, at)
    const { name, head } = await history.fork(at, branch)
    return {
      data: { conversation_id, branch: name, head },
      text: `Branch ${name} of ${conversation_id} begins at ${head ?? 'the beginning'}.`,
    }
  },
})
