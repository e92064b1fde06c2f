/** A request of ours as the call of an AI SDK model. */
import type { LanguageModelV3CallOptions, LanguageModelV3ToolChoice } from '@ai-sdk/provider'
import type { ProfileName } from '../../core/message/target.js'
import type { Window } from '../../core/message/window.js'
import { type Claude, claudeOf, refusesChoice, thinksUnasked } from '../../core/profile/claude.js'
import { prefixHash } from '../../core/profile/prefix.js'
import { render } from '../../core/render/render.js'
import type { ModelFacts } from '../../core/tokens/models.js'
import type { Effort, ModelRequest, ModelSettings } from '../wire/contract.js'
import type { WireName } from '../wire/wires.js'
import { sdkPrompt } from './prompt.js'

export interface CallSettings {
  readonly id: string
  readonly facts: ModelFacts
  readonly wire: Exclude<WireName, 'ollama'>
  /** The server's own rules. */
  readonly profile?: ProfileName | undefined
  /** Options of the provider itself. */
  readonly options?: LanguageModelV3CallOptions['providerOptions']
}

export function callOf(
  settings: CallSettings,
  request: ModelRequest,
  abortSignal: AbortSignal,
): LanguageModelV3CallOptions {
  const { facts, wire } = settings
  const claude = wire === 'anthropic' ? claudeOf(settings.id) : undefined
  // Anthropic wants a number; a limit that is only assumed is not enforced
  const asked = request.output ?? (wire === 'anthropic' ? facts.output : undefined)
  const output = asked !== undefined && facts.source === 'catalog' ? Math.min(asked, facts.output) : asked
  return {
    prompt: sdkPrompt(windowOf(settings, request), wire),
    abortSignal,
    ...(output !== undefined && { maxOutputTokens: output }),
    ...(request.temperature !== undefined && !isPlain(claude) && { temperature: request.temperature }),
    ...(request.tools &&
      request.tools.length > 0 && {
        tools: request.tools.map(({ name, description, parameters }) => ({
          type: 'function' as const,
          name,
          ...(description !== undefined && { description }),
          inputSchema: parameters,
        })),
      }),
    ...settingsOf(request, claude, thinks(settings, request)),
    ...optionsOf(settings, request),
  }
}

/** How much a model may think is an option of its provider. */
function optionsOf(
  { id, wire, options }: CallSettings,
  { settings, ...request }: ModelRequest,
): Pick<LanguageModelV3CallOptions, 'providerOptions'> {
  const thinking = thinkingIn(settings)
  const effort = settings?.effort
  const cacheKey = settings?.cacheKey ?? request.cacheKey
  const openai = {
    ...(id.startsWith('openai/') && cacheKey !== undefined && { promptCacheKey: cacheKey }),
    ...(wire === 'openai-responses' && effort !== undefined && { reasoningEffort: effort }),
  }
  const asked =
    wire.startsWith('openai') && Object.keys(openai).length > 0
      ? { openai: { ...options?.openai, ...openai } }
      : thinking === undefined
        ? undefined
        : wire === 'anthropic'
          ? { anthropic: { ...options?.anthropic, thinking: thinkingOf(claudeOf(id), thinking) } }
          : wire === 'google'
            ? { google: { ...options?.google, thinkingConfig: { thinkingBudget: thinking, includeThoughts: true } } }
            : undefined
  return options || asked ? { providerOptions: { ...options, ...asked } } : {}
}

/** Tokens to think, for providers that count them. */
const tokensOf: Readonly<Record<Effort, number>> = { low: 1_024, medium: 8_192, high: 24_576 }

const thinkingIn = (settings: ModelSettings | undefined): number | undefined =>
  settings?.thinking ?? (settings?.effort && tokensOf[settings.effort])

/** Later models decide themselves how long to think. */
const thinkingOf = (claude: Claude | undefined, budgetTokens: number) =>
  isPlain(claude) ? { type: 'adaptive' } : { type: 'enabled', budgetTokens }

/** Models that take no budget for thinking and no sampling. */
const isPlain = (claude: Claude | undefined): boolean => claude?.thinks === 'adaptive' || claude?.thinks === 'bound'

function thinks({ id, options }: CallSettings, { settings }: ModelRequest): boolean {
  const asked = options?.anthropic?.thinking as { readonly type?: unknown } | undefined
  if (thinkingIn(settings) !== undefined || asked !== undefined) return asked?.type !== 'disabled'
  const claude = claudeOf(id)
  return claude !== undefined && thinksUnasked(claude)
}

/** The window with what only the model knows: the server's rules, and whether thinking is asked for. */
function windowOf(settings: CallSettings, request: ModelRequest): Window {
  const { window, system } = request
  return {
    ...window,
    ...(system !== undefined && window.system === undefined && { system }),
    ...(settings.profile && { profile: settings.profile }),
    ...(settings.wire === 'anthropic' && { thinking: thinks(settings, request) }),
  }
}

/** What the thoughts of this answer are bound to, for models that bind them. */
export function prefixOf(settings: CallSettings, request: ModelRequest): { readonly prefix?: string } {
  if (settings.wire !== 'anthropic' || claudeOf(settings.id)?.thinks !== 'bound') return {}
  const written = render(windowOf(settings, request), 'anthropic')
  return { prefix: prefixHash(written, written.messages.length) }
}

function settingsOf(
  { settings = {}, tools = [] }: ModelRequest,
  claude: Claude | undefined,
  thinking: boolean,
): Partial<LanguageModelV3CallOptions> {
  const { topP, seed, stop, json } = settings
  const forced = settings.choice === 'required' || typeof settings.choice === 'object'
  // neither thinking by a budget nor the newest models go with a forced choice
  const free = claude !== undefined && forced && (refusesChoice(claude) || (thinking && !isPlain(claude)))
  const choice = free ? 'auto' : settings.choice
  return {
    ...(topP !== undefined && !isPlain(claude) && { topP }),
    ...(seed !== undefined && { seed }),
    ...(stop && { stopSequences: [...stop] }),
    ...(choice !== undefined && tools.length > 0 && { toolChoice: choiceOf(choice) }),
    ...(json && { responseFormat: { type: 'json', ...json } as const }),
  }
}

const choiceOf = (choice: NonNullable<ModelSettings['choice']>): LanguageModelV3ToolChoice =>
  typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool }
