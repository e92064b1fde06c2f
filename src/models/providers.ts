/** The providers of a configuration. */

import { serverAt } from '../core/profile/profiles.js'
import { findModel, type ModelFacts } from '../core/tokens/models.js'
import { listing, unknown } from './listing.js'
import { ollamaModel } from './ollama/model.js'
import { type SdkSettings, sdkModel } from './sdk/model.js'
import * as sdk from './sdk/providers.js'
import type { Compatible, Hosted, ListedModel, ModelsConfig } from './wire/config.js'
import { type Model, ModelError, type ModelListing } from './wire/contract.js'
import { detectLmStudio, detectOllama, type LocalModel, type Look, ollamaWindow, usualAddress } from './wire/detect.js'
import { fault } from './wire/fault.js'
import { askOffers } from './wire/offers.js'
import { issuerOf, trimmed } from './wire/upstream.js'

/** One provider: what it offers, and how to open a model of it. */
interface Provider {
  readonly name: string
  list(): Promise<readonly ModelListing[]>
  /** Throws `ModelError` when it has no such model. */
  open(name: string): Promise<Model>
}

/** What every model is opened with. */
export type Shop = Pick<SdkSettings, 'limits' | 'line'> & { readonly look: Look }

export function providersOf({ providers = {} }: ModelsConfig, shop: Shop): readonly Provider[] {
  const { anthropic, openai, google, compatible = [], ollama, lmstudio } = providers
  const api = openai?.api ?? 'responses'
  return [
    isKeyed(anthropic)
      ? hosted('anthropic', anthropic, 'anthropic', (name, fetch) => sdk.anthropic(name, anthropic, fetch), shop)
      : closed('anthropic'),
    isKeyed(openai)
      ? hosted(
          'openai',
          // the answers are not kept at OpenAI, so reasoning travels with the request
          { ...openai, options: { ...(api === 'responses' && { store: false }), ...openai.options } },
          api === 'chat' ? 'openai-chat' : 'openai-responses',
          (name, fetch) => sdk.openai(name, { ...openai, api }, fetch),
          shop,
        )
      : closed('openai'),
    isKeyed(google)
      ? hosted('google', google, 'google', (name, fetch) => sdk.google(name, google, fetch), shop)
      : closed('google'),
    ...compatible.map((one) => compatibleProvider(one, shop)),
    ...(ollama === false ? [] : [ollamaProvider(trimmed(ollama?.baseUrl ?? usualAddress.ollama), shop)]),
    ...(lmstudio === false ? [] : [lmStudioProvider(trimmed(lmstudio?.baseUrl ?? usualAddress.lmstudio), shop)]),
  ]
}

const isKeyed = <T extends Hosted>(account: T | undefined): account is T & { readonly apiKey: string } =>
  account?.apiKey !== undefined

/** The ones to show when the provider was not asked, the best to begin with first; any other name works as well. */
export const known: Readonly<Record<string, readonly string[]>> = {
  anthropic: ['claude-sonnet-4-5', 'claude-haiku-4-5', 'claude-opus-4-5'],
  openai: ['gpt-5-mini', 'gpt-5', 'gpt-4.1'],
  google: ['gemini-2.5-flash', 'gemini-2.5-pro'],
}

function hosted(
  provider: string,
  account: Hosted,
  wire: SdkSettings['wire'],
  open: (name: string, fetch: typeof globalThis.fetch) => ReturnType<SdkSettings['open']>,
  shop: Shop,
): Provider {
  return {
    name: provider,
    list: async () =>
      (account.models ?? (known[provider] ?? []).map((name): ListedModel => ({ name }))).map((one) =>
        listing(`${provider}/${one.name}`, 'hosted', one),
      ),
    open: async (name) => {
      const id = `${provider}/${name}`
      const told = account.models?.find((one) => one.name === name)
      return sdkModel({
        ...shop,
        id,
        label: told?.label ?? name,
        kind: 'hosted',
        facts: factsOf(id, told ?? {}),
        wire,
        profile: account.baseUrl === undefined ? undefined : serverAt(account.baseUrl),
        issuer: issuerOf(account),
        open: (fetch) => open(name, fetch),
        ...(account.options && { options: { [provider]: account.options } as SdkSettings['options'] }),
      })
    },
  }
}

/** A provider without a key: shown, so that one knows of it. */
const closed = (provider: string): Provider => ({
  name: provider,
  list: async () =>
    (known[provider] ?? []).slice(0, 1).map((name) => ({
      ...listing(`${provider}/${name}`, 'hosted'),
      ready: false,
      note: `there is no key for ${provider}`,
    })),
  open: async (name) => {
    throw new ModelError('unknown_model', `there is no model ${provider}/${name}: there is no key for ${provider}`)
  },
})

/** What the server says of itself goes before the catalog. */
function factsOf(id: string, told: { readonly window?: number; readonly output?: number }): ModelFacts {
  const facts = findModel(id)
  if (told.window === undefined && told.output === undefined) return facts
  const window = told.window ?? facts.window
  return { ...facts, window, output: told.output ?? Math.min(facts.output, Math.ceil(window / 2)), source: 'catalog' }
}

