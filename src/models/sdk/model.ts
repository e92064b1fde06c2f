/** A model behind an AI SDK provider. The SDK writes the request and reads the words; whether all is well, we judge. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3ToolChoice } from '@ai-sdk/provider'
import type { ModelFacts } from '../../core/tokens/models.js'
import { capped } from '../capped.js'
import { type Model, ModelError, type ModelEvent, type ModelRequest, type ModelSettings } from '../contract.js'
import type { Fetch, Line } from '../dial.js'
import { fault } from '../fault.js'
import type { Limits } from '../receive.js'
import { type WireName, wires } from '../wires.js'
import { mapper } from './events.js'
import { promptOf } from './prompt.js'
import { watch } from './watch.js'

export interface SdkSettings {
  readonly id: string
  readonly label: string
  readonly kind: 'local' | 'hosted'
  readonly facts: ModelFacts
  readonly wire: Exclude<WireName, 'ollama'>
  /** Opens the SDK's model with the given `fetch`. */
  readonly open: (fetch: Fetch) => Promise<LanguageModelV3>
  /** Options of the provider itself. */
  readonly options?: LanguageModelV3CallOptions['providerOptions']
  readonly limits: Limits
  readonly line: Omit<Line, 'who'>
}

export function sdkModel(settings: SdkSettings): Model {
  const { id, label, kind, facts, wire, limits } = settings
  return {
    id,
    label,
    kind,
    facts,
    target: wire,
    stream: (request) => capped(id, streamOf(settings, request), limits.answerBytes),
  }
}

async function* streamOf(settings: SdkSettings, request: ModelRequest): AsyncGenerator<ModelEvent, void, undefined> {
  const { id, wire, limits } = settings
  const { signal } = request
  signal.throwIfAborted()
  const own = new AbortController()
  const watched = watch({ ...settings.line, who: id }, wires[wire], limits)
  try {
    const model = await settings.open(watched.fetch)
    const { stream } = await model.doStream(callOf(settings, request, AbortSignal.any([signal, own.signal])))
    const map = mapper(id)
    for await (const part of stream) {
      signal.throwIfAborted()
      const broken = watched.fault()
      // at a broken stream the SDK closes what was open, as if it were whole
      if (broken && (part.type === 'tool-call' || part.type === 'error' || part.type === 'finish')) throw broken
      yield* map(part)
      if (part.type === 'finish') return
    }
    throw watched.fault() ?? fault('cut', id)
  } catch (error) {
    signal.throwIfAborted()
    throw watched.fault() ?? (ModelError.is(error) ? error : fault('garbled', id, error))
  } finally {
    own.abort()
  }
}

function callOf(settings: SdkSettings, request: ModelRequest, abortSignal: AbortSignal): LanguageModelV3CallOptions {
  const { facts, wire, options } = settings
  // Anthropic wants a number; a limit that is only assumed is not enforced
  const asked = request.output ?? (wire === 'anthropic' ? facts.output : undefined)
  const output = asked !== undefined && facts.source === 'catalog' ? Math.min(asked, facts.output) : asked
  return {
    prompt: promptOf(withSystem(request), wire),
    abortSignal,
    ...(output !== undefined && { maxOutputTokens: output }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.tools &&
      request.tools.length > 0 && {
        tools: request.tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          name,
          ...(description !== undefined && { description }),
          inputSchema: parameters,
        })),
      }),
    ...settingsOf(request),
    ...optionsOf(wire, options, request.settings?.thinking),
  }
}

/** How much a model may think is an option of its provider. */
function optionsOf(
  wire: SdkSettings['wire'],
  options: SdkSettings['options'],
  thinking: number | undefined,
): Pick<LanguageModelV3CallOptions, 'providerOptions'> {
  const asked =
    thinking === undefined
      ? undefined
      : wire === 'anthropic'
        ? { anthropic: { ...options?.anthropic, thinking: { type: 'enabled', budgetTokens: thinking } } }
        : wire === 'google'
          ? { google: { ...options?.google, thinkingConfig: { thinkingBudget: thinking, includeThoughts: true } } }
          : undefined
  return options || asked ? { providerOptions: { ...options, ...asked } } : {}
}

function settingsOf({ settings = {}, tools = [] }: ModelRequest): Partial<LanguageModelV3CallOptions> {
  const { topP, seed, stop, choice, json } = settings
  return {
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stopSequences: [...stop] }),
    ...(choice !== undefined && tools.length > 0 && { toolChoice: choiceOf(choice) }),
    ...(json && { responseFormat: { type: 'json', ...json } as const }),
  }
}

const choiceOf = (choice: NonNullable<ModelSettings['choice']>): LanguageModelV3ToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool }

const withSystem = ({ window, system }: ModelRequest): ModelRequest['window'] =>
  system === undefined || window.system !== undefined ? window : { ...window, system }
