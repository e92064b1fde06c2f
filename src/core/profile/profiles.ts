/** Servers that speak OpenAI's or Anthropic's API by rules of their own: a few lines of data each. */
import { type ProfileName, profileNames, type Target } from '../message/target.js'
import { claudeOf } from './claude.js'
import { type ImageLimits, type Traits, traits } from './traits.js'

export interface Profile {
  /** Bare names of the models it is chosen for. */
  readonly models?: RegExp
  /** Base URLs, or the part of a model's id before its name, that it is chosen for. */
  readonly hosts?: RegExp
  readonly traits: Partial<Traits>
}

const image = (limits: Partial<ImageLimits>): Pick<Traits, 'images'> => ({
  images: { ...traits['openai-chat'].images, ...limits },
})

/** Chat templates that raise an exception when the system message is not first, or not alone. */
const systemFirst: Partial<Traits> = { system: 'first', markRole: 'assistant', user: true }

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  deepseek: {
    models: /^deepseek-(?!r1|coder|llm|math|vl)/,
    hosts: /\bdeepseek\.com|^deepseek$/,
    traits: { reasoning: 'all', adjacent: true },
  },
  moonshot: {
    models: /^(?:kimi|moonshot)/,
    hosts: /\bmoonshot\.(?:ai|cn)|\bkimi\.com|^(?:moonshot|kimi)$/,
    traits: { reasoning: 'calls' },
  },
  mistral: {
    models: /^(?:open-)?(?:mistral-(?!7b)|ministral|codestral|devstral|magistral|pixtral)/,
    hosts: /\bmistral\.ai|^mistral$/,
    traits: { callId: 'nine', bridge: true, system: 'first', markRole: 'assistant' },
  },
  qwen: { models: /^qw(?:en|q)/, traits: systemFirst },
  dashscope: { hosts: /\bdashscope|\bmaas\.aliyuncs\.com|^dashscope$/, traits: systemFirst },
  /** Templates without roles beyond user and assistant, and without tools. */
  strict: {
    models: /^(?:mi[sx]tral-(?:7b|8x7b)|llama-?2|gemma(?:-?[12])?-)/,
    traits: { alternates: true, system: 'user', markRole: 'assistant', calls: 'text' },
  },
  vllm: { hosts: /^vllm$/, traits: { ...systemFirst, ...image({ count: 1 }) } },
  'llama.cpp': { hosts: /^llama-?(?:\.?cpp|server)$/, traits: { ...systemFirst, alternates: true, thoughts: false } },
  ollama: { hosts: /:11434\b|^ollama$/, traits: { ...systemFirst } },
  lmstudio: { hosts: /:1234\b|^lm-?studio$/, traits: systemFirst },
  groq: { hosts: /\bgroq\.com|^groq$/, traits: image({ count: 5 }) },
  copilot: { hosts: /githubcopilot\.com|^(?:github-)?copilot$/, traits: { thoughts: false } },
  /** Passes requests on to any of the others: what it does not know of the server behind, the model's name tells. */
  openrouter: { hosts: /\bopenrouter\.ai|^openrouter$/, traits: {} },
  bedrock: {
    hosts: /\bbedrock\b|amazonaws\.com/,
    traits: {
      definitions: true,
      captions: true,
      images: { ...traits.anthropic.images, count: 20, bytes: 5_000_000 },
    },
  },
}

/** What says which server a request goes to. */
export interface ServerHint {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  /** Named by the caller, beside those that the model's name and the address tell. */
  readonly profile?: ProfileName | undefined
}

/**
 * The profiles that hold: the server's, then the model's own, whose template has the last word.
 * @example profilesOf('openai-chat', { model: 'deepseek-chat' })
 */
export function profilesOf(target: Target, { model, baseUrl, profile }: ServerHint): readonly ProfileName[] {
  if (!takes.has(target)) return profile ? [profile] : []
  const [host, name] = split(model ?? '')
  const places = [baseUrl ?? '', host].filter((place) => place !== '')
  const served = profileNames.filter(
    (one) => one === profile || places.some((place) => profiles[one].hosts?.test(place)),
  )
  const named = profileNames.filter((one) => profiles[one].models?.test(name) && !served.includes(one))
  return [...served, ...named]
}

/** The server at an address, when its address tells it. */
export const serverAt = (baseUrl: string): ProfileName | undefined =>
  profileNames.find((name) => profiles[name].hosts?.test(baseUrl))

const takes = new Set<Target>(['openai-chat', 'openai-responses', 'anthropic'])

/** The part before the model's name, and the name: `openrouter/mistralai/mistral-large` is a mistral on openrouter. */
function split(model: string): readonly [host: string, name: string] {
  const parts = model.trim().toLowerCase().split('/')
  const name = (parts.at(-1) ?? '').replace(
    /^(?:(?:us|eu|apac|global)\.)?(?:[a-z]+\.)?(?=(?:deepseek|kimi|mistral|qwen))/,
    '',
  )
  return [parts.length > 1 ? (parts[0] ?? '') : '', name]
}

/** The target's traits, with those of its profiles and of the model on top. */
export function traitsOf(target: Target, place: ServerHint): Traits {
  let held = traits[target]
  for (const name of profilesOf(target, place)) held = { ...held, ...profiles[name].traits }
  const claude = target === 'anthropic' ? claudeOf(place.model) : undefined
  return claude && claude.version >= 4.6 && held.images === traits.anthropic.images
    ? { ...held, images: { ...held.images, count: 600 } }
    : held
}
