/** One message: read, marked, rated, its words removed. */
import { z } from 'zod'
import { redactEntry } from '../../engine/redact.js'
import { id, removalSchema } from '../../operations/shapes/common.js'
import { messageOf, messageSchema, ratingSchema } from '../../operations/shapes/message.js'
import { Problem } from '../problem.js'
import { fresh } from '../reply.js'
import { type Route, route } from '../route.js'
import { mark, marksOf, rate, unmark } from './marks.js'
import { findEntry, historyOf } from './open.js'
import { removalOf } from './removal.js'

const path = '/api/v1/conversations/{conversation}/messages/{message}'
const owned = { conversation: 'conversation', message: 'message' }

export const singleRoutes: readonly Route[] = [
  route({
    name: 'getMessage',
    method: 'get',
    path,
    tag: 'messages',
    summary: 'One message',
    scope: 'read',
    owned,
    tagged: true,
    answers: { 200: messageSchema },
    handle: async (context) => {
      const { conversation, message } = context.params
      const entry = await findEntry(context, conversation, message)
      return fresh(context, messageOf(entry, await marksOf(context, conversation, message)))
    },
  }),
  route({
    name: 'markMessage',
    method: 'patch',
    path,
    tag: 'messages',
    summary: 'Mark it as pinned or as excluded',
    scope: 'write',
    owned,
    body: z.strictObject({ pinned: z.boolean().optional(), excluded: z.boolean().optional() }),
    answers: { 200: messageSchema },
    problems: ['gone'],
    example: { body: { pinned: true } },
    handle: async (context) => {
      const { conversation, message } = context.params
      const entry = await findEntry(context, conversation, message)
      await mark(context, conversation, message, context.body)
      return messageOf(entry, await marksOf(context, conversation, message))
    },
  }),
  route({
    name: 'redactMessage',
    method: 'delete',
    path,
    tag: 'messages',
    summary: 'Remove its words everywhere they stand; order and links stay',
    scope: 'write',
    owned,
    answers: { 200: removalSchema },
    problems: ['gone', 'invalid'],
    handle: async (context) => {
      const { conversation, message } = context.params
      await findEntry(context, conversation, message)
      const removed = await redactEntry(context.frame.sources(context.workspace, conversation), message)
      await unmark(context, conversation, message)
      return removalOf(removed)
    },
  }),
  route({
    name: 'expandMessage',
    method: 'get',
    path: `${path}/text`,
    tag: 'messages',
    summary: 'The whole text of a result that was cut for storage',
    scope: 'read',
    owned,
    answers: { 200: z.object({ id, text: z.string() }) },
    handle: async (context) => {
      const { conversation, message } = context.params
      await findEntry(context, conversation, message)
      const history = await historyOf(context, conversation)
      return { id: message, text: await history.expand(message) }
    },
  }),
  route({
    name: 'rateMessage',
    method: 'put',
    path: `${path}/rating`,
    tag: 'messages',
    summary: 'Say what an answer was worth: -1, 0 or 1',
    scope: 'write',
    owned: { conversation: 'conversation', message: 'answer' },
    body: z.strictObject({ value: z.int().min(-1).max(1), note: z.string().max(2_000).optional() }),
    answers: { 200: ratingSchema },
    problems: ['gone', 'invalid'],
    example: { body: { value: 1, note: 'just right' } },
    handle: async (context) => {
      const { conversation, message } = context.params
      const { body } = await findEntry(context, conversation, message)
      if (body.kind !== 'message' || body.role !== 'assistant')
        throw new Problem('invalid', { detail: 'only an answer can be rated' })
      const { value, note = null } = context.body
      await rate(context, conversation, message, { value, note })
      return (await marksOf(context, conversation, message)).rating
    },
  }),
]
