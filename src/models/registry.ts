/** Opens the models of a configuration. Nothing but the servers of this machine is asked before a model is. */
import { extractive } from './builtin/answer.js'
import { builtin, unknown } from './listing.js'
import { providersOf, type Shop } from './providers.js'
import { scaled } from './scale.js'
import type { ModelsConfig } from './wire/config.js'
import type { Model, ModelListing, Models } from './wire/contract.js'
import type { Fetch } from './wire/dial.js'
import { type RetryRule, retrying, usualRetry } from './wire/retry.js'
import { ownerOf, upstreamsOf } from './wire/upstream.js'

/** Looks for local servers once, for as long as `detectMs`. @example const models = await openModels({ providers: { anthropic: { apiKey } } }) */
export async function openModels(config: ModelsConfig = {}): Promise<Models> {
  const shop = shopOf(config)
  const providers = providersOf(config, shop)
  const retry: RetryRule = { ...usualRetry, ...config.retry }
  const drifts = new Map<string, number[]>()
  const offers = (): Promise<ModelListing[]> =>
    Promise.all(providers.map((one) => one.list())).then((all) => all.flat())
  const usual = config.usual ?? choose(await offers(), config.prefer ?? 'hosted')
  const find = async (id: string = usual): Promise<Model> => {
    if (id === extractive.id) return extractive
    const full = id.includes('/') ? id : `${ownerOf(id)}/${id}`
    const slash = full.indexOf('/')
    const provider = providers.find(({ name }) => name === full.slice(0, slash))
    if (!provider) throw unknown(id, await offers())
    const model = retrying(await provider.open(full.slice(slash + 1)), retry)
    const ratios = drifts.get(full) ?? []
    drifts.set(full, ratios)
    return scaled(model, ratios)
  }
  const list = async () => [...(await offers()), builtin]
  return { usual, find, list, upstream: upstreamsOf(config, shop.line.fetch), ...(config.hop && { hop: config.hop }) }
}

/** Who asks for local models only gets none that costs. */
function choose(offers: readonly ModelListing[], prefer: 'local' | 'hosted'): string {
  const ready = offers.filter((offer) => offer.ready)
  const kinds: readonly Model['kind'][] = prefer === 'local' ? ['local'] : ['hosted', 'local']
  const first = kinds.flatMap((kind) => ready.filter((offer) => offer.kind === kind))[0]
  return first?.id ?? extractive.id
}

export const hopHeader = 'x-throughline-hop'

/** Says who asks, behind those through whom the request came. */
const signed =
  (fetch: Fetch, hop: string | undefined): Fetch =>
  (url, init) => {
    if (hop === undefined) return fetch(url, init)
    const headers = new Headers(init?.headers)
    headers.append(hopHeader, hop)
    return fetch(url, { ...init, headers })
  }

function shopOf(config: ModelsConfig): Shop {
  const fetch = signed(config.fetch ?? globalThis.fetch, config.hop)
  const silenceMs = config.silenceMs ?? 60_000
  return {
    limits: { silenceMs, answerBytes: config.answerBytes ?? 4 * 1024 * 1024 },
    line: { fetch, silenceMs, now: config.now ?? Date.now },
    look: { fetch, timeoutMs: config.detectMs ?? 300 },
  }
}
