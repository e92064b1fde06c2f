/** The log in PostgreSQL, for any number of processes. */
import type { Store } from '../contract.js'
import { gated } from '../gated.js'
import { createLibrary } from '../library.js'
import { refusal } from '../refuse.js'
import { branches } from './branches.js'
import { commits } from './commit.js'
import { conversations } from './conversations.js'
import { drafts } from './drafts.js'
import { driverOf, openPool } from './driver.js'
import { entries } from './entries.js'
import { events } from './events.js'
import { files } from './files.js'
import { listenTo } from './listen.js'
import { embedding, meaningOf } from './meaning.js'
import { migrate } from './migrate.js'
import { preparePgvector } from './pgvector.js'
import { blobs, receipts } from './records.js'
import { searching } from './search.js'
import { reindexing } from './take-in.js'

export interface PostgresServer {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly user?: string
  readonly password?: string | (() => string | Promise<string>)
  readonly ssl?: boolean | { readonly ca?: string; readonly cert?: string; readonly key?: string }
}

export interface PostgresOptions {
  /** Where the tables are; made if it is not there. */
  readonly schema?: string
  /** Connections at most, for this process. */
  readonly poolSize?: number
  /** How long one statement may take, waiting included. */
  readonly timeoutSeconds?: number
}

/** Brings the schema up to date, or refuses with `newer_format`. */
export async function postgresStore(server: string | PostgresServer, options: PostgresOptions = {}): Promise<Store> {
  const settings = { schema: 'throughline', poolSize: 10, timeoutSeconds: 30, ...options }
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(settings.schema))
    throw refusal('invalid', 'the schema must be a plain lower-case name', { field: 'schema', value: settings.schema })
  const config = typeof server === 'string' ? { connectionString: server } : server
  const pool = await openPool(config, settings)
  const driver = driverOf(pool, settings)
  let pgvector: string | null
  try {
    await migrate(pool, settings.schema)
    pgvector = await preparePgvector(pool, settings.schema)
  } catch (error) {
    await driver.close()
    throw error
  }
  const library = createLibrary()
  const listen = listenTo(config, settings.schema)
  return gated({
    ...conversations(driver),
    ...entries(driver),
    ...branches(driver),
    ...drafts(driver),
    ...blobs(driver),
    ...receipts(driver),
    ...commits(driver, listen),
    ...events(driver, listen),
    ...files(driver),
    ...searching(driver, meaningOf(driver, library, pgvector)),
    ...embedding(driver, library),
    ...reindexing(driver),
    async close() {
      await Promise.all([listen.close(), driver.close()])
    },
  })
}
