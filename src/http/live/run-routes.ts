/** Answers as they are made: started, followed, taken up again, stopped. */
import { z } from 'zod'
import { pageOf, paging } from '../../operations/shapes/common.js'
import { runOf, runSchema } from '../../operations/shapes/run.js'
import type { Run } from '../../runs/contract.js'
import { isOver } from '../../runs/run.js'
import type { Context } from '../context.js'
import { findConversation } from '../history/open.js'
import { Problem } from '../problem.js'
import { json } from '../reply.js'
import { type Route, route } from '../route.js'
import { prefers } from './accept.js'
import { requestOf, runBody, startedOf, startedSchema, whereIs } from './run-request.js'
import {
  beginningOf,
  checkSeen,
  conversationStream,
  lastSeen,
  newestEvent,
  runStream,
  startedStream,
} from './stream.js'

const runsPath = '/api/v1/conversations/{conversation}/runs'
const runPath = `${runsPath}/{run}` as const
const owned = { conversation: 'conversation', run: 'run' }
const seen = z.strictObject({
  after: z.int().min(0).optional().describe('The number of the last event that was seen, as Last-Event-ID'),
})

export const runRoutes: readonly Route[] = [
  route({
    name: 'startRun',
    method: 'post',
    path: runsPath,
    tag: 'runs',
    summary: 'Say something and have it answered',
    detail:
      'The run belongs to the server: whoever asked may leave, and follow it again from any replica. Ask for text/event-stream to follow it at once.',
    scope: 'write',
    owned: { conversation: 'conversation' },
    body: runBody,
    keyed: true,
    streams: 'The run as it goes on',
    answers: { 201: startedSchema, 202: startedSchema.describe('It waits behind another') },
    problems: [
      'busy',
      'events_expired',
      'head_moved',
      'id_conflict',
      'already_answered',
      'gone',
      'invalid',
      'key_reused',
      'policy_invalid',
      'too_many_runs',
      'unknown_call',
      'unknown_model',
    ],
    example: { body: { message: 'Who owns the Cincinnati service?' } },
    async handle(context) {
      await findConversation(context, context.params.conversation)
      const started = await context.frame.runs.start(requestOf(context))
      started.ended.catch(() => {})
      const { run } = started
      const location = whereIs(run)
      if (prefers(context.request, ['application/json', 'text/event-stream']) === 'text/event-stream')
        return startedStream(context, started, { headers: { location } })
      return json(startedOf(started), run.state === 'queued' ? 202 : 201, { location })
    },
  }),
  route({
    name: 'listRuns',
    method: 'get',
    path: runsPath,
    tag: 'runs',
    summary: 'The runs of a conversation, newest first',
    scope: 'read',
    owned: { conversation: 'conversation' },
    query: z.strictObject(paging),
    answers: { 200: pageOf(runSchema) },
    problems: ['invalid'],
    async handle(context) {
      const { frame, workspace, params, query } = context
      await findConversation(context, params.conversation)
      const { limit, cursor } = query
      const page = await frame.runs.list(workspace, params.conversation, { limit, ...(cursor && { cursor }) })
      return { items: page.items.map(runOf), next_cursor: page.cursor }
    },
  }),
  route({
    name: 'getRun',
    method: 'get',
    path: runPath,
    tag: 'runs',
    summary: 'One run',
    scope: 'read',
    owned,
    answers: { 200: runSchema },
    handle: async (context) => runOf(await findRun(context)),
  }),
  route({
    name: 'followRun',
    method: 'get',
    path: `${runPath}/events`,
    tag: 'runs',
    summary: 'A run as it goes on, from its beginning or from where the reader left it',
    scope: 'read',
    owned,
    query: seen,
    answers: { 200: { type: 'text/event-stream', says: 'The events' }, 204: null },
    problems: ['events_expired', 'invalid'],
    async handle(context) {
      const run = await findRun(context)
      const last = lastSeen(context, context.query.after)
      if (last !== undefined) await checkSeen(context, run.conversation, last)
      if (last !== undefined && !isOver(run)) return runStream(context, run, last)
      const before = await beginningOf(context, run, last)
      // a reader that has it all is not to come back
      return before === null ? new Response(null, { status: 204 }) : runStream(context, run, before)
    },
  }),
  route({
    name: 'stopRun',
    method: 'post',
    path: `${runPath}/stop`,
    tag: 'runs',
    summary: 'Stop a run, from anywhere; what it has said stays',
    scope: 'write',
    owned,
    answers: { 200: runSchema },
    problems: ['gone'],
    async handle(context) {
      const { id, conversation } = await findRun(context)
      return runOf(await context.frame.runs.stop(context.workspace, conversation, id))
    },
  }),
  route({
    name: 'followConversation',
    method: 'get',
    path: '/api/v1/conversations/{conversation}/events',
    tag: 'conversations',
    summary: 'Everything that happens in a conversation, live: messages, answers as they grow, branches that move',
    detail: 'Without a number it begins now, and says with its first id where that is.',
    scope: 'read',
    owned: { conversation: 'conversation' },
    query: seen,
    answers: { 200: { type: 'text/event-stream', says: 'The events' } },
    problems: ['events_expired', 'invalid'],
    async handle(context) {
      const { conversation } = context.params
      await findConversation(context, conversation)
      const last = lastSeen(context, context.query.after)
      if (last !== undefined) await checkSeen(context, conversation, last)
      return conversationStream(context, conversation, last ?? (await newestEvent(context, conversation)))
    },
  }),
]

type At = Pick<Context<{ readonly conversation: string; readonly run: string }>, 'frame' | 'workspace' | 'params'>

async function findRun({ frame, workspace, params }: At): Promise<Run> {
  const run = await frame.runs.get(workspace, params.conversation, params.run)
  if (!run) throw new Problem('not_found')
  return run
}
