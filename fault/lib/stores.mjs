// The stores of the build under test, and the one that must fail.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { jsonColumnStore } from '../control.mjs'

const load = (path) => import(pathToFileURL(join(process.env.THROUGHLINE_FAULT_DIST, 'store', path)).href)

export async function openStore(kind, target, options = {}) {
  if (kind === 'sqlite') return (await load('sqlite/index.js')).sqliteStore(target, options)
  if (kind === 'postgres') return (await load('postgres/index.js')).postgresStore(target, { ...given(), ...options })
  return jsonColumnStore(await openDatabase(target))
}

/** On a server that is given: where, and whether its tables are spread. */
function given() {
  const { FAULT_SCHEMA: schema, TEST_DISTRIBUTE } = process.env
  return schema ? { schema, migrate: TEST_DISTRIBUTE ? 'distribute' : true } : {}
}

/** The SQLite below the store. */
export const openDatabase = async (file) => (await load('sqlite/driver.js')).openDatabase(file)

/** The connection and the store on it, apart: for a rigged connection. */
export async function sqliteInternals() {
  const [{ openFile }, { storeOn }] = [await load('sqlite/open.js'), await load('sqlite/store.js')]
  return { openFile, storeOn }
}

export async function integrityOf(file) {
  const db = await openDatabase(file)
  try {
    return db
      .all('pragma integrity_check')
      .map((row) => row.integrity_check)
      .join('; ')
  } finally {
    db.close()
  }
}

/** What `throughline verify --all` finds. */
export const fileFaults = async (file) => (await (await load('sqlite/backup.js')).verifyFile(file)).faults

export const salvage = async (from, to) => (await load('sqlite/salvage.js')).salvage(from, to)

/** `throughline restore --force`. */
export async function restore(backup, to) {
  const { restoreFrom } = await load('../cli/history/restore.js')
  await restoreFrom({ file: backup, db: to, force: true, json: true })
}

/** Every entry of a conversation, by pages. */
export async function logOf(store, workspace = 'w', conversation = 'c') {
  const log = []
  for (;;) {
    const more = await store.feed(workspace, conversation, log.length === 0 ? 0 : log.at(-1).seq, 1_000)
    if (more.length === 0) return log
    log.push(...more)
  }
}
