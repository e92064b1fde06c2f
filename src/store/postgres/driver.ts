/**
 * Transactions on a pool. Statements of one transaction that do not need each other's answers travel together: a read is
 * one round trip, a write one or two.
 */
import type { Writable } from 'node:stream'
import type { Pool, PoolClient, PoolConfig, QueryResult } from 'pg'
import { refusal } from '../refuse.js'
import { failureOf } from './failure.js'
import * as sql from './statements.js'

export type Row = Readonly<Record<string, unknown>>
export type Result = QueryResult<Row>
export type Call = readonly [statement: sql.Statement, values: readonly unknown[]]

/** What a write has come to: the last statements, sent with the commit, and what to answer once they have committed. */
export interface Outcome<T> {
  readonly calls: readonly Call[]
  readonly answer: T
}

export interface Driver {
  /** One round trip, one snapshot. */
  read(workspace: string, ...calls: readonly Call[]): Promise<readonly Result[]>
  /** One round trip, all or nothing. */
  once(workspace: string, ...calls: readonly Call[]): Promise<readonly Result[]>
  /** Asks first, then decides what to write; a refusal thrown by `decide` undoes all of it. */
  write<T>(workspace: string, first: readonly Call[], decide: Decide<T>): Promise<T>
  close(): Promise<void>
}

/** More statements of the same transaction. */
export type Ask = (...calls: readonly Call[]) => Promise<readonly Result[]>

export type Decide<T> = (results: readonly Result[], ask: Ask) => Outcome<T> | Promise<Outcome<T>>

export interface Settings {
  readonly schema: string
  readonly poolSize: number
  /** For one statement, the wait for a lock included. */
  readonly timeoutSeconds: number
}

const begin: Call = [{ text: 'begin' }, []]
const beginRead: Call = [{ text: 'begin isolation level repeatable read, read only' }, []]
const commit: Call = [{ text: 'commit' }, []]
const rollback: Call = [{ text: 'rollback' }, []]

export async function openPool(server: PoolConfig, { poolSize, timeoutSeconds }: Settings): Promise<Pool> {
  const pg = await import('pg')
  const pool = new pg.default.Pool({
    application_name: 'throughline',
    keepAlive: true,
    connectionTimeoutMillis: timeoutSeconds * 1_000,
    ...server,
    max: poolSize,
    pipeline: true,
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

export function driverOf(pool: Pool, { schema, timeoutSeconds }: Settings): Driver {
  const path = `"${schema}", pg_temp`
  const timeout = String(timeoutSeconds * 1_000)
  const scope = (workspace: string): Call => [sql.scope, [path, workspace, timeout]]
  let closing: Promise<void> | undefined

  const whole = async (opening: Call, workspace: string, calls: readonly Call[]) => {
    const results = await withClient(pool, (client) => send(client, [opening, scope(workspace), ...calls, commit]))
    return committed(results).slice(2, -1)
  }

  return {
    read: (workspace, ...calls) => whole(beginRead, workspace, calls),
    once: (workspace, ...calls) => whole(begin, workspace, calls),
    write: (workspace, first, decide) =>
      withClient(pool, async (client) => {
        const results = await send(client, [begin, scope(workspace), ...first])
        const { calls, answer } = await decide(results.slice(2), (...more) => send(client, more))
        committed(await send(client, [...calls, commit]))
        return answer
      }),
    close: () => {
      closing ??= pool.end()
      return closing
    },
  }
}

/** A client goes back to the pool only after a clean end; whatever else happened to it, it is closed. */
async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  let client: PoolClient
  try {
    client = await pool.connect()
  } catch (cause) {
    throw failureOf(cause)
  }
  try {
    const done = await work(client)
    client.release()
    return done
  } catch (cause) {
    const failure = failureOf(cause)
    const clean = failure === cause && (await send(client, [rollback]).then(Boolean, () => false))
    client.release(!clean)
    throw failure
  }
}

/** The socket below a client: `pg` says so in no type, and has it so in every version. */
interface Wired {
  readonly connection: { readonly stream: Writable }
}

/** All of them are written at once, and all answers are waited for, so that none is left for the next user. */
async function send(client: PoolClient, calls: readonly Call[]): Promise<readonly Result[]> {
  const { stream } = (client as unknown as Wired).connection
  stream.cork()
  const sent = calls.map(([statement, values]) => client.query<Row>({ ...statement, values: [...values] }))
  stream.uncork()
  const settled = await Promise.allSettled(sent)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}

/** The server answers `commit` with ROLLBACK when the transaction had failed. */
function committed(results: readonly Result[]): readonly Result[] {
  if (results.at(-1)?.command === 'COMMIT') return results
  throw refusal('unavailable', 'the transaction was not committed')
}
