/** Forward only, in one transaction. A newer or a foreign file is refused and not touched. */
import { refusal } from '../shared/refuse.js'
import type { Database } from './driver.js'
import { undo } from './group.js'
import { m001 } from './schema.js'
import { m002 } from './schema-2.js'
import { m003 } from './schema-3.js'
import { m004 } from './schema-4.js'
import { m005 } from './schema-5.js'
import { m006 } from './schema-6.js'
import { m007 } from './schema-7.js'
import { m008 } from './schema-8.js'
import { m009 } from './schema-9.js'
import { m010 } from './schema-10.js'
import { m011 } from './schema-11.js'
import * as sql from './statements.js'

const migrations: readonly string[] = [m001, m002, m003, m004, m005, m006, m007, m008, m009, m010, m011]

/** "Thrl": says whose file it is. */
const owner = 0x5468726c

/** Refuses what this release cannot read; to be called before anything is written. */
export function checkFormat(db: Database, known = migrations.length): void {
  const version = versionOf(db)
  if (version > known)
    throw refusal('newer_format', `the file has format ${version}; this release reads up to ${known}`, {
      field: 'format',
      value: version,
    })
  if (Number(db.get(sql.applicationId)?.application_id) !== owner && Number(db.get(sql.countTables)?.tables) > 0)
    throw refusal('invalid', 'the file belongs to another program', { field: 'file' })
}

export function migrate(db: Database): void {
  if (versionOf(db) === migrations.length) return
  db.run(sql.begin)
  try {
    // another process may have been first
    checkFormat(db)
    migrations.slice(versionOf(db)).forEach((migration) => {
      const version = versionOf(db) + 1
      if (version === 1) db.exec(`${sql.createFormat}; pragma application_id = ${owner}`)
      db.exec(migration)
      db.run(sql.addFormat, { version })
      db.exec(`pragma user_version = ${version}`)
    })
    db.run(sql.commit)
  } catch (error) {
    undo(db)
    throw error
  }
}

/** Another process may have brought the file to a newer format since it was opened: nothing is written to it any more. */
export function checkStill(db: Database, known = migrations.length): void {
  if (versionOf(db) > known) checkFormat(db, known)
}

export const newest = migrations.length
export const formatOf = (db: Database): number => versionOf(db)

const versionOf = (db: Database): number => Number(db.get(sql.userVersion)?.user_version)
