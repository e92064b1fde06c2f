/** A request of ours as the call of an AI SDK model. */
import type { LanguageModelV3CallOptions, LanguageModelV3ToolChoice } from '@ai-sdk/provider'
import type { ModelFacts } from '../../core/tokens/models.js'
import type { ModelRequest, ModelSettings } from '../contract.js'
import type { WireName } from '../wires.js'
import { promptOf } from './prompt.js'

export interface CallSettings {
  readonly facts: ModelFacts
  readonly wire: Exclude<WireName, 'ollama'>
  /** Options of the provider itself. */
  readonly options?: LanguageModelV3CallOptions['providerOptions']
}

export function callOf(
  settings: CallSettings,
  request: ModelRequest,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
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
  wire: CallSettings['wire'],
  options: CallSettings['options'],
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
