/** A connection with everything set that the promises of the store stand on. */
import { open } from 'node:fs/promises'
import { refusal } from '../refuse.js'
import { type Database, openDatabase } from './driver.js'
import { failureOf } from './failure.js'
import { patiently, undo } from './group.js'
import { checkFormat, migrate } from './migrate.js'
import * as sql from './statements.js'

export async function openFile(file: string, patience = 30): Promise<Database> {
  let db: Database | undefined
  try {
    await makePrivate(file)
    db = await openDatabase(file)
    await prepare(db, file, patience)
    return db
  } catch (error) {
    db?.close()
    throw failureOf(error)
  }
}

/** A new file is its owner's alone, and what SQLite makes beside it has the same rights; one that is there keeps its own. */
async function makePrivate(file: string): Promise<void> {
  if (file === ':memory:') return
  const made = await open(file, 'wx', 0o600).catch(() => null)
  await made?.close()
}

/** Several processes may do this at once, on a file that is not there yet. */
async function prepare(db: Database, file: string, patience: number): Promise<void> {
  db.exec(sql.patience)
  await patiently(() => look(db), patience)
  db.exec(sql.shape)
  await patiently(() => db.exec(sql.wal), patience)
  db.exec(sql.settings)
  checkSettings(db, file)
  await patiently(() => migrate(db), patience)
}

/** On one state of the file: another process may be about to make it ours. */
function look(db: Database): void {
  db.run(sql.beginRead)
  try {
    checkFormat(db)
  } finally {
    undo(db)
  }
}

function checkSettings(db: Database, file: string): void {
  const wrong = [
    file !== ':memory:' && db.get(sql.journalMode)?.journal_mode !== 'wal' && 'journal_mode is not wal',
    db.get(sql.synchronous)?.synchronous !== 2 && 'synchronous is not full',
    db.get(sql.foreignKeys)?.foreign_keys !== 1 && 'foreign_keys is not on',
    db.get(sql.secureDelete)?.secure_delete !== 1 && 'secure_delete is not on',
    Number(db.get(sql.busyTimeout)?.timeout) < 5_000 && 'busy_timeout is under 5000',
  ].filter((fault) => fault !== false)
  if (wrong.length > 0) throw refusal('unavailable', `SQLite refused its settings: ${wrong.join(', ')}`)
}
