/** The test side of the server that `setup.ts` keeps. */
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { ask } from '../lib/shared.js'
import type { Postgres } from './setup.js'

/** Starts the server at the first call of the run; says why when there is none. */
export const askServer = (): Promise<Postgres> => ask(inject('postgres'))

/** How a schema is opened: `npm run store:suite -- --distribute` spreads its tables over the servers of a Citus. */
export const migrate = process.env.TEST_DISTRIBUTE ? 'distribute' : true

export const freshSchema = (): string => `test_${randomBytes(8).toString('hex')}`

/** A connection without the store. */
export interface Raw {
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>
  /** With the setting that row level security asks for. */
  inWorkspace(workspace: string, sql: string, values?: readonly unknown[]): Promise<void>
  end(): Promise<void>
}

/** Names the workspace of a transaction to the server, and to those it asks if it is a Citus. */
export const named = (workspace: string): string =>
  `set local citus.propagate_set_commands to 'local'; set local throughline.workspace to ${pg.escapeLiteral(workspace)}`

export async function rawClient(url: string): Promise<Raw> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  const query: Raw['query'] = async (sql, values = []) => (await client.query(sql, [...values])).rows
  return {
    query,
    async inWorkspace(workspace, sql, values) {
      await query('begin')
      await query(named(workspace))
      await query(sql, values)
      await query('commit')
    },
    end: () => client.end(),
  }
}
