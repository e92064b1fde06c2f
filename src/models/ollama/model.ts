/**
 * Ollama by its own protocol: through its OpenAI-compatible one the size of the context cannot be set, and what does
 * not fit into the small usual one is left out without a word.
 */
import { randomUUID } from 'node:crypto'
import { fieldsOf, listOf } from '../../core/message/fields.js'
import { estimator } from '../../core/tokens/estimate.js'
import type { ModelFacts } from '../../core/tokens/models.js'
import { capped } from '../wire/capped.js'
import { type FinishReason, type Model, ModelError, type ModelEvent, type ModelRequest } from '../wire/contract.js'
import { dial, type Line } from '../wire/dial.js'
import { fault } from '../wire/fault.js'
import { type ReceiveLimits, receive } from '../wire/receive.js'
import { wires } from '../wire/wires.js'
import { type OllamaRequest, ollamaRequest } from './request.js'

export interface OllamaSettings {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly kind: Model['kind']
  readonly baseUrl: string
  readonly facts: ModelFacts
  readonly limits: ReceiveLimits
  readonly line: Omit<Line, 'who'>
}

export const ollamaModel = (settings: OllamaSettings): Model => ({
  id: settings.id,
  label: settings.label,
  kind: settings.kind,
  facts: settings.facts,
  target: 'openai-chat',
  stream: (request) => capped(settings.id, streamOf(settings, request), settings.limits.answerBytes),
  write: async (request) => JSON.stringify(bodyOf(settings, request).body),
})

function bodyOf({ name, facts }: OllamaSettings, request: ModelRequest) {
  const sent = sizeOf(ollamaRequest(name, request, 0), facts)
  return { sent, body: ollamaRequest(name, request, contextFor(sent + (request.output ?? facts.output), facts.window)) }
}

async function* streamOf(settings: OllamaSettings, request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { id, baseUrl, limits } = settings
  const { signal } = request
  signal.throwIfAborted()
  const own = new AbortController()
  const line = { ...settings.line, who: id }
  try {
    const { sent, body } = bodyOf(settings, request)
    const response = await dial(line, `${baseUrl}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, own.signal]),
    })
    yield* eventsOf(id, receive(id, response.body, wires.ollama, limits), sent, body.options.num_ctx ?? 0)
  } catch (error) {
    signal.throwIfAborted()
    throw ModelError.is(error) ? error : fault('garbled', id, error)
  } finally {
    own.abort()
  }
}

/** In steps, because Ollama loads the model anew whenever the number changes. */
export function contextFor(tokens: number, most: number): number {
  let context = 4_096
  while (context < tokens) context *= 2
  return Math.min(context, most)
}

function sizeOf({ messages, tools }: OllamaRequest, { family, scale }: ModelFacts): number {
  const { count } = estimator(family, scale)
  const written = messages.reduce(
    (sum, { content, tool_calls }) => sum + count(content) + (tool_calls ? count(JSON.stringify(tool_calls)) : 0) + 4,
    0,
  )
  return written + (tools ? count(JSON.stringify(tools)) : 0)
}

async function* eventsOf(
  who: string,
  received: ReturnType<typeof receive>,
  sent: number,
  context: number,
): AsyncGenerator<ModelEvent, void, undefined> {
  let thought = ''
  let calls = 0
  for await (const { json } of received) {
    const { message, done, done_reason, prompt_eval_count, eval_count } = fieldsOf(json)
    const { content, thinking, tool_calls } = fieldsOf(message)
    if (typeof thinking === 'string' && thinking !== '') {
      thought += thinking
      yield { type: 'think', text: thinking }
    }
    const speaks = (typeof content === 'string' && content !== '') || listOf(tool_calls).length > 0 || done === true
    if (thought !== '' && speaks) {
      yield { type: 'thought', part: { type: 'think', text: thought } }
      thought = ''
    }
    if (typeof content === 'string' && content !== '') yield { type: 'text', text: content }
    for (const call of listOf(tool_calls)) {
      calls++
      yield* callOf(who, call)
    }
    if (done !== true) continue
    const input = typeof prompt_eval_count === 'number' ? prompt_eval_count : null
    const notes = input === null ? [] : notesOf(sent, input, context)
    const output = typeof eval_count === 'number' ? eval_count : 0
    yield {
      type: 'finish',
      reason: calls > 0 ? 'calls' : reasonOf(done_reason),
      usage: input === null ? null : { input, output },
      ...(notes.length > 0 && { notes }),
    }
  }
}

/** Ollama gives its calls no names of their own. */
function* callOf(who: string, call: unknown): Generator<ModelEvent> {
  const { name, arguments: input } = fieldsOf(fieldsOf(call).function)
  const given = fieldsOf(call).id
  if (typeof name !== 'string' || name === '') throw fault('garbled', who)
  const id = typeof given === 'string' && given !== '' ? given : `call_${randomUUID()}`
  yield { type: 'call-start', id, name }
  yield { type: 'call-delta', id, json: JSON.stringify(input ?? {}) }
  yield { type: 'call', id, name, input: input ?? {} }
}

/** Our count is an upper bound; half of it is far below what any tokenizer makes of the same words. */
function notesOf(sent: number, seen: number, context: number): readonly string[] {
  if (seen >= sent / 2 || sent < 256) return []
  return [
    `the model read ${seen} tokens of about ${sent} that were sent: the rest was left out on its side (context ${context})`,
  ]
}

const reasonOf = (reason: unknown): FinishReason =>
  reason === 'length' ? 'length' : reason === 'stop' || reason === undefined ? 'stop' : 'other'
