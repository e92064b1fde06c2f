/** Answers as they are made: started, followed, taken up again. */
import { z } from 'zod'
import { findConversation } from '../../operations/find.js'
import { beginRun, findRun, pathOf, startedOf, startRun } from '../../operations/runs.js'
import { isOver } from '../../runs/run.js'
import { contextOf, expose } from '../kit/expose.js'
import { json, type Route, route } from '../kit/route.js'
import { prefers } from './chat-routes.js'
import {
  beginningOf,
  checkSeen,
  conversationStream,
  lastSeen,
  newestEvent,
  runStream,
  startedStream,
} from './stream.js'

const conversationPath = '/api/v1/conversations/{conversation_id}'
const seen = z.strictObject({
  after: z.int().min(0).optional().describe('The number of the last event that was seen, as Last-Event-ID'),
})

export const runRoutes: readonly Route[] = [
  expose('post', `${conversationPath}/runs`, startRun, {
    status: 201,
    otherwise: { status: 202, says: 'It waits behind another', if: () => false },
    streams: 'The run as it goes on',
    async reply(context, work, given) {
      const started = await beginRun(work, given)
      const { run } = started
      const location = pathOf(run)
      if (prefers(context.request, ['application/json', 'text/event-stream']) === 'text/event-stream')
        return startedStream(context, started, { headers: { location } })
      return json(startedOf(started), run.state === 'queued' ? 202 : 201, { location })
    },
  }),
  route({
    name: 'followRun',
    method: 'get',
    path: `${conversationPath}/runs/{run_id}/events`,
    tag: 'runs',
    summary: 'A run as it goes on, from its beginning or from where the reader left it',
    scope: 'read',
    owned: { conversation_id: 'conversation', run_id: 'run' },
    query: seen,
    answers: { 200: { type: 'text/event-stream', says: 'The events' }, 204: null },
    problems: ['events_expired', 'invalid'],
    async handle(context) {
      const run = await findRun(contextOf(context), context.params)
      const last = lastSeen(context, context.query.after)
      if (last !== undefined) await checkSeen(context, run.conversation, last)
      if (last !== undefined && !isOver(run)) return runStream(context, run, last)
      const before = await beginningOf(context, run, last)
      // a reader that has it all is not to come back
      return before === null ? new Response(null, { status: 204 }) : runStream(context, run, before)
    },
  }),
  route({
    name: 'followConversation',
    method: 'get',
    path: `${conversationPath}/events`,
    tag: 'conversations',
    summary: 'Everything that happens in a conversation, live: messages, answers as they grow, branches that move',
    detail: 'Without a number it begins now, and says with its first id where that is.',
    scope: 'read',
    owned: { conversation_id: 'conversation' },
    query: seen,
    answers: { 200: { type: 'text/event-stream', says: 'The events' } },
    problems: ['events_expired', 'invalid'],
    async handle(context) {
      const { conversation_id: conversation } = context.params
      await findConversation(contextOf(context), conversation)
      const last = lastSeen(context, context.query.after)
      if (last !== undefined) await checkSeen(context, conversation, last)
      return conversationStream(context, conversation, last ?? (await newestEvent(context, conversation)))
    },
  }),
]
