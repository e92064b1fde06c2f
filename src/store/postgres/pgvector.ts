/** Where the extension pgvector is installed in the database, it compares the vectors: no process has to hold them. */
import type { Pool, PoolClient } from 'pg'
import { postgresFailure } from './failure.js'

/** The schema of the extension, quoted; null when there is none. */
/** A column that may not be made is not used. */
export async function preparePgvector(pool: Pool, schema: string, make = true): Promise<string | null> {
  let client: PoolClient | undefined
  try {
    client = await pool.connect()
    const home = await homeOf(client)
    const ready = home !== null && (await hasColumn(client, schema))
    if (home !== null && !ready && make) await addColumn(client, schema, home)
    client.release()
    return ready || make ? home : null
  } catch (cause) {
    client?.release(true)
    throw postgresFailure(cause)
  }
}

async function homeOf(client: PoolClient): Promise<string | null> {
  const { rows } = await client.query(
    `select quote_ident(n.nspname) as home from pg_extension e join pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'vector'`,
  )
  return rows[0]?.home ?? null
}

async function hasColumn(client: PoolClient, schema: string): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from information_schema.columns
      where table_schema = $1 and table_name = 'search_vector' and column_name = 'embedding'`,
    [schema],
  )
  return rows.length > 0
}

/** Made from the bytes by the server itself, so that whoever writes them need not know of it. */
async function addColumn(client: PoolClient, schema: string, home: string): Promise<void> {
  await client.query('begin')
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`throughline ${schema}`])
  if (!(await hasColumn(client, schema))) {
    await client.query(`
      create or replace function "${schema}".vector_of(bytes bytea) returns ${home}.vector
        language sql immutable strict parallel safe as $$
          select array_agg((get_byte(bytes, i) # 128) - 128 order by i)::real[]::${home}.vector
            from generate_series(0, length(bytes) - 1) as i
            having bool_or(get_byte(bytes, i) <> 0)
        $$`)
    await client.query(`alter table "${schema}".search_vector
      add column embedding ${home}.vector generated always as ("${schema}".vector_of(vector)) stored`)
  }
  await client.query('commit')
}
