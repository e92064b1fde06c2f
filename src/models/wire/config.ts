/** Which models there are, as the operator says. */
import type { ProfileName } from '../../core/message/target.js'
import type { Fetch } from './dial.js'
import type { RetryRule } from './retry.js'

/** Which providers there are, and which model answers when none is named. */
export interface ModelsConfig {
  /** The model that answers when none is named, as `provider/name`. */
  readonly usual?: string
  /** `local`: without a `usual` one only models of this machine are chosen, never one that costs. */
  readonly prefer?: 'local' | 'hosted'
  readonly providers?: ProvidersConfig
  readonly retry?: Partial<RetryRule>
  /** So long may a provider send nothing. */
  readonly silenceMs?: number
  /** Most bytes of an answer. */
  readonly answerBytes?: number
  /** How long to look for a server on this machine. */
  readonly detectMs?: number
  readonly fetch?: Fetch
  /** The name of this service in requests to providers, by which it knows its own when they come back to it. */
  readonly hop?: string
  readonly now?: () => number
}

export interface ProvidersConfig {
  readonly anthropic?: Hosted
  readonly openai?: Hosted & { readonly api?: 'responses' | 'chat' }
  readonly google?: Hosted
  readonly compatible?: readonly Compatible[]
  /** Looked for at its usual address, or not at all. */
  readonly ollama?: { readonly baseUrl: string } | false
  readonly lmstudio?: { readonly baseUrl: string } | false
}

export interface Hosted {
  /** Without one the provider answers only to clients that bring their own. */
  readonly apiKey?: string
  readonly baseUrl?: string
  /** Passed to the provider as they are, as in `{ thinking: { type: 'enabled', budgetTokens: 2000 } }`. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Those to show, as the provider lists them; any other name is passed on as well. */
  readonly models?: readonly ListedModel[]
}

export interface ListedModel {
  readonly name: string
  readonly label?: string
  readonly window?: number
  readonly output?: number
}

/** Any server that speaks OpenAI Chat Completions. */
export interface Compatible {
  /** The part before the slash in the ids of its models. */
  readonly name: string
  readonly baseUrl: string
  readonly apiKey?: string
  /** Whose rules it has, where its address and its models' names do not tell: `vllm`, `llama.cpp`. */
  readonly profile?: ProfileName
  /** Those it has; without a list any name is passed on. */
  readonly models?: readonly (string | ListedModel)[]
}
