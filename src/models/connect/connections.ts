/**
 * Models that are connected while the service runs. A key is tested before it is kept, is never told again but for its
 * last four characters, and what is connected answers at once: the models behind `models` are made anew.
 */

import { known } from '../providers.js'
import { openModels } from '../registry.js'
import type { ModelsConfig } from '../wire/config.js'
import { type Model, ModelError, type ModelRequest, type Models } from '../wire/contract.js'
import { detectLmStudio, detectOllama, usualAddress } from '../wire/detect.js'
import { askOffers, findServer, type ModelOffer } from '../wire/offers.js'
import { type KeptConnection, type KeptConnections, noConnections, readConnections, writeConnections } from './file.js'
import { knownProvider, knownProviders } from './known.js'
import { addressIn, endingOf, mergedConfig, settledIn } from './merge.js'
import { recognise, serverName } from './recognise.js'

/** What is to be connected. */
export interface ConnectRequest {
  /** A key, or the address of a server. */
  readonly pasted: string
  /** Whose key it is, where its beginning does not tell. */
  readonly provider?: string | undefined
  /** The key of a server whose address was pasted. */
  readonly key?: string | undefined
}

export interface Connection {
  /** The part before the slash in the ids of its models. */
  readonly id: string
  readonly label: string
  readonly url: string | null
  /** The last four characters of its key; null without one. */
  readonly ending: string | null
  /** `settings`: from the environment or the settings file, where alone it can be changed. */
  readonly from: 'app' | 'settings'
  readonly models: number
  /** When the provider refused the key, as long as it has not taken it since. */
  readonly refusedAt: string | null
}

export interface Tested {
  readonly id: string
  readonly label: string
  readonly milliseconds: number
  readonly offers: readonly ModelOffer[]
  /** The model to begin with; null when there is none. */
  readonly best: string | null
}

/** A server of models on this machine that nobody had to connect. */
export interface LocalServer {
  readonly id: 'ollama' | 'lmstudio'
  readonly label: string
  readonly models: readonly string[]
}

export interface Connections {
  list(): Promise<readonly Connection[]>
  local(): Promise<readonly LocalServer[]>
  /** Throws `ModelError`; `unauthorized` is a key that the provider refuses. Nothing is kept. */
  test(request: ConnectRequest): Promise<Tested>
  /** Tests, keeps and opens it. The same provider or address again replaces its key. */
  add(request: ConnectRequest): Promise<Connection>
  /** What it offers now; null when there is no such connection. */
  offers(id: string): Promise<Tested | null>
  /** False when there is none, or it comes from the settings. */
  remove(id: string): Promise<boolean>
  /** Makes a model the one that answers when none is named. Throws `ModelError` when there is no such model. */
  use(model: string): Promise<void>
}

export interface ConnectOptions {
  readonly config: ModelsConfig
  /** Null where connections last as long as the process. */
  readonly file: string | null
}

/** Longer than for servers of this machine, shorter than for an answer. */
const testMs = 15_000

