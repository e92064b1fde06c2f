/** The model that is always there: no AI, works offline, answers only by quoting the window. */
import { estimator } from '../../core/tokens/estimate.js'
import type { Model, ModelEvent, ModelRequest } from '../wire/contract.js'
import { answer, type Segment } from './answer.js'
import { extractiveId } from './phrases.js'

const family = 'o200k'

export const extractive: Model = {
  id: extractiveId,
  label: 'Built-in responder (no AI)',
  kind: 'builtin',
  facts: { id: extractiveId, provider: 'builtin', family, window: 32_768, output: 1_024, scale: 1, source: 'catalog' },
  target: 'messages',
  stream,
}

async function* stream({ items, output, signal }: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  signal.throwIfAborted()
  const { count } = estimator(family)
  const room = output ?? extractive.facts.output
  let used = 0
  let reason: 'stop' | 'length' = 'stop'
  for (const event of eventsOf(answer(items))) {
    signal.throwIfAborted()
    used += count(event.text)
    if (used > room) {
      reason = 'length'
      break
    }
    yield event
  }
  const input = items.reduce((sum, item) => sum + item.tokens, 0)
  yield { type: 'finish', reason, usage: { input, output: Math.min(used, room) } }
}

type Spoken = Extract<ModelEvent, { type: 'text' | 'quote' }>

function* eventsOf(segments: readonly Segment[]): Generator<Spoken> {
  for (const [at, segment] of segments.entries()) {
    const before = segments[at - 1]
    const gap = before === undefined ? '' : before.kind === 'words' && segment.kind === 'quote' ? ' ' : '\n'
    if (segment.kind === 'words') yield* chunks(gap + segment.text)
    else {
      yield { type: 'text', text: `${gap}“` }
      yield quoted(segment)
      yield { type: 'text', text: '”' }
    }
  }
}

/** A message without an id cannot be pointed at; its words are still its own. */
const quoted = ({ item, text }: Extract<Segment, { kind: 'quote' }>): Spoken =>
  item.id === undefined ? { type: 'text', text } : { type: 'quote', entry: item.id, text }

function* chunks(text: string): Generator<Spoken> {
  for (const chunk of text.match(/\s*\S+/g) ?? []) yield { type: 'text', text: chunk }
}
