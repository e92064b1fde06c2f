/** The log in PostgreSQL, for any number of processes. */
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { gated } from '../around/gated.js'
import type { Store } from '../contract/store.js'
import { createLibrary } from '../search/library.js'
import { refusal } from '../shared/refuse.js'
import { postgresBranches } from './branches.js'
import { postgresCommits } from './commit.js'
import { postgresConversations } from './conversations.js'
import { postgresDrafts } from './drafts.js'
import { type Driver, driverOf, driverWithin, openPool } from './driver.js'
import { postgresEntries } from './entries.js'
import { postgresEvents } from './events.js'
import { postgresFiles } from './files.js'
import { type Listen, listenTo } from './listen.js'
import { meaningOf, postgresEmbedding } from './meaning.js'
import { migratePostgres } from './migrate.js'
import { preparePgvector } from './pgvector.js'
import { blobs, receipts } from './records.js'
import { postgresSearching } from './search.js'
import { postgresSheets } from './sheets.js'
import { postgresReindexing } from './take-in.js'

/** A server by its parts, as `pg` takes them; a URL does as well. */
export interface PostgresServer {
  readonly connectionString?: string
  readonly host?: string
  readonly port?: number
  readonly database?: string
  readonly user?: string
  readonly password?: string | (() => string | Promise<string>)
  /** As Node's own TLS takes it; `rejectUnauthorized: false` trusts any server. */
  readonly ssl?:
    | boolean
    | {
        readonly ca?: string
        readonly cert?: string
        readonly key?: string
        readonly passphrase?: string
        readonly servername?: string
        readonly rejectUnauthorized?: boolean
      }
}

/** A pool of `pg` that the caller has and keeps: the store ends none of its connections. */
export interface PostgresPool {
  readonly pool: PgPool
}

/** `Pool` of `pg`, as far as it is used. */
export interface PgPool {
  connect(): Promise<PgClient>
  readonly options: object
}

/** A client of `pg`: what `pool.connect()` gives. */
export interface PgClient {
  release(error?: boolean | Error): void
}

/** Where the tables are, and how the server is asked. */
export interface PostgresOptions {
  /** Where the tables are; made if it is not there. */
  readonly schema?: string
  /** Connections at most, for this process. */
  readonly poolSize?: number
  /** How long one statement may take, waiting included. */
  readonly timeoutSeconds?: number
  /**
   * False for a schema that someone else migrates, by `migrationSql`: one of another format is refused. `distribute` also
   * spreads the tables over the servers of a Citus, by workspace; stores that are open must be opened anew.
   */
  readonly migrate?: boolean | 'distribute'
}

/** A store in PostgreSQL, for any number of processes. */
export interface PostgresStore extends Store {
  /**
   * The store inside a transaction that the caller has begun: what is written commits with the caller's own tables, or
   * not at all. A refusal undoes the call alone. It tells no listeners, and its promises are kept one after another.
   *
   * @example
   * ```ts
   * await client.query('begin')
   * await client.query('insert into orders ...')
   * await store.within(client).append('shop', 'c1', entries, { branch: 'main', at })
   * await client.query('commit')
   * ```
   */
  within(client: PgClient): Store
}

/**
 * Opens the log in PostgreSQL: brings the schema up to date, or refuses with `newer_format`.
 *
 * @example
 * ```ts
 * const store = await postgresStore(process.env.DATABASE_URL)
 * const inside = await postgresStore({ pool }, { schema: 'chat', migrate: false })
 * ```
 */
export async function postgresStore(
  server: string | PostgresServer | PostgresPool,
  options: PostgresOptions = {},
): Promise<PostgresStore> {
  const settings = { schema: 'throughline', poolSize: 10, timeoutSeconds: 30, migrate: true, ...options }
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(settings.schema))
    throw refusal('invalid', 'the schema must be a plain lower-case name', { field: 'schema', value: settings.schema })
  const given = typeof server === 'object' && 'pool' in server ? (server.pool as Pool) : null
  const config: PoolConfig = given
    ? given.options
    : typeof server === 'string'
      ? { connectionString: server }
      : (server as PostgresServer)
  const pool = given ?? (await openPool(config, settings))
  let distributed: boolean
  let pgvector: string | null
  try {
    const how = settings.migrate === true ? 'climb' : settings.migrate || 'check'
    distributed = await migratePostgres(pool, settings.schema, how)
    pgvector = await preparePgvector(pool, settings.schema, settings.migrate !== false)
  } catch (error) {
    if (!given) await pool.end()
    throw error
  }
  const known = { ...settings, distributed }
  const driver = driverOf(pool, known, given === null)
  const library = createLibrary()
  const listen = listenTo(config, settings.schema)
  const silent: Listen = { ...listen, watch: () => () => {}, ring: () => {}, close: async () => {} }
  return {
    ...storeOn(driver, listen),
    within: (client) => storeOn(driverWithin(client as PoolClient, known), silent),
  }

  function storeOn(driver: Driver, listen: Listen): Store {
    return gated({
      ...postgresConversations(driver, listen.channel),
      ...postgresEntries(driver),
      ...postgresBranches(driver),
      ...postgresDrafts(driver),
      ...blobs(driver),
      ...receipts(driver),
      ...postgresCommits(driver, listen),
      ...postgresEvents(driver, listen),
      ...postgresFiles(driver),
      ...postgresSearching(driver, meaningOf(driver, library, pgvector)),
      ...postgresEmbedding(driver, library),
      ...postgresReindexing(driver),
      ...postgresSheets(driver),
      async close() {
        await Promise.all([listen.close(), driver.close()])
      },
    })
  }
}
