/** Google's Gemini API: passed on to Google, or over runs where another model answers. */
import { z } from 'zod'
import { countOf } from '../dialect/count.js'
import { conversationIn } from '../dialect/named.js'
import { turnProblems } from '../dialect/refusals.js'
import { startTurn } from '../dialect/start.js'
import { turnHeaders } from '../dialect/stream.js'
import { finished } from '../dialect/turn.js'
import { doors, splitAction } from '../forward/door.js'
import type { Context } from '../kit/context.js'
import { Problem } from '../kit/problem.js'
import { json, type Route, route } from '../kit/route.js'
import { answerSchema, googleContent, googleStream } from './answer.js'
import { type GoogleBody, googleBody } from './body.js'
import { googleEnvelope } from './envelope.js'
import { googleAsk, googleMessages, googleSystem, googleTools } from './request.js'

/** Images and files stand in the body. */
const bodyBytes = 32 * 1024 * 1024
const shared = { tag: 'google', envelope: googleEnvelope } as const
const query = z.strictObject({ alt: z.string().optional(), key: z.string().optional() })
const paging = query.extend({ pageSize: z.string().regex(/^\d+$/).optional(), pageToken: z.string().optional() })

/** Google's own clients ask the one or the other. */
const generate = (name: string, version: 'v1' | 'v1beta'): Route =>
  route({
    ...shared,
    name,
    method: 'post',
    path: `/${version}/models/{target}`,
    summary: 'A history with its next answer',
    detail:
      'The path ends in the model and what is done with it: `:generateContent`, `:streamGenerateContent` or `:countTokens`. Passed on as it came where the model is Google’s.',
    scope: 'write',
    bodyBytes,
    query,
    body: googleBody,
    door: doors.google,
    streams: 'The answer as it is made',
    answers: { 200: z.union([answerSchema, z.object({ totalTokens: z.int() })]) },
    problems: turnProblems,
    example: {
      params: { target: 'default:generateContent' },
      body: { contents: [{ role: 'user', parts: [{ text: 'Who owns the Cincinnati service?' }] }] },
    },
    async handle(context) {
      const [model, action] = splitAction(context.params.target)
      if (action === 'countTokens') return count(context, model)
      if (action !== 'generateContent' && action !== 'streamGenerateContent') throw new Problem('not_found')
      const ask = await googleAsk(context, model, context.body)
      const conversation = conversationIn(context.request.headers)
      const turn = await startTurn(
        context,
        conversation === null ? { kind: 'nowhere' } : { kind: 'history', conversation },
        ask,
      )
      if (action === 'streamGenerateContent') return googleStream(context, turn)
      return json(googleContent(await finished(context, turn)), 200, turnHeaders(turn))
    },
  })

export const googleRoutes: readonly Route[] = [
  generate('googleGenerate', 'v1beta'),
  generate('googleGenerateStable', 'v1'),
  route({
    ...shared,
    name: 'googleListModels',
    method: 'get',
    path: '/v1beta/models',
    summary: 'The models that can be asked',
    scope: 'read',
    query: paging,
    answers: { 200: z.object({ models: z.array(z.looseObject({ name: z.string() })) }) },
    handle: async ({ frame }) => ({
      models: (await frame.models.list())
        .filter(({ ready }) => ready)
        .map(({ id, label, window }) => ({
          name: `models/${id}`,
          displayName: label,
          inputTokenLimit: window,
          supportedGenerationMethods: ['generateContent', 'countTokens'],
        })),
    }),
  }),
]

async function count({ frame, body }: Pick<Context<object, object, GoogleBody>, 'frame' | 'body'>, model: string) {
  const totalTokens = await countOf(frame, {
    model,
    messages: googleMessages(body),
    system: googleSystem(body),
    tools: googleTools(body),
  })
  return json({ totalTokens })
}
