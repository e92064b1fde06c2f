/** OpenAI's Chat Completions over runs. */
import { turnProblems } from '../../dialect/refusals.js'
import { startTurn } from '../../dialect/start.js'
import { turnHeaders } from '../../dialect/stream.js'
import { finished } from '../../dialect/turn.js'
import { doors } from '../../forward/door.js'
import type { Route } from '../../kit/route.js'
import { json } from '../../kit/route.js'
import { bodyBytes, openaiRoute } from '../shape/route.js'
import { chatBody } from './body.js'
import { completionOf, completionSchema } from './object.js'
import { keepCompletion } from './record.js'
import { chatAsk, chatPlace } from './request.js'
import { chatStream } from './stream.js'

export const completionsRoutes: readonly Route[] = [
  openaiRoute({
    name: 'openaiChat',
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'A history with its next answer',
    detail:
      'Nothing is kept, unless the header x-throughline-conversation names a conversation, or `store` is true: then a history that begins the same goes on where it is known, and one that differs is a branch.',
    scope: 'write',
    bodyBytes,
    body: chatBody,
    door: doors.chat,
    streams: 'The answer in chunks',
    answers: { 200: completionSchema },
    problems: turnProblems,
    example: { body: { messages: [{ role: 'user', content: 'Who owns the Cincinnati service?' }] } },
    async handle(context) {
      const { body } = context
      const ask = await chatAsk(context, body)
      const turn = await startTurn(context, chatPlace(context, body, ask), ask)
      if (turn.kept && body.store) await keepCompletion(context, { run: turn.run, metadata: body.metadata ?? {} })
      if (body.stream) return chatStream(context, turn, body.stream_options?.include_usage === true)
      const answered = await finished(context, turn)
      return json(completionOf(answered, turn.kept, body.metadata ?? {}), 200, turnHeaders(turn))
    },
  }),
]
