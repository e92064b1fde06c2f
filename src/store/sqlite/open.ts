/** A connection with everything set that the promises of the store stand on. */
import { open, stat } from 'node:fs/promises'
import { HistoryError } from '../../core/message/issue.js'
import { refusal } from '../shared/refuse.js'
import { type Database, openDatabase } from './driver.js'
import { failureOf } from './failure.js'
import { patiently, undo } from './group.js'
import { checkFormat, formatOf, migrate, newest } from './migrate.js'
import * as sql from './statements.js'

/** Media that cannot be written and disks that are full are read; what would write is refused then. */
export async function openFile(file: string, patience = 30): Promise<Database> {
  let db: Database | undefined
  try {
    await makePrivate(file)
    db = await openDatabase(file)
    await prepare(db, file, patience)
    return db
  } catch (error) {
    db?.close()
    const failure = failureOf(error)
    if (!cannotWrite(failure)) throw failure
    return openToRead(file, patience).catch(() => {
      throw failure
    })
  }
}

/** Makes nothing, changes nothing, and brings nothing up to date. */
export async function openToRead(file: string, patience = 30): Promise<Database> {
  const facts = await stat(file).catch(() => null)
  if (!facts) throw refusal('not_found', `there is no database at ${file}`, { field: 'file', value: file })
  if (facts.size === 0) throw refusal('invalid', `${file} is empty: it is no database`, { field: 'file', value: file })
  const log = await stat(`${file}-wal`).catch(() => null)
  const index = await stat(`${file}-shm`).catch(() => null)
  // whoever has it open has both beside it: without them the file is the whole truth, and nothing has to be made to read it
  if (!log && !index) return reading(file, 'immutable', patience)
  try {
    return await reading(file, 'read', patience)
  } catch (error) {
    const failure = failureOf(error)
    // beside a log of changes that nobody can take in, the file alone is not the whole truth
    if (!cannotWrite(failure) || (log && log.size > 0)) throw failure
    return reading(file, 'immutable', patience)
  }
}

async function reading(file: string, how: 'read' | 'immutable', patience: number): Promise<Database> {
  const db = await openDatabase(file, how)
  try {
    db.exec(sql.patience)
    await patiently(() => look(db), patience)
    const format = formatOf(db)
    if (format < newest)
      throw refusal(
        'invalid',
        `the file has format ${format}, and this release reads ${newest}: open it once for writing`,
        {
          field: 'format',
          value: format,
        },
      )
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** Its folder or its disk takes no writes: SQLite says so in several ways. */
const cannotWrite = (failure: unknown): boolean =>
  HistoryError.is(failure) &&
  (failure.code === 'storage_full' ||
    (failure.code === 'unavailable' && /readonly|unable to open|disk I\/O|read-only/i.test(failure.message)))

/** A new file is its owner's alone, and what SQLite makes beside it has the same rights; one that is there keeps its own. */
async function makePrivate(file: string): Promise<void> {
  if (file === ':memory:') return
  const made = await open(file, 'wx', 0o600).catch(() => null)
  await made?.close()
}

/** Several processes may do this at once, on a file that is not there yet. A file that is as it should be is not written. */
async function prepare(db: Database, file: string, patience: number): Promise<void> {
  db.exec(sql.patience)
  await patiently(() => look(db), patience)
  // said again it is written again
  if (db.get(sql.vacuums)?.auto_vacuum === 0) db.exec(sql.vacuumMode)
  await patiently(() => db.exec(sql.wal), patience)
  db.exec(sql.settings)
  checkSettings(db, file)
  await patiently(() => migrate(db), patience)
  if (!db.get(sql.counted)) await patiently(() => db.exec(sql.count), patience)
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
