/** An answer as Gemini's clients have it, whole or in pieces. */
import { z } from 'zod'
import type { Part } from '../../core/message/item.js'
import type { FinishReason, Usage } from '../../models/wire/contract.js'
import type { Run, RunEvent } from '../../runs/contract.js'
import { turnStream } from '../dialect/stream.js'
import { type Answered, answerOf, failedTurn, type Turn } from '../dialect/turn.js'
import type { Context } from '../kit/context.js'
import { problemOf } from '../kit/refusals.js'
import type { Frame } from '../kit/sse.js'
import { googleError } from './envelope.js'

export const answerSchema = z
  .looseObject({ candidates: z.array(z.looseObject({})), usageMetadata: z.looseObject({}), modelVersion: z.string() })
  .meta({ id: 'GoogleAnswer', description: 'An answer as the Gemini API tells it' })

export const googleContent = ({ run, parts, usage }: Answered): z.output<typeof answerSchema> =>
  pieceOf(run, parts.flatMap(partOf), { finish: run.finish ?? 'stop', usage })

function pieceOf(run: Run, parts: readonly object[], end?: { readonly finish: FinishReason; readonly usage: Usage }) {
  const content = { role: 'model', parts }
  return {
    candidates: [{ content, index: 0, ...(end && { finishReason: reasons[end.finish] }) }],
    usageMetadata: end ? usageOf(end.usage) : {},
    modelVersion: run.model,
    responseId: run.id,
  }
}

function partOf(part: Part): object[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text }]
    case 'think':
      return part.text === '' ? [] : [{ text: part.text, thought: true }]
    case 'call':
      return [{ functionCall: { id: part.id, name: part.name, args: part.input ?? {} } }]
    case 'file':
      return []
  }
}

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  filter: 'SAFETY',
  other: 'OTHER',
}

const usageOf = ({ input, output, cached, thinking }: Usage) => ({
  promptTokenCount: input,
  candidatesTokenCount: output - (thinking ?? 0),
  totalTokenCount: input + output,
  ...(cached !== undefined && { cachedContentTokenCount: cached }),
  ...(thinking !== undefined && { thoughtsTokenCount: thinking }),
})

export function googleStream(context: Pick<Context, 'frame' | 'workspace'>, turn: Turn): Response {
  async function* frames(events: AsyncIterable<RunEvent>): AsyncGenerator<Frame> {
    const frame = (...given: Parameters<typeof pieceOf>): Frame => ({ event: null, data: pieceOf(...given) })
    for await (const event of events) {
      const parts = spoken(event)
      if (parts.length > 0) yield frame(turn.run, parts)
      if (event.type !== 'run-ended') continue
      const { run } = event.data
      if (run.state !== 'done' && run.state !== 'stopped') throw failedTurn(turn, run)
      yield frame(run, [{ text: '' }], { finish: run.finish ?? 'stop', usage: (await answerOf(turn, run)).usage })
    }
  }
  const fault = (error: unknown): Frame => ({ event: null, data: { error: googleError(problemOf(error)) } })
  return turnStream(context, turn, { frames, fault })
}

/** A call is told when it is whole. */
function spoken(event: RunEvent): object[] {
  switch (event.type) {
    case 'text-delta':
      return [{ text: event.data.text }]
    case 'think-delta':
      return [{ text: event.data.text, thought: true }]
    case 'call-made':
      return [{ functionCall: { id: event.data.id, name: event.data.name, args: event.data.input ?? {} } }]
    default:
      return []
  }
}
