/** The messages of a conversation: read along a branch, added, marked, rated, their words removed. */
import { z } from 'zod'
import { HistoryError } from '../core/message/issue.js'
import type { AppendRequest, AppendResult } from '../engine/history.js'
import { redactEntry } from '../engine/redact.js'
import { markEntry } from '../engine/window/marks.js'
import type { Entry } from '../store/contract/entry.js'
import { checkAuthors } from './authors.js'
import type { OperationContext } from './context.js'
import { defined } from './defined.js'
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
  messageOf,
  messageSchema,
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
    const { end, ...page } = await pathPage(context, asked, messageOf)
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
    return messageOf(entry, await marksOn(context, conversation_id, message_id))
  },
})

export const appendMessages = operation({
  name: 'messages.append',
  summary: 'Add to a branch',
  detail: 'The roles system and orchestrator need the scope admin.',
  scope: 'write',
  keyed: true,
  owned: { conversation_id: 'conversation' },
  input: z.strictObject({
    conversation_id,
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
  run: async (context, { conversation_id, branch, expect, message, messages }) => {
    if ((message === undefined) === (messages === undefined))
      throw invalidInput('message', 'give either message or messages')
    return appendTo(context, conversation_id, messages ?? [message], { branch, expect, key: context.key })
  },
})

interface AppendAsked {
  readonly branch: string
  readonly expect?: string | null | undefined
  readonly key?: string | undefined
}

/** Every door's way to add messages: who may say them is decided before anything is opened. */
export async function appendTo(
  context: OperationContext,
  conversation: string,
  messages: readonly unknown[],
  { branch, expect, key }: AppendAsked,
): Promise<z.output<typeof appendedSchema>> {
  checkAuthors(messages, context)
  const history = await historyOf(context, conversation)
  return appendedOf(await history.append(messages, defined<AppendRequest>({ branch, expect, key })), branch)
}

export const appendedOf = (done: AppendResult, branch: string): z.output<typeof appendedSchema> => ({
  branch,
  head_id: done.head,
  messages: done.entries.map((entry) => messageOf(entry, unmarked)),
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
  summary: 'The whole text of a result that was cut for storage',
  scope: 'read',
  owned,
  input: z.strictObject({ conversation_id, message_id }),
  output: z.object({ id, text: z.string() }),
  run: async (context, { conversation_id, message_id }) => {
    await findMessage(context, conversation_id, message_id)
    const history = await historyOf(context, conversation_id)
    return { id: message_id, text: await history.expand(message_id) }
  },
})
