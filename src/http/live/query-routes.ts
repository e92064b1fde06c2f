/** `POST /api/query` of specification 1. */
import { z } from 'zod'
import { issueSchema } from '../../operations/shapes/common.js'
import { runSchema, runSettings } from '../../operations/shapes/run.js'
import type { Context } from '../kit/context.js'
import { leavingOf } from '../kit/leaving.js'
import { Problem } from '../kit/problem.js'
import { json, type Route, route } from '../kit/route.js'
import { sse } from '../kit/sse.js'
import { prefers } from './chat-routes.js'
import { modelProblems } from './failed.js'
import { type AnsweredQuery, openQuery, type QueryNews } from './query.js'
import { fault } from './stream.js'
import { filledText } from './words.js'

const queryBody = z.strictObject({
  prompt: filledText,
  // entries are read one by one: what is no message is left out, and only that
  conversationHistory: z
    .unknown()
    .optional()
    .describe('A list of { role: "user" | "assistant", content, signature? }; what looks otherwise is left out'),
  model: runSettings.model,
})

const querySchema = z
  .object({
    text: z.string(),
    signature: z.string().describe('Send it back with the text, and the turn is known as ours'),
    model: z.string(),
    ai: z.boolean(),
    finish: z.string(),
    usage: runSchema.shape.usage,
    warnings: z.array(issueSchema),
    receipt: z.looseObject({}),
  })
  .meta({ id: 'QueryAnswer', description: 'An answer that nobody keeps but the caller' })

export const queryRoutes: readonly Route[] = [
  route({
    name: 'query',
    method: 'post',
    path: '/api/query',
    tag: 'specifications',
    summary: 'One question with its history in hand; nothing is kept',
    detail:
      'Events `window`, `delta`, `done` and `error`, or JSON for Accept: application/json. The last 20 well-formed messages are used, the oldest left out until they are under 100 KB. The setting `unsigned_assistant` says whether assistant turns need the signature they were given with.',
    scope: 'write',
    owned: {},
    body: queryBody,
    // the history is cut to specification 1's 100 KB after it is cut to 20 messages
    bodyBytes: 1024 * 1024,
    streams: 'The answer as it comes',
    answers: { 200: querySchema },
    problems: ['refused', 'forged_turn', 'unsigned_turn', 'unknown_model', ...modelProblems],
    example: { body: { prompt: 'What is Kartograph?', conversationHistory: [] } },
    handle,
  }),
]

type Asked = Context<object, object, z.output<typeof queryBody>>

async function handle({ frame, request, workspace, body }: Asked): Promise<Response> {
  const { signer, unsigned, gate, timer } = frame.live
  const { prompt, conversationHistory, model } = body
  const query = await openQuery(
    { models: frame.models, signer, unsigned },
    { workspace, prompt, conversationHistory, ...(model === undefined ? null : { model }) },
  )
  const { signal: leaving, done } = leavingOf(request, frame)
  const why = (error: unknown): unknown => (leaving.aborted ? new Problem('interrupted') : error)
  if (prefers(request, ['text/event-stream', 'application/json']) === 'application/json')
    return json(
      await whole(query.stream(leaving))
        .catch((error) => {
          throw why(error)
        })
        .finally(done),
    )
  return sse(
    (signal) => {
      gate.enter(workspace, signal)
      signal.addEventListener('abort', done, { once: true })
      return query.stream(AbortSignal.any([signal, leaving]))
    },
    { fault: (error) => fault(why(error)), ...(timer && { timer }) },
  )
}

async function whole(events: AsyncIterable<QueryNews>): Promise<AnsweredQuery> {
  for await (const { event, data } of events) if (event === 'done') return data
  throw new Problem('model_failed')
}
