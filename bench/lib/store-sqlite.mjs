// SQLite files: ours, a plain table, Mastra's LibSQLStore, LangGraph's SqliteSaver.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '../../dist/store/sqlite/index.js'
import { enough, fillerId, fillerLength, rawAt } from './store-data.mjs'
import { ourSide } from './store-ours.mjs'
import { langgraphSide, mastraSide, versionOf } from './store-peers.mjs'

// the one that ours takes, too
const builtIn = process.getBuiltinModule?.('node:sqlite')
const sound = (engine) => {
  if (!engine) return false
  const database = new engine.DatabaseSync(':memory:')
  const [major, minor, patch] = database.prepare('select sqlite_version() as v').get().v.split('.').map(Number)
  database.close()
  return major * 1_000_000 + minor * 1_000 + patch >= 3_051_003
}
const { DatabaseSync } = sound(builtIn) ? builtIn : await import('@photostructure/sqlite')

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

/** For loading and looking only: it waits for nothing. */
function aside(file) {
  const db = new DatabaseSync(file)
  db.exec('pragma busy_timeout = 10000; pragma synchronous = off; pragma cache_size = -400000; pragma foreign_keys = off')
  return db
}

function bytesOf(file) {
  const db = aside(file)
  const value = (name) => Object.values(db.prepare(`pragma ${name}`).get())[0]
  const bytes = (value('page_count') - value('freelist_count')) * value('page_size')
  db.close()
  return bytes
}

const numbers = (count) => `with recursive number (n) as (select 1 union all select n + 1 from number where n < ${count})`

/** Copies of the rows that the first filler has, under other names; `changed` gives SQL for the columns that differ. */
function copy(db, table, count, where, changed) {
  const columns = db.prepare(`select name from pragma_table_info('${table}')`).all()
  const names = columns.map(({ name }) => `"${name}"`)
  const values = columns.map(({ name }) => changed[name] ?? `"${name}"`)
  db.exec(`${numbers(count)} insert into ${table} (${names}) select ${values} from number cross join ${table}
    where ${where} order by n, ${table}.rowid`)
}

const nameOf = "printf('filler-%05d', n)"

async function ours(file) {
  const store = await sqliteStore(file)
  const side = ourSide(store)
  return {
    ...side,
    name: 'Throughline',
    version: `SQLite through ${DatabaseSync === builtIn?.DatabaseSync ? 'node:sqlite' : versionOf('@photostructure/sqlite', '../..')}`,
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const db = aside(file)
      db.exec('begin immediate')
      copy(db, 'conversation', fillers - 1, `id = '${fillerId(0)}'`, { id: nameOf })
      copy(db, 'entry', fillers - 1, `conversation_id = '${fillerId(0)}'`, { conversation_id: nameOf })
      const branch = 'workspace_id, conversation_id, name, head_id, updated_at'
      db.exec(`${numbers(fillers - 1)} insert into branch (${branch})
        select workspace_id, ${nameOf}, name, head_id, updated_at from number cross join branch
        where conversation_id = '${fillerId(0)}'`)
      db.exec('commit')
      db.prepare('pragma wal_checkpoint(truncate)').get()
      db.close()
    },
    bytes: () => bytesOf(file),
    close: () => store.close(),
  }
}

function raw(file) {
  const db = new DatabaseSync(file)
  db.exec(`pragma auto_vacuum = incremental; pragma busy_timeout = 5000; pragma journal_mode = wal; pragma synchronous = full;
    pragma secure_delete = on; pragma wal_autocheckpoint = 2000; pragma cache_size = -16000;
    create table message (id integer primary key, data text not null)`)
  const insert = db.prepare('insert into message (data) values (?)')
  const select = db.prepare(`select data from message where id <= ? order by id desc limit ${enough}`)
  return {
    name: 'raw insert, one row',
    windowName: `raw select of the newest ${enough} rows`,
    async loadAll({ total }) {
      db.exec('begin')
      for (let index = 0; index < fillerLength; index++) insert.run(rawAt(fillerLength, index))
      db.exec(`${numbers(total / fillerLength - 1)} insert into message (data)
        select data from number cross join message where id <= ${fillerLength}; commit`)
    },
    append: ({ length }, index) => {
      const data = rawAt(length, index)
      return () => {
        insert.run(data)
      }
    },
    window:
      ({ length }) =>
      () => {
        select.all(length).length
      },
    bytes: () => bytesOf(file),
    close: () => db.close(),
  }
}

async function mastra(file) {
  const { LibSQLStore } = await import('@mastra/libsql')
  const store = new LibSQLStore({ id: 'bench', url: `file:${file}` })
  await store.init()
  const side = mastraSide(await store.getStore('memory'))
  return {
    ...side,
    name: 'Mastra LibSQLStore',
    note: 'synchronous = NORMAL: a commit does not wait for the disk',
    version: versionOf('@mastra/libsql'),
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const db = aside(file)
      db.exec('begin immediate')
      const mine = `thread_id = '${fillerId(0)}'`
      copy(db, 'mastra_threads', fillers - 1, `id = '${fillerId(0)}'`, { id: nameOf })
      copy(db, 'mastra_messages', fillers - 1, mine, { id: "id || '-' || n", thread_id: nameOf })
      db.exec('commit')
      db.prepare('pragma wal_checkpoint(truncate)').get()
      db.close()
    },
    bytes: () => bytesOf(file),
    close: () => store.close?.(),
  }
}

async function langgraph(file) {
  const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite')
  const saver = SqliteSaver.fromConnString(file)
  saver.setup()
  saver.db.pragma('synchronous = full')
  const side = langgraphSide(saver)
  return {
    ...side,
    name: 'LangGraph SqliteSaver',
    version: `${versionOf('@langchain/langgraph-checkpoint-sqlite')} on ${versionOf('better-sqlite3')}`,
    few: true,
    async loadAll({ conversations, fillers }) {
      for (const conversation of conversations) await side.load(conversation)
      await side.load({ id: fillerId(0), length: fillerLength })
      const db = aside(file)
      db.exec('begin immediate')
      copy(db, 'checkpoints', fillers - 1, `thread_id = '${fillerId(0)}'`, { thread_id: nameOf })
      db.exec('commit')
      db.prepare('pragma wal_checkpoint(truncate)').get()
      db.close()
    },
    bytes: () => bytesOf(file),
    close: () => saver.db.close(),
  }
}
