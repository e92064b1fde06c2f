/** Opens the models of a configuration. Nothing but the servers of this machine is asked before a model is. */
import { extractive } from './builtin/extractive.js'
import type { ModelsConfig } from './config.js'
import type { Model, ModelListing, Models } from './contract.js'
import { builtin, unknown } from './listing.js'
import { providersOf, type Shop } from './providers.js'
import { type RetryRule, retrying, usualRetry } from './retry.js'

/** Looks for local servers once, for as long as `detectMs`. */
export async function openModels(config: ModelsConfig = {}): Promise<Models> {
  const shop = shopOf(config)
  const providers = providersOf(config, shop)
  const retry: RetryRule = { ...usualRetry, ...config.retry }
  const offers = (): Promise<ModelListing[]> =>
    Promise.all(providers.map((one) => one.list())).then((all) => all.flat())
  const usual = config.usual ?? choose(await offers(), config.prefer ?? 'hosted')
  const find = async (id: string = usual): Promise<Model> => {
    if (id === extractive.id) return extractive
    const slash = id.indexOf('/')
    const provider = providers.find(({ name }) => name === id.slice(0, slash))
    if (!provider) throw unknown(id, await offers())
    return retrying(await provider.open(id.slice(slash + 1)), retry)
  }
  return { usual, find, list: async () => [...(await offers()), builtin] }
}

/** Who asks for local models only gets none that costs. */
function choose(offers: readonly ModelListing[], prefer: 'local' | 'hosted'): string {
  const ready = offers.filter((offer) => offer.ready)
  const kinds: readonly Model['kind'][] = prefer === 'local' ? ['local'] : ['hosted', 'local']
  const first = kinds.flatMap((kind) => ready.filter((offer) => offer.kind === kind))[0]
  return first?.id ?? extractive.id
}

function shopOf(config: ModelsConfig): Shop {
  const fetch = config.fetch ?? globalThis.fetch
  const silenceMs = config.silenceMs ?? 60_000
  return {
    limits: { silenceMs, answerBytes: config.answerBytes ?? 4 * 1024 * 1024 },
    line: { fetch, silenceMs, now: config.now ?? Date.now },
    look: { fetch, timeoutMs: config.detectMs ?? 300 },
  }
}
