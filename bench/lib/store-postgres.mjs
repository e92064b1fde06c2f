// One real PostgreSQL for everyone, each in a schema of its own: ours, a plain table, Mastra's PostgresStore, LangGraph's
// PostgresSaver. Everyone connects as the same role, which is no superuser: row level security counts.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { postgresStore } from '../../dist/store/postgres/index.js'
import { enough, fillerId, fillerLength, rawAt } from './store-data.mjs'
import { ourSide } from './store-ours.mjs'
import { langgraphSide, mastraSide, versionOf } from './store-peers.mjs'

// the one that ours takes, too
const pg = createRequire(new URL('../../package.json', import.meta.url))('pg')

export async function openPostgres() {
  const server = await startPostgres()
  const first = new pg.Client(server.url)
  await first.connect()
  const { version } = (await first.query("select current_setting('server_version') as version")).rows[0]
  const { sync } = (
    await first.query("select current_setting('fsync') || ', ' || current_setting('synchronous_commit') as sync")
  ).rows[0]
  await first.query("create role bench login password 'bench'")
  await first.query('create database bench owner bench')
  await first.end()
  const url = server.url.replace('postgres:postgres@', 'bench:bench@').replace(/\/postgres$/, '/bench')
  const admin = new pg.Client(server.url.replace(/\/postgres$/, '/bench'))
  await admin.connect()
  // for loading only: nothing is waited for, and what is copied needs no check
  await admin.query('set synchronous_commit = off')
  await admin.query('set session_replication_role = replica')
  return {
    version: `PostgreSQL ${version} (fsync and synchronous_commit: ${sync})`,
    sides: {
      raw: () => raw(url, admin),
      ours: () => ours(url, admin),
      mastra: () => mastra(url, admin),
      langgraph: () => langgraph(url, admin),
    },
    close: async () => {
      await admin.end()
      await server.stop()
    },
  }
}

/** It ends when its standard input does, whatever happens to this process. */
export async function startPostgres() {
  const script = fileURLToPath(new URL('../../test/postgres/keeper.mjs', import.meta.url))
  const keeper = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = new Promise((resolve) => keeper.once('exit', resolve))
  const { value } = await createInterface({ input: keeper.stdout })[Symbol.asyncIterator]().next()
  const said = value === undefined ? { failed: 'the keeper of the server ended' } : JSON.parse(value)
  const stop = () => {
    keeper.stdin.end()
    return gone
  }
  if (said.failed === undefined) return { url: said.url, stop }
  await stop()
  throw new Error(said.failed)
}

const bytesOf = async (admin, schema) => {
  const found = await admin.query(
    `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relkind = 'r'`,
    [schema],
  )
  return Number(found.rows[0].bytes)
}

/** Copies of the rows that the first filler has, under other names. */
async function copy(admin, schema, table, count, where, changed) {
  const found = await admin.query(
    `select column_name as name from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_generated = 'NEVER' order by ordinal_position`,
    [schema, table],
  )
  const names = found.rows.map(({ name }) => `"${name}"`)
  const values = found.rows.map(({ name }) => changed[name] ?? `"${name}"`)
  await admin.query(`insert into "${schema}"."${table}" (${names}) select ${values}
    from generate_series(1, ${count}) as n cross join "${schema}"."${table}" where ${where}`)
}

const settle = async (admin, schema) => {
  const found = await admin.query('select tablename from pg_tables where schemaname = $1', [schema])
  for (const { tablename } of found.rows) await admin.query(`vacuum analyze "${schema}"."${tablename}"`)
}

const nameOf = "'filler-' || lpad(n::text, 5, '0')"

async function ours(url, admin) {
  const schema = 'throughline'
  const store = await postgresStore(url, { schema })
  const side = ourSide(store)
  return {
    ...side,
    name: 'Throughline',
    version: versionOf('pg', '../..'),
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const mine = `conversation_id = '${fillerId(0)}'`
      await copy(admin, schema, 'conversation', fillers - 1, `id = '${fillerId(0)}'`, { id: nameOf })
      await copy(admin, schema, 'entry', fillers - 1, mine, { conversation_id: nameOf })
      await copy(admin, schema, 'branch', fillers - 1, mine, { conversation_id: nameOf })
      await settle(admin, schema)
    },
    bytes: () => bytesOf(admin, schema),
    close: () => store.close(),
  }
}

async function raw(url, admin) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('create schema plain')
  await client.query('create table plain.message (id bigserial primary key, data text not null)')
  const insert = { name: 'insert', text: 'insert into plain.message (data) values ($1)' }
  const select = {
    name: 'select',
    text: `select data from plain.message where id <= $1 order by id desc limit ${enough}`,
  }
  return {
    name: 'raw insert, one row, one statement',
    stepName: '  begin, insert, commit',
    windowName: `raw select of the newest ${enough} rows`,
    async loadAll({ total }) {
      for (let index = 0; index < fillerLength; index++)
        await admin.query('insert into plain.message (data) values ($1)', [rawAt(fillerLength, index)])
      await admin.query(`insert into plain.message (data)
        select data from generate_series(1, ${Math.min(total, 100_000) / fillerLength - 1}) cross join plain.message`)
      await settle(admin, 'plain')
    },
    append: ({ length }, index) => {
      const values = [rawAt(length, index)]
      return () => client.query({ ...insert, values })
    },
    steps: ({ length }, index) => {
      const values = [rawAt(length, index)]
      return async () => {
        await client.query('begin')
        await client.query({ ...insert, values })
        await client.query('commit')
      }
    },
    window:
      ({ length }) =>
      () =>
        client.query({ ...select, values: [length] }),
    bytes: () => bytesOf(admin, 'plain'),
    close: () => client.end(),
  }
}

async function mastra(url, admin) {
  const { PostgresStore } = await import('@mastra/pg')
  const schema = 'mastra'
  const store = new PostgresStore({ id: 'bench', connectionString: url, schemaName: schema })
  await store.init()
  const side = mastraSide(store, await store.getStore('memory'))
  return {
    ...side,
    name: 'Mastra PostgresStore',
    version: versionOf('@mastra/pg'),
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      await copy(admin, schema, 'mastra_threads', fillers - 1, `id = '${fillerId(0)}'`, { id: nameOf })
      const mine = `thread_id = '${fillerId(0)}'`
      await copy(admin, schema, 'mastra_messages', fillers - 1, mine, { id: "id || '-' || n", thread_id: nameOf })
      await settle(admin, schema)
    },
    bytes: () => bytesOf(admin, schema),
    close: () => store.close(),
  }
}

async function langgraph(url, admin) {
  const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres')
  const schema = 'langgraph'
  const saver = PostgresSaver.fromConnString(url, { schema })
  await saver.setup()
  const side = langgraphSide(saver)
  return {
    ...side,
    name: 'LangGraph PostgresSaver',
    version: versionOf('@langchain/langgraph-checkpoint-postgres'),
    few: true,
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const mine = `thread_id = '${fillerId(0)}'`
      for (const table of ['checkpoints', 'checkpoint_blobs'])
        await copy(admin, schema, table, Math.ceil(fillers / 10), mine, { thread_id: nameOf })
      await settle(admin, schema)
    },
    bytes: () => bytesOf(admin, schema),
    close: () => saver.end(),
  }
}
