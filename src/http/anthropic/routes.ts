/** Anthropic's Messages over runs: its clients work with no more than another base URL. */
import { z } from 'zod'
import { countOf } from '../dialect/count.js'
import { plainStatuses, turnProblems } from '../dialect/refusals.js'
import { startTurn } from '../dialect/start.js'
import { turnHeaders, turnStream } from '../dialect/stream.js'
import { finished, type Turn } from '../dialect/turn.js'
import { doors } from '../forward/door.js'
import type { Context } from '../kit/context.js'
import { type Envelope, httpStatus, type Problem } from '../kit/problem.js'
import { problemOf } from '../kit/refusals.js'
import { json, type Route, route } from '../kit/route.js'
import type { Frame } from '../kit/sse.js'
import { countBody, messagesBody } from './body.js'
import { messageFrames } from './encode.js'
import { anthropicMessage, anthropicMessageSchema } from './message.js'
import { anthropicPlace, remember } from './place.js'
import { anthropicAsk, anthropicHead } from './request.js'

// Refusals in Anthropic's words: the status decides which error its clients throw.

const errorSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string() }),
    request_id: z.string(),
  })
  .meta({ id: 'AnthropicError', description: 'An error as the Anthropic API tells it' })

const statuses: Envelope['statuses'] = { ...plainStatuses, model_overloaded: 529 }

const anthropicEnvelope: Envelope = {
  schema: errorSchema,
  statuses,
  idHeader: 'request-id',
  body: (problem, id) => ({ type: 'error', error: anthropicError(problem), request_id: id }),
}

const anthropicError = ({ code, message }: Problem): { readonly type: string; readonly message: string } => ({
  type: typeOf(httpStatus(code, anthropicEnvelope)),
  // the words by which its clients know that they have to compact
  message: code === 'model_overflow' ? `prompt is too long: ${message}` : message,
})

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const typeOf = (status: number): string => types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')

/** Images and files stand in the body. */
const bodyBytes = 32 * 1024 * 1024
/** The beta clients say so in the query. */
const query = z.strictObject({ beta: z.string().optional() })
const shared = { tag: 'anthropic', envelope: anthropicEnvelope, bodyBytes, query } as const
const messages = [{ role: 'user', content: 'Who owns the Cincinnati service?' }]

export const anthropicRoutes: readonly Route[] = [
  route({
    ...shared,
    name: 'anthropicMessages',
    method: 'post',
    path: '/v1/messages',
    summary: 'A history with its next answer',
    detail:
      'The conversation is the one that the header x-throughline-conversation names, or the one where all up to the last answer was said; what differs is a branch. With `store` false nothing is kept.',
    scope: 'write',
    body: messagesBody,
    door: doors.messages,
    streams: 'The answer as it is made',
    answers: { 200: anthropicMessageSchema },
    problems: turnProblems,
    example: { body: { model: 'default', max_tokens: 1_024, messages } },
    async handle(context) {
      const { body, id } = context
      const ask = await anthropicAsk(context, body)
      const turn = await startTurn(context, await anthropicPlace(context, body), ask)
      // one that is not remembered begins a conversation of its own the next time
      const known = remember(context, body, turn).catch(() => {})
      if (body.stream) return streamed(context, turn, known)
      const answered = await finished(context, turn)
      await known
      return json(anthropicMessage(answered), 200, { ...turnHeaders(turn), 'request-id': id })
    },
  }),
  route({
    ...shared,
    name: 'anthropicCountTokens',
    method: 'post',
    path: '/v1/messages/count_tokens',
    summary: 'How many tokens a request has',
    scope: 'read',
    body: countBody,
    door: doors.countTokens,
    answers: { 200: z.object({ input_tokens: z.int().min(0) }) },
    problems: ['policy_invalid', 'refused', 'unknown_model'],
    example: { body: { model: 'default', messages } },
    handle: async ({ frame, body, id }) =>
      json({ input_tokens: await countOf(frame, { ...body, ...anthropicHead(body) }) }, 200, { 'request-id': id }),
  }),
]

const streamed = (context: Pick<Context, 'frame' | 'workspace' | 'id'>, turn: Turn, known: Promise<void>): Response =>
  turnStream(context, turn, {
    frames: (events) => messageFrames(events, turn, known),
    fault: (error): Frame => ({
      event: 'error',
      data: { type: 'error', error: anthropicError(problemOf(error)), request_id: context.id },
    }),
    headers: { 'request-id': context.id },
  })
