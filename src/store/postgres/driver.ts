/** Transactions on a pool, in as few round trips as they can be: a read is one, a write one or two. */
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { refusal } from '../shared/refuse.js'
import { type Call, type Result, send } from './batch.js'
import { postgresFailure } from './failure.js'
import * as sql from './sql/frame.js'
import type { Statement } from './sql/statement.js'

/** What a write has come to: the last statements, sent with the commit, and what to answer once they have committed. */
export interface WriteOutcome<T> {
  readonly calls: readonly Call[]
  readonly answer: T
}

export interface Driver {
  /** One round trip; each statement sees what has been committed when it begins. */
  read(workspace: string, ...calls: readonly Call[]): Promise<readonly Result[]>
  /** One round trip, all or nothing. */
  once(workspace: string, ...calls: readonly Call[]): Promise<readonly Result[]>
  /** Asks first, then decides what to write; a refusal thrown by `decide` undoes all of it. */
  write<T>(workspace: string, first: readonly Call[], decide: Decide<T>): Promise<T>
  close(): Promise<void>
}

/** More statements of the same transaction. */
export type More = (...calls: readonly Call[]) => Promise<readonly Result[]>

export type Decide<T> = (results: readonly Result[], ask: More) => WriteOutcome<T> | Promise<WriteOutcome<T>>

export interface DriverSettings {
  readonly schema: string
  readonly poolSize: number
  /** For one statement, the wait for a lock included. */
  readonly timeoutSeconds: number
  /** The tables are on other servers than the one that is asked (Citus). */
  readonly distributed?: boolean
}

export async function openPool(server: PoolConfig, { poolSize, timeoutSeconds }: DriverSettings): Promise<Pool> {
  const pg = await import('pg')
  const pool = new pg.default.Pool({
    application_name: 'throughline',
    keepAlive: true,
    connectionTimeoutMillis: timeoutSeconds * 1_000,
    ...server,
    max: poolSize,
    // the server's own limit comes first; this one is for a server that no longer answers at all
    query_timeout: timeoutSeconds * 1_000 + 5_000,
    types: { getTypeParser: parserOf },
  })
  // without listeners the loss of a connection would end the process
  pool.on('connect', (client) => client.on('error', ignore))
  pool.on('error', ignore)
  return pool

  // the process's own settings for types, which anyone can change, are left out of it
  function parserOf(oid: number, format?: 'text' | 'binary') {
    if (oid === oids.int8) return Number
    if (oid === oids.json) return String
    return pg.default.types.getTypeParser(oid, format)
  }
}

const oids = { int8: 20, json: 114 }
const ignore = (): void => {}

/** `owned`: the pool is ours to end. */
export function driverOf(pool: Pool, settings: DriverSettings, owned = true): Driver {
  const { distributed = false } = settings
  let closing: Promise<void> | undefined

  const whole = async (scope: Statement, workspace: string, calls: readonly Call[]) => {
    // other servers commit each statement by itself unless they are told that it is one of several
    const before = [...(distributed ? [begin] : []), ...scoped(settings, scope, workspace)]
    const all = [...before, ...told(settings, calls), ...(distributed ? [commit] : [])]
    const results = await withClient(pool, (client) => send(client, all))
    return results.slice(before.length, before.length + calls.length)
  }

  return {
    read: (workspace, ...calls) => whole(sql.readScope, workspace, calls),
    once: (workspace, ...calls) => whole(sql.writeScope, workspace, calls),
    write: (workspace, first, decide) =>
      withClient(pool, async (client) => {
        const before = [begin, ...scoped(settings, sql.talkScope, workspace)]
        const results = (await send(client, [...before, ...first])).slice(before.length)
        const { calls, answer } = await decide(results, (...more) => send(client, more))
        const done = await send(client, [...calls, commit])
        // a transaction that had failed is answered with ROLLBACK
        if (done.at(-1)?.command === 'COMMIT') return answer
        throw refusal('unavailable', 'the transaction was not committed')
      }),
    close: () => {
      closing ??= owned ? pool.end() : Promise.resolve()
      return closing
    },
  }
}

/** The statements of one connection follow one another. */
export function driverWithin(client: PoolClient, settings: DriverSettings): Driver {
  let last: Promise<unknown> = Promise.resolve()

  const run = async <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    const [before] = await send(client, [
      [sql.sessionSettings, []],
      [sql.holdCall, []],
    ]).catch(fail)
    const restore: Call = [sql.restore, [JSON.stringify(before?.rows[0] ?? {})]]
    try {
      await send(client, scoped(settings, sql.talkScope, workspace))
      const done = await work()
      await send(client, [restore, [sql.releaseCall, []]])
      return done
    } catch (cause) {
      // what the caller did before stays, and its settings come back with the savepoint
      await send(client, [[sql.undoCall, []]]).catch(fail)
      throw postgresFailure(cause)
    }
  }
  const inTurn = <T>(workspace: string, work: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => run(workspace, work))
    last = mine.catch(() => {})
    return mine
  }
  const plainly = (workspace: string, ...calls: readonly Call[]) =>
    inTurn(workspace, () => send(client, told(settings, calls)))
  return {
    read: plainly,
    once: plainly,
    write: (workspace, first, decide) =>
      inTurn(workspace, async () => {
        const results = await send(client, first)
        const { calls, answer } = await decide(results, (...more) => send(client, more))
        if (calls.length > 0) await send(client, calls)
        return answer
      }),
    close: async () => {},
  }
}

/** What a transaction begins with. A plan for any values cannot say on which server the rows are. */
function scoped({ schema, timeoutSeconds, distributed }: DriverSettings, scope: Statement, workspace: string): Call[] {
  const plans = distributed ? 'auto' : 'force_generic_plan'
  const named: Call[] = [
    [sql.tellServers, []],
    [sql.local('throughline.workspace', workspace), []],
  ]
  const own: Call = [scope, [`"${schema}", pg_temp`, workspace, String(timeoutSeconds * 1_000), plans]]
  return distributed ? [...named, own] : [own]
}

const told = ({ distributed }: DriverSettings, calls: readonly Call[]): readonly Call[] =>
  distributed
    ? calls.map((call) => (call[0] === sql.askWords ? [sql.local('throughline.words', String(call[1][0])), []] : call))
    : calls

function fail(cause: unknown): never {
  throw postgresFailure(cause)
}

const begin: Call = [sql.beginTransaction, []]
const commit: Call = [sql.commitWork, []]
const rollback: Call = [sql.rollbackTransaction, []]

/** A client goes back to the pool only after a clean end; whatever else happened to it, it is closed. */
async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient
  try {
    client = await pool.connect()
  } catch (cause) {
    throw postgresFailure(cause)
  }
  // a connection that is lost between two statements of a pool of the caller's would end the process
  client.on('error', ignore)
  try {
    const done = await work(client)
    client.off('error', ignore)
    client.release()
    return done
  } catch (cause) {
    const failure = postgresFailure(cause)
    const clean = failure === cause && (await send(client, [rollback]).then(Boolean, () => false))
    client.off('error', ignore)
    client.release(!clean)
    throw failure
  }
}