function compatibleProvider(account: Compatible, shop: Shop): Provider {
  const models = account.models?.map((model): ListedModel => (typeof model === 'string' ? { name: model } : model))
  const kind = isHere(account.baseUrl) ? 'local' : 'hosted'
  const idOf = (name: string): string => `${account.name}/${name}`
  const offers = (): ModelListing[] => (models ?? []).map((model) => listing(idOf(model.name), kind, model))
  let asked: ReturnType<typeof askOffers> | null = null
  /** What the server tells of a model that nobody knows; it is asked once, unless it does not answer. */
  const lookUp = async (name: string): Promise<ListedModel | undefined> => {
    const { baseUrl: url, apiKey: key } = account
    const line = { ...shop.line, silenceMs: Math.max(shop.look.timeoutMs, leastAskMs) }
    asked ??= askOffers({ who: account.name, url, wire: 'openai', key }, line)
    const told = await asked.catch(() => {
      asked = null
    })
    return told?.find((offer) => offer.name === name)
  }
  return {
    name: account.name,
    list: async () => offers(),
    open: async (name) => {
      const told = models?.find((model) => model.name === name)
      if (models && !told) throw unknown(idOf(name), offers())
      const facts = factsOf(idOf(name), told ?? {})
      const found = facts.source === 'assumed' ? await lookUp(name) : undefined
      return compatibleModel(account, name, kind, found ? factsOf(idOf(name), found) : facts, shop)
    },
  }
}

const compatibleModel = (
  account: Compatible,
  name: string,
  kind: 'local' | 'hosted',
  facts: ModelFacts,
  shop: Shop,
): Model =>
  sdkModel({
    ...shop,
    id: `${account.name}/${name}`,
    label: `${name} (${account.name})`,
    kind,
    facts,
    wire: 'openai-chat',
    profile: account.profile ?? (account.name === 'lmstudio' ? 'lmstudio' : serverAt(account.baseUrl)),
    open: (fetch) => sdk.compatible(name, account, fetch),
  })

const isHere = (url: string): boolean => /^https?:\/\/(?:127\.\d+\.\d+\.\d+|localhost|\[::1\])(?:[:/]|$)/i.test(url)

/** A busy server may take longer to say what it has, and longest to load a model. */
const leastAskMs = 2_000
const patience = 5

/** A server of this machine; while it is not running it has no models, and no other takes its place. */
function localProvider(
  provider: string,
  detect: (look: Look) => Promise<readonly LocalModel[] | null>,
  open: (model: LocalModel, kind: Model['kind'], shop: Shop) => Promise<Model>,
  shop: Shop,
): Provider {
  const asking = { ...shop.look, timeoutMs: Math.max(shop.look.timeoutMs, leastAskMs) }
  const loading = { ...shop, look: asking, line: { ...shop.line, silenceMs: shop.line.silenceMs * patience } }
  const shown = (model: LocalModel): ModelListing => listing(`${provider}/${model.name}`, kindOf(model.name), model)
  return {
    name: provider,
    list: async () => ((await detect(shop.look)) ?? []).map(shown),
    open: async (name) => {
      const models = await detect(asking)
      const id = `${provider}/${name}`
      if (!models) throw fault('unreachable', id)
      const model = models.find((one) => one.name === name || one.name === `${name}:latest`)
      if (!model) throw unknown(id, models.map(shown))
      return open(model, kindOf(model.name), loading)
    },
  }
}

/** Ollama lists models that it only passes on to its own service. */
const kindOf = (name: string): 'local' | 'hosted' => (/[:-]cloud$/.test(name) ? 'hosted' : 'local')

const ollamaProvider = (baseUrl: string, shop: Shop): Provider =>
  localProvider(
    'ollama',
    (look) => detectOllama(baseUrl, look),
    async ({ name }, kind, { look, limits, line }) => {
      const id = `ollama/${name}`
      const window = await ollamaWindow(baseUrl, name, look)
      const facts = factsOf(id, window === undefined ? {} : { window })
      return ollamaModel({ id, name, baseUrl, kind, label: labelOf(name, 'Ollama', baseUrl), facts, limits, line })
    },
    shop,
  )

const lmStudioProvider = (baseUrl: string, shop: Shop): Provider =>
  localProvider(
    'lmstudio',
    (look) => detectLmStudio(baseUrl, look),
    async ({ name, window }, _, loading) => ({
      ...compatibleModel(
        { name: 'lmstudio', baseUrl },
        name,
        'local',
        factsOf(`lmstudio/${name}`, window === undefined ? {} : { window }),
        loading,
      ),
      label: labelOf(name, 'LM Studio', baseUrl),
    }),
    shop,
  )

const labelOf = (name: string, server: string, baseUrl: string): string =>
  `${name} (${server}${isHere(baseUrl) ? ' on this machine' : ` at ${new URL(baseUrl).host}`})`
