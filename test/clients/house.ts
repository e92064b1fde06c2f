/** A service with a provider behind it, as the clients of the world find it. */
import { check } from '../../src/core/rules/check.js'
import { modelAt } from '../../src/models/models.fixture.js'
import { type Host, type HostOptions, startService } from '../http/host.js'
import { modelsOf } from '../http/live-models.js'
import type { Answer, Wire } from '../provider/answer.js'
import { type Provider, type Recorded, startProvider } from '../provider/server.js'

export interface House extends Host {
  readonly provider: Provider
  /** The one model that answers. */
  readonly model: string
  /** What is said from now on. */
  says(answer: Answer | ((request: Recorded) => Answer)): void
  /** The last request that went upstream, as text. */
  heard(): string
  /** Rules of the provider that any request so far broke. */
  faults(): unknown[]
}

export async function openHouse(wire: Wire = 'openai-chat', options: HostOptions = {}): Promise<House> {
  const provider = await startProvider({ answer: { text: 'Hello there.' }, models: ['llama3.2'] })
  const model = await modelAt(wire, provider.url, { silenceMs: 20_000 })
  const host = await startService({ store: 'sqlite', models: modelsOf(model), ...options })
  return {
    ...host,
    provider,
    model: model.id,
    says: (answer) => provider.set({ answer, fault: null }),
    heard: () => JSON.stringify(provider.requests.findLast(({ body }) => !isAside(body))?.body ?? null),
    // Ollama's own wire has no written rules
    faults() {
      if (provider.requests.length === 0) throw new Error('nothing went upstream')
      return wire === 'ollama' ? [] : provider.requests.flatMap(({ body }) => check(model.target, body))
    },
    async stop() {
      await host.stop()
      await provider.close()
    },
  }
}

/** Notes of what no longer fits are asked for on the side, and are no answer to a client. */
const isAside = (body: unknown): boolean => JSON.stringify(body).includes('You keep the minutes of a conversation.')

/** What a client was given and what it must not have been: an error of this class. */
export async function thrown(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
