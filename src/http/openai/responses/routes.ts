/** OpenAI's Responses over runs: made, followed, taken up again, stopped, forgotten. */
import { z } from 'zod'
import { isOver } from '../../../runs/run.js'
import { turnProblems } from '../../dialect/refusals.js'
import { refuse } from '../../dialect/refuse.js'
import { startTurn } from '../../dialect/start.js'
import { turnHeaders } from '../../dialect/stream.js'
import { answerOf, finished, turnAgain } from '../../dialect/turn.js'
import { doors } from '../../forward/door.js'
import type { Context } from '../../kit/context.js'
import type { Route } from '../../kit/route.js'
import { json } from '../../kit/route.js'
import { after, itemPage } from '../items/find.js'
import { itemsOf } from '../items/show.js'
import { bodyBytes, openaiRoute } from '../shape/route.js'
import { include, listQuery, listSchema } from '../shape/schemas.js'
import { echoOf, type ResponseBody, responseBody } from './body.js'
import { compactBody, compactionSchema, compactResponse } from './compact.js'
import { responseOf, responseSchema, shellOf } from './object.js'
import { findResponse, forgetResponse, keepResponse, type Response, responseId } from './record.js'
import { askingOf } from './request.js'
import { responseStream } from './stream.js'
import { windowFor } from './window.js'

const path = '/v1/responses'
const one = `${path}/{response}` as const
const owned = { response: 'response' }

export const responseRoutes: readonly Route[] = [
  openaiRoute({
    name: 'openaiCreateResponse',
    method: 'post',
    path,
    summary: 'Say something and have it answered',
    detail:
      'In a conversation, behind another response, or on its own. The window is made by the policy of the conversation; tools are the client’s to run.',
    scope: 'write',
    owned: { 'body.conversation': 'conversation' },
    keyed: true,
    bodyBytes,
    body: responseBody,
    door: doors.responses,
    streams: 'The response as it is made',
    answers: { 200: responseSchema },
    problems: ['events_expired', 'key_reused', ...turnProblems],
    example: { body: { conversation: 'conv_1', input: 'Who owns the Cincinnati service?' } },
    handle: create,
  }),
  openaiRoute({
    name: 'openaiGetResponse',
    method: 'get',
    path: one,
    summary: 'A response, or its events again from where the reader left them',
    scope: 'read',
    owned,
    query: z.strictObject({
      ...include,
      include_obfuscation: z.boolean().optional(),
      stream: z.boolean().optional(),
      starting_after: z.int().min(0).optional().describe('The sequence number of the last event that was seen'),
    }),
    streams: 'The response as it is made',
    answers: { 200: responseSchema },
    problems: ['events_expired'],
    async handle(context) {
      const response = await findResponse(context, context.params.response)
      const { stream, starting_after } = context.query
      if (stream) return responseStream(context, await turnAgain(context, response.run), response.echo, starting_after)
      return current(context, response)
    },
  }),
  openaiRoute({
    name: 'openaiDeleteResponse',
    method: 'delete',
    path: one,
    summary: 'Forget a response, with its words unless they are in a conversation that was named',
    scope: 'write',
    owned,
    answers: { 200: z.object({ id: z.string(), object: z.literal('response'), deleted: z.literal(true) }) },
    problems: ['busy', 'invalid'],
    async handle(context) {
      const response = await findResponse(context, context.params.response)
      if (!isOver(response.run)) await stop(context, response)
      await forgetResponse(context, response)
      return { id: responseId(response.run), object: 'response', deleted: true }
    },
  }),
  openaiRoute({
    name: 'openaiCancelResponse',
    method: 'post',
    path: `${one}/cancel`,
    summary: 'Stop a response; what it has said stays',
    scope: 'write',
    owned,
    answers: { 200: responseSchema },
    async handle(context) {
      const response = await findResponse(context, context.params.response)
      return current(context, isOver(response.run) ? response : { ...response, run: await stop(context, response) })
    },
  }),
  openaiRoute({
    name: 'openaiListInputItems',
    method: 'get',
    path: `${one}/input_items`,
    summary: 'What was sent with the request for it',
    scope: 'read',
    owned,
    query: listQuery,
    answers: { 200: listSchema },
    async handle(context) {
      const { query, params } = context
      const items = await inputItems(context, await findResponse(context, params.response))
      return itemPage(after(query.order === 'asc' ? items : items.toReversed(), query.after), query.limit)
    },
  }),
  openaiRoute({
    name: 'openaiCountInputTokens',
    method: 'post',
    path: `${path}/input_tokens`,
    summary: 'How many tokens the request to the model would have; nothing is written and no one is asked',
    scope: 'write',
    owned: { 'body.conversation': 'conversation' },
    bodyBytes,
    body: responseBody,
    answers: { 200: z.object({ object: z.literal('response.input_tokens'), input_tokens: z.int() }) },
    problems: ['busy', 'invalid', 'policy_invalid', 'refused', 'unknown_model'],
    example: { body: { conversation: 'conv_1', input: 'Who owns the Cincinnati service?' } },
    async handle(context) {
      const { before, ask, model } = await askingOf({ ...context, key: undefined }, { ...context.body, store: false })
      const { receipt } = await windowFor(context, before, ask, model)
      return { object: 'response.input_tokens', input_tokens: receipt.budget.used }
    },
  }),
  openaiRoute({
    name: 'openaiCompact',
    method: 'post',
    path: `${path}/compact`,
    summary: 'The window that the model would get, as one item: what to go on with when the whole is too long',
    scope: 'write',
    bodyBytes,
    body: compactBody,
    door: doors.compact,
    answers: { 200: compactionSchema },
    problems: ['busy', 'invalid', 'policy_invalid', 'refused', 'unknown_model', 'not_found'],
    example: { body: { model: 'default', input: [{ role: 'user', content: 'Where is Lisbon?' }] } },
    handle: compactResponse,
  }),
]

async function create(context: Context<object, object, ResponseBody>) {
  const { body } = context
  if (body.background && body.store === false) throw refuse('background', 'needs store')
  const asking = await askingOf(context, body)
  const turn = await startTurn(context, asking.place, asking.ask)
  const echo = echoOf(body)
  const { inputs, own } = asking
  if (turn.kept) await keepResponse(context, { run: turn.run, echo, inputs, own })
  if (body.stream) return responseStream(context, turn, echo)
  if (body.background) return json(shellOf(turn.run, echo, true), 200, turnHeaders(turn))
  return json(responseOf(await finished(context, turn), echo, turn.kept), 200, turnHeaders(turn))
}

type At = Pick<Context, 'frame' | 'workspace'>

const current = async ({ frame, workspace }: At, { run, echo }: Response) =>
  responseOf(await answerOf({ store: frame.store, workspace }, run), echo, true)

const stop = ({ frame, workspace }: At, { run }: Response) => frame.runs.stop(workspace, run.conversation, run.id)

async function inputItems({ frame, workspace }: At, { run, inputs }: Response) {
  if (run.asked === null || inputs === 0) return []
  // some entries came inside of others
  const path = await frame.store.path(workspace, run.conversation, run.asked, inputs * 2)
  return path.flatMap(itemsOf).slice(-inputs)
}
