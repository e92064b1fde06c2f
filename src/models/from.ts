/** Models that a program holds already: those of the AI SDK, any version, and lists of them. */
import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import type { Target } from '../core/message/target.js'
import { findModel, type ModelFacts } from '../core/tokens/models.js'
import { callOf } from './sdk/call.js'
import { mapper } from './sdk/events.js'
import { type Model, ModelError, type ModelEvent, type ModelRequest, type Models } from './wire/contract.js'
import { fault } from './wire/fault.js'

/** What every version of the SDK's language models has. */
export interface AnyLanguageModel {
  readonly provider: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

export interface ModelFromOptions {
  /** `provider/name` when left out. */
  readonly id?: string
  /** Tokens that the model takes; what the catalog says when left out. */
  readonly window?: number
  /** Most tokens of an answer. */
  readonly output?: number
}

/**
 * A model of the AI SDK, for `openAgent` and `openService`.
 *
 * @example
 * ```ts
 * const model = modelFrom(anthropic('claude-sonnet-4-5'))
 * ```
 */
export function modelFrom(model: AnyLanguageModel, options: ModelFromOptions = {}): Model {
  const wire = wireOf(model.provider)
  const { id = `${model.provider.split('.')[0]}/${model.modelId}` } = options
  const known = findModel(model.modelId)
  const facts: ModelFacts = {
    ...known,
    id,
    window: options.window ?? known.window,
    output: options.output ?? known.output,
  }
  return {
    id,
    label: model.modelId,
    kind: 'hosted',
    facts: options.window === undefined ? facts : { ...facts, source: 'catalog' },
    target: wire,
    stream: (request) => streamOf(model, { id, facts, wire }, request),
  }
}

async function* streamOf(
  model: AnyLanguageModel,
  settings: { readonly id: string; readonly facts: ModelFacts; readonly wire: ReturnType<typeof wireOf> },
  request: ModelRequest,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = request
  const { id } = settings
  signal.throwIfAborted()
  const own = new AbortController()
  try {
    const options = callOf(settings, request, AbortSignal.any([signal, own.signal]))
    const { stream } = await model.doStream(options as never)
    const map = mapper(id)
    for await (const part of stream as unknown as AsyncIterable<LanguageModelV3StreamPart>) {
      signal.throwIfAborted()
      yield* map(newest(part))
      if (part.type === 'finish') return
    }
    throw fault('cut', id)
  } catch (error) {
    signal.throwIfAborted()
    throw ModelError.is(error) ? error : fault('refused', id, error)
  } finally {
    own.abort()
  }
}

/** Version 2 says in plain words and numbers how an answer ended. */
function newest(part: LanguageModelV3StreamPart): LanguageModelV3StreamPart {
  if (part.type !== 'finish' || typeof part.finishReason !== 'string') return part
  const { inputTokens, outputTokens } = part.usage as unknown as Record<string, number | undefined>
  const input = { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
  const output = { total: outputTokens, text: undefined, reasoning: undefined }
  const finishReason = { unified: part.finishReason, raw: undefined }
  return { ...part, finishReason, usage: { inputTokens: input, outputTokens: output } }
}

function wireOf(provider: string): Exclude<Target, 'ai-sdk' | 'text-tagged' | 'text-numbered' | 'messages'> {
  if (/anthropic|bedrock/.test(provider)) return 'anthropic'
  if (/google|vertex|gemini/.test(provider)) return 'google'
  return provider.includes('responses') ? 'openai-responses' : 'openai-chat'
}

/**
 * Models by their ids, the first of them the usual one, for `openService`.
 *
 * @example
 * ```ts
 * const service = await openService({ store, models: modelList([modelFrom(anthropic('claude-sonnet-4-5'))]) })
 * ```
 */
export function modelList(models: readonly [Model, ...Model[]]): Models {
  const [first] = models
  return {
    usual: first.id,
    list: async () =>
      models.map(({ id, label, kind, facts }) => ({ id, label, kind, window: facts.window, ready: true })),
    async find(id = first.id) {
      const found = models.find((model) => model.id === id || model.label === id)
      if (found) return found
      const names = models.map((model) => model.id).join(', ')
      throw new ModelError('unknown_model', `there is no model '${id}'; there are ${names}`)
    },
  }
}
