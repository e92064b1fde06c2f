// SQLite files: ours, a plain table, Mastra's LibSQLStore, LangGraph's SqliteSaver.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { DatabaseSync, isBuiltIn } from './sqlite.mjs'
import { enough, fillerId, fillerLength, rawAt } from './store-data.mjs'
import { ourSide } from './store-ours.mjs'
import { langgraphSide, mastraSide, versionOf } from './store-peers.mjs'

export async function openSqlite() {
  const folder = await mkdtemp(join(tmpdir(), 'throughline-bench-'))
  return {
    sides: {
      raw: () => raw(join(folder, 'raw.db')),
      ours: () => ours(join(folder, 'ours.db')),
      mastra: () => mastra(join(folder, 'mastra.db')),
      langgraph: () => langgraph(join(folder, 'langgraph.db')),
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** For loading and looking: through the library that has the file open, since two in one process undo each other's locks. */
const aside = (file) => {
  const db = new DatabaseSync(file)
  db.exec(
    'pragma busy_timeout = 10000; pragma synchronous = off; pragma cache_size = -400000; pragma foreign_keys = off',
  )
  return { all: async (sql) => db.prepare(sql).all(), close: () => db.close() }
}

async function bytesOf({ all }) {
  const value = async (name) => Number(Object.values((await all(`pragma ${name}`))[0])[0])
  return ((await value('page_count')) - (await value('freelist_count'))) * (await value('page_size'))
}

/** A driver may lower it behind the caller's back with the first write. */
async function checkFull({ all }) {
  const [{ synchronous }] = await all('pragma synchronous')
  if (Number(synchronous) !== 2) throw new Error(`synchronous is ${synchronous}, not FULL`)
}

/** The log of changes keeps its size: where it has to grow again, each commit waits for that as well. */
const rewind = ({ all }) => all('pragma wal_checkpoint(restart)')

const numbers = (count) =>
  `with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})`

/** Copies of the rows that the first filler has, under other names; `changed` gives SQL for the columns that differ. */
async function copy({ all }, table, count, where, changed, order = 'n, rowid') {
  const columns = await all(`select name from pragma_table_info('${table}')`)
  const names = columns.map(({ name }) => `"${name}"`)
  const values = columns.map(({ name }) => changed[name] ?? `"${name}"`)
  await all(`${numbers(count)} insert into ${table} (${names}) select ${values} from number cross join ${table}
    where ${where} order by ${order}`)
}

const nameOf = "printf('filler-%05d', n)"

async function ours(file) {
  const store = await sqliteStore(file)
  const side = ourSide(store)
  return {
    ...side,
    name: 'Throughline',
    version: `SQLite through ${isBuiltIn ? 'node:sqlite' : versionOf('@photostructure/sqlite', '../..')}`,
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const db = aside(file)
      const mine = `conversation_id = '${fillerId(0)}'`
      await db.all('begin immediate')
      await copy(db, 'conversation', fillers - 1, `id = '${fillerId(0)}'`, { id: nameOf })
      await copy(db, 'entry', fillers - 1, mine, { conversation_id: nameOf })
      await copy(db, 'branch', fillers - 1, mine, { conversation_id: nameOf }, 'n')
      await db.all('commit')
      await rewind(db)
      db.close()
    },
    bytes: async () => {
      const db = aside(file)
      const bytes = await bytesOf(db)
      db.close()
      return bytes
    },
    close: () => store.close(),
  }
}

function raw(file) {
  const db = new DatabaseSync(file)
  db.exec(`pragma auto_vacuum = incremental; pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;
    pragma secure_delete = on; pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 16777216;
    pragma cache_size = -16000;
    create table message (conversation text not null, seq integer not null, data text not null, primary key (conversation, seq))`)
  const insert = db.prepare('insert into message (conversation, seq, data) values (?, ?, ?)')
  const select = db.prepare(`select data from message where conversation = ? order by seq desc limit ${enough}`)
  const all = async (sql) => db.prepare(sql).all()
  return {
    name: 'raw insert, one row found by conversation and number',
    windowName: `raw select of the newest ${enough} rows`,
    async loadAll({ total }) {
      const copies = Math.min(total, 100_000) / fillerLength - 1
      db.exec('begin')
      for (let index = 0; index < fillerLength; index++) insert.run(fillerId(0), index, rawAt(fillerLength, index, []))
      db.exec(`${numbers(copies)} insert into message (conversation, seq, data)
        select ${nameOf}, seq, data from number cross join message where conversation = '${fillerId(0)}'; commit`)
      await rewind({ all })
      await checkFull({ all })
    },
    append: ({ id, length }, index) => {
      const data = rawAt(length, index, [])
      return () => {
        insert.run(id, index, data)
      }
    },
    window: () => () => {
      select.all(fillerId(1)).length
    },
    close: () => db.close(),
  }
}

async function mastra(file) {
  const { LibSQLStore } = await import('@mastra/libsql')
  const store = new LibSQLStore({ id: 'bench', url: `file:${file}` })
  await store.init()
  const side = mastraSide(store, await store.getStore('memory'))
  const db = { all: async (sql) => (await store.client.execute(sql)).rows }
  return {
    ...side,
    name: 'Mastra LibSQLStore',
    version: versionOf('@mastra/libsql'),
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const mine = `thread_id = '${fillerId(0)}'`
      await copy(db, 'mastra_threads', fillers - 1, `id = '${fillerId(0)}'`, { id: nameOf })
      await copy(db, 'mastra_messages', fillers - 1, mine, { id: "id || '-' || n", thread_id: nameOf })
      await db.all('pragma wal_checkpoint(truncate)')
    },
    bytes: () => bytesOf(db),
    close: () => store.close?.(),
  }
}

async function langgraph(file) {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  const saver = SqliteSaver.fromConnString(file)
  saver.setup()
  saver.db.pragma('synchronous = full')
  const side = langgraphSide(saver)
  const db = {
    async all(sql) {
      const statement = saver.db.prepare(sql)
      return statement.reader ? statement.all() : statement.run()
    },
  }
  return {
    ...side,
    name: 'LangGraph SqliteSaver',
    version: `${versionOf('@langchain/langgraph-checkpoint-sqlite')} on ${versionOf('better-sqlite3')}`,
    few: true,
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      await copy(db, 'checkpoints', Math.ceil(fillers / 10), `thread_id = '${fillerId(0)}'`, { thread_id: nameOf })
      await db.all('pragma wal_checkpoint(truncate)')
      await checkFull(db)
    },
    bytes: () => bytesOf(db),
    close: () => saver.db.close(),
  }
}
