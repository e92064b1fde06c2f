/** The AI SDK's providers, each loaded when it is first asked for. */
import type { LanguageModelV3 } from '@ai-sdk/provider'
import { type Cacheable, withBreakpoints } from '../../core/render/cache.js'
import type { Fetch } from '../wire/dial.js'

export interface Account {
  readonly apiKey: string
  readonly baseUrl?: string
}

const base = (baseUrl: string | undefined) => (baseUrl === undefined ? null : { baseURL: baseUrl.replace(/\/+$/, '') })

export async function anthropic(name: string, account: Account, fetch: Fetch): Promise<LanguageModelV3> {
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const settings = { apiKey: account.apiKey, ...base(account.baseUrl), fetch: caching(fetch) }
  return createAnthropic(settings).languageModel(name)
}

export async function openai(
  name: string,
  account: Account & { readonly api: 'responses' | 'chat' },
  fetch: Fetch,
): Promise<LanguageModelV3> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const provider = createOpenAI({ apiKey: account.apiKey, ...base(account.baseUrl), fetch })
  return account.api === 'chat' ? provider.chat(name) : provider.responses(name)
}

export async function google(name: string, account: Account, fetch: Fetch): Promise<LanguageModelV3> {
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  const settings = { apiKey: account.apiKey, ...base(account.baseUrl), fetch: alternating(fetch) }
  return createGoogleGenerativeAI(settings).languageModel(name)
}

/** Anthropic caches up to the breakpoints that a request sets; the SDK sets none by itself. */
const caching =
  (fetch: Fetch): Fetch =>
  (url, init) => {
    if (typeof init?.body !== 'string') return fetch(url, init)
    return fetch(url, { ...init, body: JSON.stringify(withBreakpoints(JSON.parse(init.body) as Cacheable)) })
  }

interface Content {
  readonly role: string
  readonly parts: readonly unknown[]
}

/** The SDK writes neighbours of one role as they come; Google wants them to be one. */
const alternating =
  (fetch: Fetch): Fetch =>
  (url, init) => {
    if (typeof init?.body !== 'string') return fetch(url, init)
    const body = JSON.parse(init.body) as { readonly contents: readonly Content[] }
    const contents: Content[] = []
    for (const content of body.contents) {
      const last = contents.at(-1)
      if (last?.role !== content.role) contents.push(content)
      else contents[contents.length - 1] = { ...last, parts: [...last.parts, ...content.parts] }
    }
    return fetch(url, { ...init, body: JSON.stringify({ ...body, contents }) })
  }

export async function compatible(
  name: string,
  account: { readonly name: string; readonly baseUrl: string; readonly apiKey?: string },
  fetch: Fetch,
): Promise<LanguageModelV3> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: account.name,
    baseURL: account.baseUrl.replace(/\/+$/, ''),
    ...(account.apiKey === undefined ? null : { apiKey: account.apiKey }),
    includeUsage: true,
    fetch,
  }).chatModel(name)
}
