/** The providers that can be connected by a key alone, and how their keys begin. */

import type { ListingWire } from '../wire/offers.js'

export interface KnownProvider {
  /** The part before the slash in the ids of its models. */
  readonly id: string
  readonly label: string
  readonly url: string
  readonly wire: ListingWire
  /** How its keys begin; null where they have no beginning of their own. */
  readonly key: RegExp | null
  /** Asked instead of the list to test a key, where the list is there for everyone. */
  readonly check?: string
}

/** The first whose keys begin so is taken, so the more exact ones come first. */
export const knownProviders: readonly KnownProvider[] = [
  {
    id: 'anthropic',
    label: 'Anthropic',
    url: 'https://api.anthropic.com/v1',
    wire: 'anthropic',
    key: /^sk-ant-/,
  },
  {
    id: 'openrouter',
    label: 'OpenRouter',
    url: 'https://openrouter.ai/api/v1',
    wire: 'openai',
    key: /^sk-or-/,
    check: '/key',
  },
  {
    id: 'google',
    label: 'Google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    wire: 'google',
    key: /^AIza/,
  },
  { id: 'groq', label: 'Groq', url: 'https://api.groq.com/openai/v1', wire: 'openai', key: /^gsk_/ },
  { id: 'xai', label: 'xAI', url: 'https://api.x.ai/v1', wire: 'openai', key: /^xai-/ },
  { id: 'openai', label: 'OpenAI', url: 'https://api.openai.com/v1', wire: 'openai', key: /^sk-/ },
  { id: 'deepseek', label: 'DeepSeek', url: 'https://api.deepseek.com/v1', wire: 'openai', key: null },
  { id: 'mistral', label: 'Mistral', url: 'https://api.mistral.ai/v1', wire: 'openai', key: null },
]

/** Those that have a place of their own in the configuration. */
export const nativeProviders = ['anthropic', 'openai', 'google'] as const

export type NativeProvider = (typeof nativeProviders)[number]

export const isNative = (id: string): id is NativeProvider => nativeProviders.some((one) => one === id)

export const knownProvider = (id: string): KnownProvider | undefined => knownProviders.find((one) => one.id === id)
