/** A copy of the file that is either whole and checked, or not there. */
import { refusal } from '../shared/refuse.js'
import { checkFile, type FileVerdict } from './check.js'
import { type Database, openDatabase } from './driver.js'
import { patiently } from './group.js'
import { openToRead } from './open.js'
import * as sql from './statements.js'
import { makeWhole } from './whole.js'

/** The target must not exist; nothing has its name before all of it is on the disk and was checked. */
export const backup = (db: Database, target: string, patience: number): Promise<FileVerdict> =>
  makeWhole(target, async (partial) => {
    await patiently(() => db.run(sql.vacuumInto, { file: partial }), patience)
    return checked(partial)
  })

/** Refuses a copy that is damaged. */
export async function checked(file: string): Promise<FileVerdict> {
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
