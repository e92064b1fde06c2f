/** Providers that are asked in their own words: a request goes on as it came, with the operator's key or the client's own. */
import { sha256 } from '../../core/message/hash.js'
import type { ModelsConfig } from './config.js'
import { usualAddress } from './detect.js'
import type { Fetch } from './dial.js'
import type { WireName } from './wires.js'

export interface Upstream {
  /** `provider/name`. */
  readonly id: string
  /** The provider's own name for the model. */
  readonly model: string
  /** The operator has a key for it, or it needs none. */
  readonly keyed: boolean
  /** The server and the operator's account at it. */
  readonly issuer: string
  /** Tokens of its window, where the operator says so. */
  readonly window: number | null
  /** Follows no redirect: a key is for the address it was given for. */
  send(request: Forwarded): Promise<Response>
}

export interface Forwarded {
  /** Behind the base URL, with its query, as in `/messages?beta=true`. */
  readonly path: string
  /** Those of the client that are meant for the provider. */
  readonly headers: Headers
  readonly body: Uint8Array | string
  readonly signal: AbortSignal
  /** The client's is in the headers already. */
  readonly key: 'operator' | 'client'
}

/** Null where no provider that speaks so has the model. */
export type FindUpstream = (wire: WireName, model: string) => Upstream | null

interface Account {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string | undefined
  readonly needsKey: boolean
  readonly wires: readonly WireName[]
  /** Null where any name is passed on. */
  readonly models: readonly { readonly name: string; readonly window?: number }[] | null
}

/** Whose model it is, by the beginning of its name. */
const families: readonly (readonly [provider: string, name: RegExp])[] = [
  ['anthropic', /^claude\b/i],
  ['openai', /^(?:(?:chat)?gpt|codex|o\d+)(?:[-.\d]|$)/i],
  ['google', /^gemini\b/i],
]

/** The provider of a name that does not say it. */
export const ownerOf = (model: string): string | null => families.find(([, name]) => name.test(model))?.[0] ?? null

const keyHeaders: Readonly<Partial<Record<WireName, (key: string) => readonly [name: string, value: string]>>> = {
  anthropic: (key) => ['x-api-key', key],
  google: (key) => ['x-goog-api-key', key],
}
const bearer = (key: string) => ['authorization', `Bearer ${key}`] as const

export function upstreamsOf({ providers = {} }: ModelsConfig, fetch: Fetch): FindUpstream {
  const accounts = accountsOf(providers)
  return (wire, model) => {
    const found = accountOf(accounts, wire, model)
    if (!found?.account.wires.includes(wire)) return null
    const { account, name } = found
    const { apiKey, baseUrl } = account
    return {
      id: `${account.name}/${name}`,
      model: name,
      keyed: apiKey !== undefined || !account.needsKey,
      issuer: issuerOf(account),
      window: account.models?.find((one) => one.name === name)?.window ?? null,
      send: ({ path, headers, body, signal, key }) => {
        const sent = new Headers(headers)
        if (key === 'operator' && apiKey !== undefined) sent.set(...(keyHeaders[wire] ?? bearer)(apiKey))
        return fetch(`${baseUrl}${path}`, { method: 'POST', headers: sent, body, signal, redirect: 'manual' })
      },
    }
  }
}

/** By its provider's name, by its own, by the lists of the operator; a name that nobody knows is for whoever speaks like the client. */
function accountOf(accounts: readonly Account[], wire: WireName, model: string) {
  if (/^(?:builtin|ollama)\//.test(model)) return undefined
  const slash = model.indexOf('/')
  const prefix = accounts.find(({ name }) => name === model.slice(0, Math.max(0, slash)))
  if (prefix) return { account: prefix, name: model.slice(slash + 1) }
  const listed = accounts.find(({ models }) => models?.some(({ name }) => name === model))
  const owner = ownerOf(model) ?? (listed ? null : usualOf(wire))
  const account = listed ?? accounts.find(({ name }) => name === owner)
  return account && { account, name: model }
}

const usualOf = (wire: WireName): string => (wire.startsWith('openai') ? 'openai' : wire)

function accountsOf({ anthropic, openai, google, compatible = [], lmstudio }: NonNullable<ModelsConfig['providers']>) {
  const hosted = (
    name: string,
    usual: string,
    wires: readonly WireName[],
    given?: { readonly apiKey?: string | undefined; readonly baseUrl?: string },
  ): Account => {
    const baseUrl = trimmed(given?.baseUrl ?? usual)
    return { name, baseUrl, apiKey: given?.apiKey, needsKey: true, wires, models: null }
  }
  const accounts: Account[] = [
    hosted('anthropic', 'https://api.anthropic.com/v1', ['anthropic'], anthropic),
    hosted('openai', 'https://api.openai.com/v1', ['openai-responses', 'openai-chat'], openai),
    hosted('google', 'https://generativelanguage.googleapis.com/v1beta', ['google'], google),
    ...compatible.map(({ name, baseUrl, apiKey, models }): Account => {
      const listed = models?.map((model) => (typeof model === 'string' ? { name: model } : model)) ?? null
      return { name, baseUrl: trimmed(baseUrl), apiKey, needsKey: false, wires: ['openai-chat'], models: listed }
    }),
  ]
  if (lmstudio === false) return accounts
  const baseUrl = trimmed(lmstudio?.baseUrl ?? usualAddress.lmstudio)
  const local: Account = {
    name: 'lmstudio',
    baseUrl,
    apiKey: undefined,
    needsKey: false,
    wires: ['openai-chat'],
    models: [],
  }
  return [...accounts, local]
}

export const trimmed = (url: string): string => url.replace(/\/+$/, '')

/** Names the account without telling its key. */
export const issuerOf = ({ apiKey = '', baseUrl = '' }: Partial<Pick<Account, 'apiKey' | 'baseUrl'>>): string =>
  sha256(`issuer\n${trimmed(baseUrl)}\n${apiKey}`).slice(0, 16)
