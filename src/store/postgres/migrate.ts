/** Brings a schema to the format of this code, one process at a time, and leaves a newer one alone. */
import type { Pool, PoolClient } from 'pg'
import { refusal } from '../shared/refuse.js'
import { postgresFailure } from './failure.js'
import { steps, tables } from './schema.js'

/** Row level security through views, `security_invoker`, begins with this one. */
const oldestServer = 150_000

/**
 * `check` refuses a schema that has not been migrated, and changes nothing; `distribute` also gives the tables to the servers
 * of a Citus. True when that was done, now or before.
 */
export async function migratePostgres(
  pool: Pool,
  schema: string,
  how: 'check' | 'climb' | 'distribute' = 'climb',
): Promise<boolean> {
  let client: PoolClient
  try {
    client = await pool.connect()
  } catch (cause) {
    throw postgresFailure(cause)
  }
  try {
    const citus = await checkServer(client)
    const version = await versionOf(client, schema)
    if (version !== steps.length && how === 'check') throw unmigrated(schema, version)
    if (version !== steps.length) await climb(client, schema)
    if (how === 'distribute' && !citus)
      throw refusal('unprepared', 'this database has no Citus', { suggestion: 'create extension citus, as superuser' })
    if (how === 'distribute') await distribute(client, schema)
    const distributed = citus && (await isDistributed(client, `"${schema}".conversation`))
    client.release()
    return distributed
  } catch (cause) {
    client.release(true)
    throw postgresFailure(cause)
  }
}

const unmigrated = (schema: string, version: number) =>
  refusal('unprepared', `the schema "${schema}" has format ${version}, this code needs ${steps.length}`, {
    value: version,
    suggestion: `run the SQL of migrationSql({ schema: '${schema}', from: ${version} }), or open with migrate: true`,
  })

/** True when it is a Citus. */
async function checkServer(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query(`select current_setting('server_version_num') as version,
    to_regclass('pg_catalog.pg_dist_partition') is not null as citus`)
  const version = Number(rows[0]?.version)
  if (version < oldestServer)
    throw refusal('unavailable', `PostgreSQL 15 or newer is needed, this is ${version / 10_000}`, { value: version })
  return rows[0]?.citus
}

/** Rows of a workspace stand together, on one server; the wall is lifted for the owner while they move. */
async function distribute(client: PoolClient, schema: string): Promise<void> {
  await begin(client, schema)
  for (const table of tables) {
    if (await isDistributed(client, table)) continue
    await client.query(`alter table ${table} no force row level security`)
    const beside = table === tables[0] ? 'none' : tables[0]
    await client.query("select create_distributed_table($1, 'workspace_id', colocate_with => $2)", [table, beside])
    await client.query(`alter table ${table} force row level security`)
  }
  await client.query('commit')
}

async function isDistributed(client: PoolClient, table: string): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_dist_partition where logicalrelid = to_regclass($1)', [table])
  return rows.length > 0
}

/** "create … if not exists" of two processes at once can fail, so the lock comes first. */
async function begin(client: PoolClient, schema: string): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`throughline ${schema}`])
  await client.query("select set_config('search_path', $1, true)", [`"${schema}", pg_temp`])
}

async function climb(client: PoolClient, schema: string): Promise<void> {
  await begin(client, schema)
  const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [schema])
  if (!rows[0]) await client.query(`create schema "${schema}"`)
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
