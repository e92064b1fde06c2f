/** The messages of a conversation: read along a branch, added, marked, rated, their words removed. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import { HistoryError } from '../core/message/issue.js'
import { unitsOf } from '../core/message/text.js'
import { choiceOf } from '../core/policy/presets/index.js'
import { type AppendRequest, type AppendResult, openHistory } from '../engine/history.js'
import { redactEntry } from '../engine/redact.js'
import { markEntry } from '../engine/window/entries.js'
import type { Entry } from '../store/contract/entry.js'
import { checkAuthors } from './authors.js'
import type { OperationContext } from './context.js'
import { findConversation, findHead, findMessage, historyOf } from './find.js'
import { allMarks, marksOn, rate, unmark } from './marks.js'
import { operation } from './operation.js'
import { invalidInput } from './refusals.js'
import { branchName } from './shapes/branch.js'
import { conversation_id, id, message_id, paging, removalSchema, removalToWire } from './shapes/common.js'
import {
  appendedSchema,
  briefOf,
  briefSchema,
  type Marks,
  messageSchema,
  messageToWire,
  newMessage,
  ratingSchema,
  unmarked,
} from './shapes/message.js'

const owned = { conversation_id: 'conversation', message_id: 'message' } as const

const path = {
  conversation_id,
  branch: branchName.default('main'),
  head: id.optional().describe('The path that ends here, instead of a branch'),
  before: id.optional().describe('The page that ends before this message: `next_cursor`'),
}
const pathOwned = { conversation_id: 'conversation', head: 'message', before: 'message' } as const

export const listMessages = operation({
  name: 'messages.list',
  summary: 'The path of a branch, oldest first, its newest page first',
  scope: 'read',
  owned: pathOwned,
  input: z.strictObject({ ...path, limit: paging.limit }),
  output: z.object({ items: z.array(messageSchema), next_cursor: z.string().nullable(), head_id: id.nullable() }),
  run: async (context, asked) => {
    const { end, ...page } = await pathPage(context, asked, messageToWire)
    return { ...page, head_id: end }
  },
})

export const getOutline = operation({
  name: 'outline.get',
  summary: 'The path of a branch in brief, oldest first, its newest page first',
  scope: 'read',
  owned: pathOwned,
  input: z.strictObject({ ...path, limit: z.int().min(1).max(2_000).default(500) }),
  output: z.object({ items: z.array(briefSchema), next_cursor: z.string().nullable() }),
  run: async (context, asked) => {
    const { items, next_cursor } = await pathPage(context, asked, briefOf)
    return { items, next_cursor }
  },
})

type PathAsked = z.output<z.ZodObject<typeof path>> & { readonly limit: number }

/** From a head or the end of a branch, or from what is before a message, backwards. */
async function pathPage<T>(context: OperationContext, asked: PathAsked, shown: (entry: Entry, marks: Marks) => T) {
  const { conversation_id: conversation, branch, head, before, limit } = asked
  await findConversation(context, conversation)
  const end = head ? (await findMessage(context, conversation, head)).id : await findHead(context, conversation, branch)
  const from = before ? (await findMessage(context, conversation, before)).parent : end
  const entries = from === null ? [] : await context.store.path(context.workspace, conversation, from, limit)
  const marks = await allMarks(context, conversation)
  const first = entries[0]
  return {
    end,
    items: entries.map((entry) => shown(entry, marks(entry.id))),
    next_cursor: first && first.parent !== null ? first.id : null,
  }
}

export const getMessage = operation({
  name: 'messages.get',
  summary: 'One message',
  scope: 'read',
  owned,
  input: z.strictObject({ conversation_id, message_id }),
  output: messageSchema,
  run: async (context, { conversation_id, message_id }) => {
    const entry = await findMessage(context, conversation_id, message_id)
    return messageToWire(entry, await marksOn(context, conversation_id, message_id))
  },
})

