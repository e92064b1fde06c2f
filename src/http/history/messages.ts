/** The messages of a conversation: the path of a branch, page by page, and what is added to it. */
import { z } from 'zod'
import type { AppendResult } from '../../engine/history.js'
import { checkAuthors } from '../../operations/authors.js'
import { id, paging } from '../../operations/shapes/common.js'
import { appendedSchema, messageOf, messageSchema, newMessage, unmarked } from '../../operations/shapes/message.js'
import type { Context } from '../context.js'
import { contextOf } from '../expose.js'
import { created, json } from '../reply.js'
import { type Route, route } from '../route.js'
import { historyOf } from './open.js'
import { pathPage, pathQuery } from './path.js'

const path = '/api/v1/conversations/{conversation}/messages'
const branch = z.string().min(1).max(200)

const pageQuery = z.strictObject({ ...pathQuery, limit: paging.limit })

const appendBody = z
  .strictObject({
    branch: branch.default('main'),
    expect: id.nullable().optional().describe('The head you saw; if it has moved on, nothing is written'),
    message: newMessage.optional(),
    messages: z.array(newMessage).min(1).max(1_000).optional(),
  })
  .refine((body) => (body.message === undefined) !== (body.messages === undefined), {
    path: ['message'],
    message: 'give either message or messages',
  })

export const messageRoutes: readonly Route[] = [
  route({
    name: 'listMessages',
    method: 'get',
    path,
    tag: 'messages',
    summary: 'The path of a branch, oldest first, its newest page first',
    scope: 'read',
    owned: { conversation: 'conversation', 'query.head': 'message', 'query.before': 'message' },
    query: pageQuery,
    answers: {
      200: z.object({ items: z.array(messageSchema), next_cursor: z.string().nullable(), head_id: id.nullable() }),
    },
    handle: list,
  }),
  route({
    name: 'appendMessages',
    method: 'post',
    path,
    tag: 'messages',
    summary: 'Add to a branch',
    detail: 'The roles system and orchestrator need the scope admin.',
    scope: 'write',
    owned: { conversation: 'conversation' },
    keyed: true,
    body: appendBody,
    answers: { 201: appendedSchema, 200: appendedSchema.describe('It was there already') },
    problems: [
      'head_moved',
      'id_conflict',
      'already_answered',
      'gone',
      'key_reused',
      'unknown_parent',
      'unknown_call',
      'invalid',
    ],
    example: { body: { message: { role: 'user', content: 'Which line goes to the airport?' } } },
    handle: append,
  }),
]

async function list(context: Context<{ conversation: string }, z.output<typeof pageQuery>>) {
  const { end, ...page } = await pathPage(context, messageOf)
  return { ...page, head_id: end }
}

async function append(context: Context<{ conversation: string }, unknown, z.output<typeof appendBody>>) {
  const { params, body, key } = context
  const messages = body.messages ?? [body.message as z.output<typeof newMessage>]
  checkAuthors(messages, contextOf(context))
  const history = await historyOf(context, params.conversation)
  const done = await history.append(messages, {
    branch: body.branch,
    ...(body.expect === undefined ? null : { expect: body.expect }),
    ...(key === undefined ? null : { key }),
  })
  const answer = appendedOf(done, body.branch)
  return done.repeated ? json(answer) : created(answer)
}

export const appendedOf = (done: AppendResult, branch: string): z.output<typeof appendedSchema> => ({
  branch,
  head_id: done.head,
  messages: done.entries.map((entry) => messageOf(entry, unmarked)),
  repeated: done.repeated,
  warnings: [...done.warnings],
})
