/** The store in one file: any number of processes may have it open. */

import type { Store } from '../contract.js'
import { refusal } from '../refuse.js'
import { branches } from './branches.js'
import { conversations } from './conversations.js'
import type { Desk } from './desk.js'
import { drafts } from './drafts.js'
import { type Database, openDatabase } from './driver.js'
import { entries } from './entries.js'
import { erase } from './erase.js'
import { failureOf } from './failure.js'
import { group, patiently } from './group.js'
import { checkFormat, migrate } from './migrate.js'
import { records } from './records.js'
import { scrubber } from './scrub.js'
import * as sql from './statements.js'

export interface SqliteOptions {
  /** Gives seconds, the same in every process with the file open; leases are measured with it. */
  readonly clock?: () => number
  /** Seconds to wait for other processes that write, before a call fails with `unavailable`. */
  readonly patience?: number
  /** Files up to so many bytes are written anew after each removal; call `compact` for larger ones. */
  readonly scrub?: number
}

export interface SqliteStore extends Store {
  /** A copy of the file as it is now, while others go on writing. The target must not exist. */
  backup(file: string): Promise<void>
  /** Writes the file anew: nothing that was removed is left in it, and its free space goes back to the disk. */
  compact(): Promise<void>
}

export async function sqliteStore(file: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  const { patience = 30 } = options
  let db: Database | undefined
  try {
    db = await openDatabase(file)
    await prepare(db, file, patience)
    return storeOn(db, options)
  } catch (error) {
    db?.close()
    throw failureOf(error)
  }
}

/** The store on a connection that is ready. */
export function storeOn(db: Database, options: SqliteOptions = {}): SqliteStore {
  const { clock = () => Date.now() / 1_000, patience = 30, scrub: most = 64 * 1024 * 1024 } = options
  const writer = group(db, patience)
  const scrub = scrubber(db, most)
  const desk: Desk = { db, group: writer, clock }
  let closing: Promise<void> | undefined
  return {
    ...conversations(desk),
    ...entries(desk),
    ...branches(desk),
    ...drafts(desk),
    ...records(desk),
    ...erase(desk, scrub),
    async backup(target) {
      try {
        await patiently(() => db.run(sql.vacuumInto, { file: target }), patience)
      } catch (error) {
        throw failureOf(error)
      }
    },
    compact: () => scrub.whole(),
    close() {
      closing ??= writer.end().then(() => db.close())
      return closing
    },
  }
}

/** Several processes may do this at once, on a file that is not there yet. */
async function prepare(db: Database, file: string, patience: number): Promise<void> {
  db.exec(sql.patience)
  await patiently(() => checkFormat(db), patience)
  db.exec(sql.shape)
  await patiently(() => db.exec(sql.wal), patience)
  db.exec(sql.settings)
  checkSettings(db, file)
  await patiently(() => migrate(db), patience)
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
