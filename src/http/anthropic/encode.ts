/** The events of a run as the events of an Anthropic stream: one block after the other, each with its place. */
import type { Run, RunEvent } from '../../runs/contract.js'
import { answerOf, failedTurn, type Turn } from '../dialect/turn.js'
import type { Frame } from '../kit/sse.js'
import { anthropicUsage, isSignedBy, messageHead, stopOf } from './message.js'

/** `known`: what has to be done before the end is told. */
export async function* messageFrames(
  events: AsyncIterable<RunEvent>,
  turn: Turn,
  known: Promise<void>,
): AsyncGenerator<Frame> {
  const blocks = blockWriter(isSignedBy(turn.run.model))
  let begun = false
  for await (const event of events) {
    const input = event.type === 'window-made' ? event.data.tokens : 0
    // the first thing that is known of the request is what it costs
    if (!begun && event.type !== 'run-started' && event.type !== 'run-queued') {
      begun = true
      yield* opening(turn.run, input)
    }
    yield* blocks(event)
    if (event.type === 'run-ended') yield* closing(turn, event.data.run, known)
  }
}

function* opening(run: Run, input: number): Generator<Frame> {
  const message = { ...messageHead(run), content: [], stop_reason: null, usage: anthropicUsage({ input, output: 0 }) }
  yield frame({ type: 'message_start', message })
  yield frame({ type: 'ping' })
}

async function* closing(turn: Turn, run: Run, known: Promise<void>): AsyncGenerator<Frame> {
  if (run.state !== 'done' && run.state !== 'stopped') throw failedTurn(turn, run)
  const { usage } = await answerOf(turn, run)
  await known
  const delta = { stop_reason: stopOf(run), stop_sequence: run.stop ?? null, stop_details: null, container: null }
  yield frame({ type: 'message_delta', delta, usage: anthropicUsage(usage) })
  yield frame({ type: 'message_stop' })
}

const frame = (data: { readonly type: string; readonly [field: string]: unknown }): Frame => ({
  event: data.type,
  data,
})

interface Made {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

type Open = { readonly kind: 'text' | 'thinking' } | { readonly kind: 'call'; readonly id: string; told: boolean }

/** A call that is told while another is open waits until that is closed. */
export function blockWriter(isSigned = true): (event: RunEvent) => Generator<Frame> {
  let index = -1
  let open: Open | null = null
  let waiting: Made[] = []
  /** White space that no words have followed yet: an answer does not keep it. */
  let held = ''

  function* begin(next: Open, block: object): Generator<Frame> {
    yield* close()
    open = next
    yield frame({ type: 'content_block_start', index: ++index, content_block: block })
  }
  function* close(): Generator<Frame> {
    held = ''
    if (open) yield frame({ type: 'content_block_stop', index })
    open = null
    const made = waiting
    waiting = []
    for (const call of made) yield* whole(call)
  }
  const grow = (delta: object): Frame => frame({ type: 'content_block_delta', index, delta })
  const beginCall = (id: string, name: string): Generator<Frame> =>
    begin({ kind: 'call', id, told: false }, { type: 'tool_use', id, name, input: {} })

  function* whole({ id, name, input }: Made): Generator<Frame> {
    yield* beginCall(id, name)
    yield grow({ type: 'input_json_delta', partial_json: JSON.stringify(input ?? {}) })
    yield* close()
  }
  function* say(text: string): Generator<Frame> {
    held += text
    if (open?.kind !== 'text' && held.trim() === '') return
    const words = held
    if (open?.kind !== 'text') yield* begin({ kind: 'text' }, { type: 'text', text: '', citations: null })
    held = ''
    yield grow({ type: 'text_delta', text: words })
  }
  function* think(): Generator<Frame> {
    if (open?.kind !== 'thinking') yield* begin({ kind: 'thinking' }, { type: 'thinking', thinking: '', signature: '' })
  }

  return function* write(event) {
    switch (event.type) {
      case 'text-delta':
        return yield* say(event.data.text)
      case 'think-delta':
        yield* think()
        yield grow({ type: 'thinking_delta', thinking: event.data.text })
        return
      case 'think-sealed': {
        // Gemini signs a call while it is told
        if (open?.kind === 'call') return
        if (!isSigned) return yield* close()
        const { signature, sealed } = event.data
        if (open?.kind !== 'thinking' && sealed !== undefined && signature === undefined) {
          yield* begin({ kind: 'thinking' }, { type: 'redacted_thinking', data: sealed })
          return yield* close()
        }
        yield* think()
        yield grow({ type: 'signature_delta', signature: signature ?? '' })
        return yield* close()
      }
      case 'call-started':
        if (open?.kind !== 'call') yield* beginCall(event.data.id, event.data.name)
        return
      case 'call-delta':
        if (open?.kind !== 'call' || open.id !== event.data.id) return
        open.told = true
        yield grow({ type: 'input_json_delta', partial_json: event.data.json })
        return
      case 'call-made': {
        const made = event.data
        if (open?.kind !== 'call') return yield* whole(made)
        if (open.id !== made.id) {
          waiting.push(made)
          return
        }
        if (!open.told) yield grow({ type: 'input_json_delta', partial_json: JSON.stringify(made.input ?? {}) })
        return yield* close()
      }
      case 'run-ended':
        return yield* close()
    }
  }
}