export async function openConnections({ config, file }: ConnectOptions): Promise<{
  readonly models: Models
  readonly connections: Connections
}> {
  const fetch = config.fetch ?? globalThis.fetch
  const line = { fetch, silenceMs: Math.min(config.silenceMs ?? testMs, testMs), now: config.now ?? Date.now }
  const look = { fetch, timeoutMs: Math.max(config.detectMs ?? 0, 1_000) }
  const refused = new Map<string, string>()
  let kept: KeptConnections = file === null ? noConnections : await readConnections(file)
  let opened = await openModels(mergedConfig(config, kept))
  let changing: Promise<unknown> = Promise.resolve()

  /** One change after the other, each on what is in the file. */
  const change = <T>(work: (now: KeptConnections) => Promise<{ readonly next: KeptConnections; readonly made: T }>) => {
    const turn = changing.then(async () => {
      const { next, made } = await work(file === null ? kept : await readConnections(file))
      const models = await openModels(mergedConfig(config, next))
      if (file !== null) await writeConnections(file, next)
      kept = next
      opened = models
      return made
    })
    changing = turn.catch(() => undefined)
    return turn
  }

  const reach = async ({ pasted, provider, key }: ConnectRequest): Promise<Omit<KeptConnection, 'at'>> => {
    const found = recognise(pasted)
    if (found.type === 'neither') throw new ModelError('refused', found.why)
    if (found.type === 'url') {
      const { url, ollama, offers } = await findServer(found.url, key, line, look)
      const label = ollama ? `Ollama on ${new URL(url).host}` : new URL(url).host
      return {
        id: ollama ? 'ollama' : serverName(url),
        type: ollama ? 'ollama' : 'server',
        label,
        url,
        key: key ?? null,
        models: [...offers],
      }
    }
    const one = knownProvider(provider ?? found.provider ?? '')
    if (!one)
      throw new ModelError(
        'refused',
        'It is not clear whose key this is. Choose the provider, or paste the address of the server.',
      )
    const url = addressIn(config, one.id) ?? one.url
    const models = await askOffers({ who: one.label, url, wire: one.wire, key: found.key, check: one.check }, line)
    return { id: one.id, type: 'provider', label: one.label, url: null, key: found.key, models: ranked(one.id, models) }
  }

  const timed = async (work: () => Promise<Omit<KeptConnection, 'at'>>): Promise<Tested> => {
    const began = performance.now()
    const { id, label, models } = await work()
    const milliseconds = Math.round(performance.now() - began)
    return { id, label, milliseconds, offers: models, best: models[0] ? `${id}/${models[0].name}` : null }
  }

  const toldOf = (one: KeptConnection): Connection => ({
    id: one.id,
    label: one.label,
    url: one.url,
    ending: endingOf(one.key),
    from: 'app',
    models: one.models.length,
    refusedAt: refused.get(one.id) ?? null,
  })

  const watched = (model: Model): Model => ({ ...model, stream: (request) => noticing(model, request) })
  async function* noticing(model: Model, request: ModelRequest) {
    const id = model.id.slice(0, model.id.indexOf('/'))
    try {
      for await (const event of model.stream(request)) {
        if (event.type === 'text' || event.type === 'finish') refused.delete(id)
        yield event
      }
    } catch (error) {
      if (ModelError.is(error) && error.code === 'unauthorized') refused.set(id, new Date(line.now()).toISOString())
      throw error
    }
  }

  const models: Models = {
    get usual() {
      return opened.usual
    },
    list: () => opened.list(),
    find: async (id) => watched(await opened.find(id)),
    upstream: (wire, model) => opened.upstream?.(wire, model) ?? null,
    ...(config.hop !== undefined && { hop: config.hop }),
  }

  const connections: Connections = {
    list: async () => [...kept.connections.map(toldOf), ...settledIn(config, kept, refused)],

    async local() {
      const { ollama, lmstudio } = config.providers ?? {}
      const at = (given: { readonly baseUrl: string } | false | undefined, usual: string) =>
        given === false ? null : (given?.baseUrl ?? usual).replace(/\/+$/, '')
      const [ollamaUrl, lmStudioUrl] = [at(ollama, usualAddress.ollama), at(lmstudio, usualAddress.lmstudio)]
      const [first, second] = await Promise.all([
        ollamaUrl === null ? null : detectOllama(ollamaUrl, look),
        lmStudioUrl === null ? null : detectLmStudio(lmStudioUrl, look),
      ])
      const names = (found: readonly { readonly name: string }[]) => found.map(({ name }) => name)
      return [
        ...(first ? [{ id: 'ollama', label: 'Ollama', models: names(first) } as const] : []),
        ...(second ? [{ id: 'lmstudio', label: 'LM Studio', models: names(second) } as const] : []),
      ]
    },

    test: (request) => timed(() => reach(request)),

    add: (request) =>
      change(async (now) => {
        const made = { ...(await reach(request)), at: new Date(line.now()).toISOString() }
        refused.delete(made.id)
        const others = now.connections.filter(({ id }) => id !== made.id)
        return { next: { ...now, connections: [...others, made] }, made: toldOf(made) }
      }),

    async offers(id) {
      const one = kept.connections.find((connection) => connection.id === id)
      if (!one) return null
      const { key, url } = one
      const again = url === null ? { pasted: key ?? '', provider: id } : { pasted: url, key: key ?? undefined }
      try {
        return await timed(() => reach(again))
      } catch (error) {
        if (ModelError.is(error) && error.code === 'unauthorized') refused.set(id, new Date(line.now()).toISOString())
        throw error
      }
    },

    remove: (id) =>
      change(async (now) => {
        const connections = now.connections.filter((one) => one.id !== id)
        const isUsed = now.model?.startsWith(`${id}/`) === true
        refused.delete(id)
        return {
          next: { ...now, connections, model: isUsed ? null : now.model },
          made: connections.length < now.connections.length,
        }
      }),

    async use(model) {
      await opened.find(model)
      await change(async (now) => ({ next: { ...now, model }, made: undefined }))
    },
  }
  return { models, connections }
}

/** Those that are good to begin with first, the others as the provider lists them. */
function ranked(provider: string, offers: readonly ModelOffer[]): ModelOffer[] {
  const names = known[provider] ?? []
  const rank = ({ name }: ModelOffer): number => {
    const at = names.findIndex((one) => name === one || name.startsWith(`${one}-2`))
    return at === -1 ? names.length : at
  }
  return [...offers].sort((one, other) => rank(one) - rank(other))
}

/** The providers whose keys can be pasted, for who has to choose. */
export const pasteable = knownProviders.map(({ id, label }) => ({ id, label }))
