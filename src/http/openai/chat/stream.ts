/** A chat completion in chunks. */
import type { RunEvent } from '../../../runs/contract.js'
import { turnStream } from '../../dialect/stream.js'
import { answerOf, failedTurn, type Turn } from '../../dialect/turn.js'
import type { Context } from '../../kit/context.js'
import { problemOf } from '../../kit/refusals.js'
import { doneFrame, type Frame } from '../../kit/sse.js'
import { openaiError } from '../shape/envelope.js'
import { chatHead, chatUsage, finishOf } from './object.js'

export function chatStream(
  context: Pick<Context, 'frame' | 'workspace'>,
  turn: Turn,
  withUsage: boolean,
): globalThis.Response {
  const head = { ...chatHead(turn.run), object: 'chat.completion.chunk' }
  const chunk = (delta: object, finish: string | null = null): Frame => ({
    event: null,
    data: {
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      ...(withUsage ? { usage: null } : null),
    },
  })
  async function* frames(events: AsyncIterable<RunEvent>): AsyncGenerator<Frame> {
    const grow = growDeltas()
    yield chunk({ role: 'assistant', content: '', refusal: null })
    for await (const event of events) {
      for (const delta of grow(event)) yield chunk(delta)
      if (event.type !== 'run-ended') continue
      const { run } = event.data
      if (run.state !== 'done' && run.state !== 'stopped') throw failedTurn(turn, run)
      yield chunk({}, finishOf(run))
      const { usage } = await answerOf(turn, run)
      if (withUsage) yield { event: null, data: { ...head, choices: [], usage: chatUsage(usage) } }
      yield doneFrame
    }
  }
  const fault = (error: unknown): Frame => ({ event: null, data: { error: openaiError(problemOf(error)) } })
  return turnStream(context, turn, { frames, fault })
}

/** Each event of a run as what it adds to the message. */
function growDeltas(): (event: RunEvent) => object[] {
  const calls = new Map<string, { readonly index: number; told: boolean }>()
  const begin = (id: string, name: string): object[] => {
    const index = calls.size
    calls.set(id, { index, told: false })
    return [{ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }]
  }
  const spell = (id: string, text: string): object[] => {
    const call = calls.get(id)
    if (!call || text === '') return []
    call.told = true
    return [{ tool_calls: [{ index: call.index, function: { arguments: text } }] }]
  }
  return (event) => {
    switch (event.type) {
      case 'text-delta':
        return [{ content: event.data.text }]
      case 'think-delta':
        return [{ reasoning_content: event.data.text }]
      case 'call-started':
        return begin(event.data.id, event.data.name)
      case 'call-delta':
        return spell(event.data.id, event.data.json)
      case 'call-made': {
        const { id, name, input } = event.data
        const begun = calls.has(id) ? [] : begin(id, name)
        return calls.get(id)?.told ? begun : [...begun, ...spell(id, JSON.stringify(input) ?? '{}')]
      }
      default:
        return []
    }
  }
}
