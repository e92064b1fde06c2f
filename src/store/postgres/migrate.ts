/** Brings a schema to the format of this code, one process at a time, and leaves a newer one alone. */
import type { Pool, PoolClient } from 'pg'
import { refusal } from '../shared/refuse.js'
import { failureOf } from './failure.js'
import { steps } from './schema.js'

/** Row level security through views, `security_invoker`, begins with this one. */
const oldestServer = 150_000

/** `only: 'check'` refuses a schema that has not been migrated, and changes nothing. */
export async function migrate(pool: Pool, schema: string, only: 'check' | 'climb' = 'climb'): Promise<void> {
  let client: PoolClient
  try {
    client = await pool.connect()
  } catch (cause) {
    throw failureOf(cause)
  }
  try {
    await checkServer(client)
    const version = await versionOf(client, schema)
    if (version !== steps.length && only === 'check') throw unmigrated(schema, version)
    if (version !== steps.length) await climb(client, schema)
    client.release()
  } catch (cause) {
    client.release(true)
    throw failureOf(cause)
  }
}

const unmigrated = (schema: string, version: number) =>
  refusal('unprepared', `the schema "${schema}" has format ${version}, this code needs ${steps.length}`, {
    value: version,
    suggestion: `run the SQL of migrationSql({ schema: '${schema}', from: ${version} }), or open with migrate: true`,
  })

async function checkServer(client: PoolClient): Promise<void> {
  const { rows } = await client.query('show server_version_num')
  const version = Number(rows[0]?.server_version_num)
  if (version < oldestServer)
    throw refusal('unavailable', `PostgreSQL 15 or newer is needed, this is ${version / 10_000}`, { value: version })
}

async function climb(client: PoolClient, schema: string): Promise<void> {
  await client.query('begin')
  // "create … if not exists" of two processes at once can fail, so the lock comes first
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`throughline ${schema}`])
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (!rows[0]) await client.query(`create schema "${schema}"`)
  await client.query("select set_config('search_path', $1, true)", [`"${schema}", pg_temp`])
  await client.query('create table if not exists format (version integer not null)')
  const version = await versionOf(client, schema)
  for (const step of steps.slice(version)) await client.query(step)
  await client.query('with old as (delete from format) insert into format (version) values ($1)', [steps.length])
  await client.query('commit')
}

/** 0 when there is none yet. */
async function versionOf(client: PoolClient, schema: string): Promise<number> {
  const { rows } = await client.query('select to_regclass($1) is not null as here', [`"${schema}".format`])
  if (!rows[0]?.here) return 0
  const found = await client.query(`select version from "${schema}".format`)
  const version = Number(found.rows[0]?.version ?? 0)
  if (version > steps.length)
    throw refusal('newer_format', `the data has format ${version}, this code knows ${steps.length}`, { value: version })
  return version
}
