/** The events of a run as chunks of the AI SDK's UI message stream. */
import { proofOf, receiptPart } from '../../adapters/ai-sdk/parts.js'
import type { FinishReason } from '../../models/wire/contract.js'
import type { Run, RunEvent } from '../../runs/contract.js'
import { doneFrame, type Frame } from '../kit/sse.js'

type Chunk = { readonly type: string; readonly [field: string]: unknown }

/** `messageId`: the message that grows, which may have begun with an earlier run. */
export async function* chatFrames(
  events: AsyncIterable<RunEvent>,
  messageId: string,
): AsyncGenerator<Frame, void, undefined> {
  const encode = encoder(messageId)
  for await (const event of events) for (const chunk of encode(event)) yield { event: null, data: chunk }
  yield doneFrame
}

type Open = { readonly kind: 'text' | 'reasoning'; readonly id: string } | null

function encoder(messageId: string): (event: RunEvent) => Generator<Chunk> {
  let model = ''
  const count = { text: 0, reasoning: 0 }
  let open: Open = null
  /** White space that no words have followed yet: an answer does not keep it. */
  let held = ''

  function* close(more: object = {}): Generator<Chunk> {
    if (open) yield { type: `${open.kind}-end`, id: open.id, ...more }
    open = null
    held = ''
  }
  function* begin(kind: 'text' | 'reasoning'): Generator<Chunk> {
    if (open?.kind === kind) return
    yield* close()
    open = { kind, id: `${kind}-${++count[kind]}` }
    yield { type: `${kind}-start`, id: open.id }
  }
  function* say(text: string): Generator<Chunk> {
    held += text
    if (open?.kind !== 'text' && held.trim() === '') return
    const delta = held
    yield* begin('text')
    held = ''
    yield { type: 'text-delta', id: open?.id, delta }
  }

  return function* encode(event) {
    switch (event.type) {
      case 'run-started':
        model = event.data.run.model
        yield { type: 'start', messageId }
        yield { type: 'start-step' }
        return
      case 'window-made': {
        const { receipt, messages, dropped, tokens } = event.data
        yield receiptPart(receipt)
        yield { type: 'data-window', transient: true, data: { receipt, messages, dropped, tokens } }
        return
      }
      case 'text-delta':
        return yield* say(event.data.text)
      case 'think-delta':
        yield* begin('reasoning')
        yield { type: 'reasoning-delta', id: open?.id, delta: event.data.text }
        return
      case 'think-sealed': {
        const { run: _, ...proof } = event.data
        yield* begin('reasoning')
        yield* close(proofOf({ type: 'think', text: '', ...proof }, model))
        return
      }
      case 'call-started':
        yield* close()
        yield { type: 'tool-input-start', toolCallId: event.data.id, toolName: event.data.name }
        return
      case 'call-delta':
        yield { type: 'tool-input-delta', toolCallId: event.data.id, inputTextDelta: event.data.json }
        return
      case 'call-made': {
        const { id, name, input } = event.data
        yield* close()
        yield { type: 'tool-input-available', toolCallId: id, toolName: name, input }
        return
      }
      case 'run-ended':
        yield* close()
        return yield* endOf(event.data.run)
    }
  }
}

function* endOf({ state, finish, error }: Run): Generator<Chunk> {
  if (state === 'stopped') yield { type: 'abort', reason: 'stopped' }
  else if (state === 'done') {
    yield { type: 'finish-step' }
    yield { type: 'finish', finishReason: reasons[finish ?? 'other'] }
  } else yield { type: 'error', errorText: error?.message ?? 'the answer could not be made' }
}

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  length: 'length',
  calls: 'tool-calls',
  filter: 'content-filter',
  other: 'other',
}
