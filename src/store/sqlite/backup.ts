/** A copy of the file that is either whole and checked, or not there. */
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refusal } from '../shared/refuse.js'
import { checkFile, type FileVerdict } from './check.js'
import { type Database, openDatabase } from './driver.js'
import { failureOf } from './failure.js'
import { patiently } from './group.js'
import { openToRead } from './open.js'
import * as sql from './statements.js'

/** The target must not exist; nothing has its name before all of it is on the disk and was checked. */
export async function backup(db: Database, target: string, patience: number): Promise<FileVerdict> {
  const partial = `${target}.${process.pid}.partial`
  try {
    // its owner's alone from the beginning; SQLite takes an empty file for one that it may fill
    const made = await open(partial, 'wx', 0o600)
    await made.close()
    await patiently(() => db.run(sql.vacuumInto, { file: partial }), patience)
    const verdict = await checked(partial)
    await synced(partial)
    // unlike a rename, a link never takes the place of another file
    await link(partial, target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST')
        throw refusal('id_conflict', `${target} is there already`, { field: 'file', value: target })
      // some file systems have no links
      return rename(partial, target)
    })
    await rm(partial, { force: true })
    await synced(dirname(target))
    return verdict
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw failureOf(error)
  }
}

async function checked(file: string): Promise<FileVerdict> {
  const copy = await openDatabase(file, 'immutable')
  try {
    const verdict = checkFile(copy)
    const [first] = verdict.faults
    if (first)
      throw refusal(
        'invalid',
        `the copy is damaged, as the database is (${first.where}: ${first.fault}); throughline verify --all tells more, and throughline repair saves what can be read`,
        { field: 'file' },
      )
    return verdict
  } finally {
    copy.close()
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}

/** Checks a file as it stands, without a change to it. */
export async function verifyFile(file: string): Promise<FileVerdict> {
  const db = await openToRead(file)
  try {
    db.run(sql.beginRead)
    return checkFile(db)
  } finally {
    db.close()
  }
}