export const appendMessages = operation({
  name: 'messages.append',
  summary: 'Add to a branch; without a conversation a new one begins',
  detail: 'The roles system and orchestrator need the scope admin.',
  scope: 'write',
  keyed: true,
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    conversation_id: conversation_id.optional(),
    title: z.string().max(500).optional().describe('Of a new conversation'),
    branch: branchName.default('main'),
    expect: id.nullable().optional().describe('The head you saw; if it has moved on, nothing is written'),
    message: newMessage.optional(),
    messages: z.array(newMessage).min(1).max(1_000).optional(),
  }),
  output: appendedSchema,
  refusals: [
    'head_moved',
    'id_conflict',
    'already_answered',
    'gone',
    'key_reused',
    'unknown_parent',
    'unknown_call',
    'invalid',
  ],
  example: { message: { role: 'user', content: 'Which line goes to the airport?' } },
  run: async (context, { conversation_id, title, branch, expect, message, messages }) => {
    if ((message === undefined) === (messages === undefined))
      throw invalidInput('message', 'give either message or messages')
    if (title !== undefined && conversation_id !== undefined)
      throw invalidInput('title', 'is only for a new conversation: give either title or conversation_id')
    const said = messages ?? [message]
    checkAuthors(said, context)
    const { store, workspace, env, policy, key, historyLimits: limits } = context
    const history =
      conversation_id === undefined
        ? await openHistory({
            ...{ store, workspace, env, limits, policy: choiceOf(policy), live: true },
            ...(title !== undefined && { title }),
          })
        : await historyOf(context, conversation_id)
    return appendedOf(history.id, await history.append(said, defined<AppendRequest>({ branch, expect, key })), branch)
  },
})

export const appendedOf = (
  conversation: string,
  done: AppendResult,
  branch: string,
): z.output<typeof appendedSchema> => ({
  conversation_id: conversation,
  branch,
  head_id: done.head,
  messages: done.entries.map((entry) => messageToWire(entry, unmarked)),
  repeated: done.repeated,
  warnings: [...done.warnings],
})

export const markMessage = operation({
  name: 'messages.mark',
  summary: 'Mark it as pinned or as excluded',
  scope: 'write',
  owned,
  input: z.strictObject({
    conversation_id,
    message_id,
    pinned: z.boolean().optional(),
    excluded: z.boolean().optional(),
  }),
  output: messageSchema,
  refusals: ['gone'],
  example: { pinned: true },
  run: async (context, { conversation_id, message_id, ...change }) => {
    const { sources, workspace, env } = context
    await findMessage(context, conversation_id, message_id)
    await markEntry(sources(workspace, conversation_id), message_id, change, env.now())
    return getMessage.run(context, { conversation_id, message_id })
  },
})

export const rateMessage = operation({
  name: 'messages.rate',
  summary: 'Say what an answer was worth: -1, 0 or 1',
  scope: 'write',
  owned: { conversation_id: 'conversation', message_id: 'answer' },
  input: z.strictObject({
    conversation_id,
    message_id,
    value: z.int().min(-1).max(1),
    note: z.string().max(2_000).optional(),
  }),
  output: ratingSchema,
  refusals: ['gone', 'invalid'],
  example: { value: 1, note: 'just right' },
  run: async (context, { conversation_id, message_id, value, note = null }) => {
    const { body } = await findMessage(context, conversation_id, message_id)
    if (body.kind !== 'message' || body.role !== 'assistant')
      throw new HistoryError('invalid', [{ code: 'invalid', message: 'only an answer can be rated' }])
    await rate(context, conversation_id, message_id, { value, note })
    const { rating } = await marksOn(context, conversation_id, message_id)
    return rating ?? { value, note, at: context.env.now() }
  },
})

export const redactMessage = operation({
  name: 'messages.redact',
  summary: 'Remove its words wherever they are kept; order and links stay',
  scope: 'write',
  destroys: true,
  owned,
  input: z.strictObject({ conversation_id, message_id }),
  output: removalSchema,
  refusals: ['gone', 'invalid'],
  run: async (context, { conversation_id, message_id }) => {
    await findMessage(context, conversation_id, message_id)
    const removed = await redactEntry(context.sources(context.workspace, conversation_id), message_id)
    await unmark(context, conversation_id, message_id)
    return removalToWire(removed)
  },
})

export const expandMessage = operation({
  name: 'messages.expand',
  summary: 'The whole text of a message, also of a result that was cut for storage; or a part of it',
  scope: 'read',
  owned,
  input: z.strictObject({
    conversation_id,
    message_id,
    offset: z.int().min(0).default(0).describe('Characters to skip'),
    length: z.int().min(1).optional().describe('At most so many characters; the rest when left out'),
  }),
  output: z.object({ id, text: z.string(), next_offset: z.int().nullable().describe('There is more from here on') }),
  run: async (context, { conversation_id, message_id, offset, length }) => {
    await findMessage(context, conversation_id, message_id)
    const history = await historyOf(context, conversation_id)
    const whole = await history.expand(message_id)
    const rest = whole.slice(unitsOf(whole, offset))
    const text = length === undefined ? rest : rest.slice(0, unitsOf(rest, length))
    return { id: message_id, text, next_offset: text === rest ? null : offset + (length ?? 0) }
  },
})
