/** What the tests of the models share: a window to send, and models that speak to the provider of the tests. */
import type { Wire } from '../../test/provider/answer.js'
import { assemble } from '../core/window/assemble.js'
import { openModels } from './registry.js'
import type { ModelsConfig } from './wire/config.js'
import type { Model, ModelEvent, ModelRequest } from './wire/contract.js'

const began = Date.parse('2026-01-01T00:00:00Z')

export const idOf: Readonly<Record<Wire, string>> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  'openai-chat': 'openai/gpt-5-mini',
  'openai-responses': 'openai/gpt-5-mini',
  google: 'google/gemini-2.5-flash',
  ollama: 'ollama/llama3.2',
}

/** The model of a wire at an address, without retries unless told otherwise. */
export async function modelAt(wire: Wire, url: string, more: ModelsConfig = {}): Promise<Model> {
  const models = await openModels({
    retry: { attempts: 1 },
    silenceMs: 400,
    answerBytes: 16 * 1024,
    detectMs: 5_000,
    now: () => began,
    ...more,
    providers: {
      anthropic: { apiKey: 'key-a', baseUrl: `${url}/v1` },
      openai: { apiKey: 'key-o', baseUrl: `${url}/v1`, api: wire === 'openai-chat' ? 'chat' : 'responses' },
      google: { apiKey: 'key-g', baseUrl: `${url}/v1beta` },
      ollama: wire === 'ollama' ? { baseUrl: url } : false,
      lmstudio: false,
      ...more.providers,
    },
  })
  return models.find(idOf[wire])
}

export const tools = [
  {
    name: 'look',
    description: 'looks something up',
    parameters: { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] },
  },
] as const

export function requestFor(
  model: Pick<Model, 'id' | 'target' | 'issuer'>,
  input: { readonly messages?: readonly unknown[]; readonly current?: unknown } = {},
  more: Partial<ModelRequest> = {},
): ModelRequest {
  const assembled = assemble({ messages: input.messages ?? [], current: input.current ?? 'How are you?' }, 'balanced', {
    target: model.target,
    model: model.id,
    ...(model.issuer && { issuer: model.issuer }),
  })
  if (!assembled.ok) throw new Error(assembled.error.message)
  return { window: assembled.window, items: assembled.items, signal: new AbortController().signal, ...more }
}

export interface Outcome {
  readonly events: readonly ModelEvent[]
  readonly error: unknown
}

/** Everything a stream yields, and how it ends. */
export async function drain(stream: AsyncIterable<ModelEvent>): Promise<Outcome> {
  const events: ModelEvent[] = []
  try {
    for await (const event of stream) events.push(event)
    return { events, error: null }
  } catch (error) {
    return { events, error }
  }
}

export const wordsOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' || event.type === 'quote' ? event.text : '')).join('')

export const thoughtsOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'think' ? event.text : '')).join('')
