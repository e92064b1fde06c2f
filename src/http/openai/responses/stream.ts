/** A response as it is made. The events follow from those of its run, so that their numbers are the same whenever it is told. */
import type { Run, RunEvent } from '../../../runs/contract.js'
import { turnStream } from '../../dialect/stream.js'
import { answerOf, type Turn } from '../../dialect/turn.js'
import type { Context } from '../../kit/context.js'
import { problemOf } from '../../kit/refusals.js'
import type { Frame } from '../../kit/sse.js'
import { openaiError } from '../shape/envelope.js'
import type { Echo } from './body.js'
import { responseOf, shellOf } from './object.js'
import { growOutput, type Said } from './output.js'

/** `after`: the number of the last event that the client has; -1 for none. */
export function responseStream(
  context: Pick<Context, 'frame' | 'workspace'>,
  turn: Turn,
  echo: Echo,
  after = -1,
): globalThis.Response {
  let number = 0
  const numbered = ({ type, ...rest }: Said): Frame => ({
    event: type,
    data: { type, sequence_number: number++, ...rest },
  })
  async function* frames(events: AsyncIterable<RunEvent>): AsyncGenerator<Frame> {
    for await (const said of saidOf(events, turn, echo)) {
      const frame = numbered(said)
      if (number - 1 > after) yield frame
    }
  }
  const fault = (error: unknown): Frame => {
    const { code, message, param } = openaiError(problemOf(error))
    return numbered({ type: 'error', code, message, param })
  }
  return turnStream(context, turn, { frames, fault })
}

async function* saidOf(events: AsyncIterable<RunEvent>, turn: Turn, echo: Echo): AsyncGenerator<Said> {
  const output = growOutput(turn.run.id)
  const shell = (type: string, run: Run): Said => ({ type, response: shellOf(run, echo, turn.kept) })
  let created = false
  for await (const event of events) {
    if (event.type === 'run-queued') {
      created = true
      const run: Run = { ...turn.run, state: 'queued' }
      yield shell('response.created', run)
      yield shell('response.queued', run)
    }
    if (event.type === 'run-started') {
      if (!created) yield shell('response.created', event.data.run)
      yield shell('response.in_progress', event.data.run)
    }
    yield* output.take(event)
    if (event.type !== 'run-ended') continue
    yield* output.close()
    const response = responseOf(await answerOf(turn, event.data.run), echo, turn.kept)
    yield { type: endings[response.status] ?? 'response.incomplete', response }
  }
}

const endings: Readonly<Partial<Record<string, string>>> = {
  completed: 'response.completed',
  failed: 'response.failed',
}
