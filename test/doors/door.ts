/** The service as `throughline serve` builds it from its settings, on a port of its own: the door a specification's holder finds. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildService } from '../../src/cli/serve/build.js'
import { loadConfig } from '../../src/config/load.js'
import { openLog } from '../../src/http/telemetry/log.js'
import { openTelemetry } from '../../src/http/telemetry/telemetry.js'
import { watchModels } from '../../src/http/telemetry/watch-models.js'
import { watchStore } from '../../src/http/telemetry/watch-store.js'
import { openConnections } from '../../src/models/connect/connections.js'
import type { Model } from '../../src/models/wire/contract.js'
import { usualFinder } from '../../src/recall/usual.js'
import type { Store } from '../../src/store/contract/store.js'
import { postgresStore } from '../../src/store/postgres/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import { type Answered, type CallOptions, callOf, listen } from '../http/host.js'
import { modelsOf } from '../http/live-models.js'
import { askServer, freshSchema } from '../postgres/database.js'

export interface Door {
  readonly url: string
  readonly store: Store
  call(method: string, path: string, options?: CallOptions): Promise<Answered>
  /** The lines of the log with this event, as an operator reads them. */
  logged(event: string): Readonly<Record<string, unknown>>[]
  metrics(): string
  close(): Promise<void>
}

export interface DoorOptions {
  readonly store: Store
  readonly models?: readonly Model[]
  /** Environment variables. */
  readonly env?: Readonly<Record<string, string>>
}

export async function openDoor({ store, models = [], env = {} }: DoorOptions): Promise<Door> {
  const settled = loadConfig({ env })
  const lines: string[] = []
  const { log_session_ids: sessionIds } = settled.config
  const log = openLog({ level: 'info', form: 'json', write: (line) => lines.push(line), sessionIds })
  const telemetry = openTelemetry(log)
  const { connections } = await openConnections({ config: { providers: {} }, file: null })
  let url: string | null = null
  const { service } = await buildService({
    settled,
    store: watchStore(store, telemetry),
    models: watchModels(modelsOf(...models), telemetry),
    connections,
    finder: usualFinder,
    access: { auth: { mode: 'open' }, keys: [] },
    telemetry,
    url: () => url,
  })
  const server = await listen(service)
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const at = url
  return {
    url,
    store,
    call: (method, path, options = {}) => callOf(at, method, path, options),
    logged: (event) =>
      lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line.event === event),
    metrics: telemetry.metrics.text,
    async close() {
      await service.close(1_000)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Database = 'sqlite' | 'postgres'

/** A database that several servers share; null where it cannot be had. */
export async function openDatabase(
  kind: Database,
): Promise<{ readonly connect: () => Promise<Store>; readonly end: () => Promise<void> } | null> {
  const opened: Store[] = []
  const remember = async (store: Promise<Store>): Promise<Store> => {
    opened.push(await store)
    return store
  }
  const closeAll = () => Promise.all(opened.map((store) => store.close()))
  if (kind === 'postgres') {
    const server = await askServer()
    if ('reason' in server) return null
    const schema = freshSchema()
    return {
      connect: () => remember(postgresStore(server.url, { schema })),
      end: async () => void (await closeAll()),
    }
  }
  const folder = await mkdtemp(join(tmpdir(), 'throughline-doors-'))
  return {
    connect: () => remember(sqliteStore(join(folder, 'log.db'))),
    async end() {
      await closeAll()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
