/**
 * `secure_delete` overwrites what is deleted, but not the copies that stay in a page when its rows move to another. Only
 * writing the file anew removes those, so a small file is written anew at once and a large one when its owner says so.
 */
import { nextTurn } from '../shared/turn.js'
import { aside } from './aside.js'
import type { Database } from './driver.js'
import { failureOf } from './failure.js'
import { patiently } from './group.js'
import type { Purge } from './purge.js'
import * as sql from './statements.js'

export interface Scrub {
  /** After a removal; tried again with the next one when other processes are in the way. */
  now(): Promise<void>
  /** Writes the whole file anew, whatever its size. */
  whole(): Promise<void>
}

/** A file of so many bytes is written anew in a few milliseconds. */
const quick = 1024 * 1024

export function scrubber(db: Database, most: number, purge: Purge): Scrub {
  let pending: Promise<void> | null = null
  const size = (): number => Number(db.get(sql.fileSize)?.bytes)

  /** A large file takes longer than anyone should wait. */
  const rewrite = async (seconds: number): Promise<void> => {
    const file = db.get(sql.fileName)?.file
    if (file && size() > quick) await aside(file as string, [sql.vacuum, sql.checkpoint])
    else await patiently(() => db.exec(sql.vacuum), seconds)
    await patiently(() => truncate(db), seconds)
  }

  const once = async (): Promise<void> => {
    // removals that were asked for together are followed by one scrub
    await new Promise((wake) => setImmediate(wake))
    pending = null
    try {
      if (Number(db.get(sql.fileSize)?.bytes) > most)
        return void purge
          .whole()
          .then(free)
          .catch(() => {})
      await purge.whole()
      await patiently(() => db.exec(sql.vacuum), 5)
      await patiently(() => truncate(db), 5)
    } catch {
      // the removal stands; what the file remembers goes with the next one, or when the last connection closes
    }
  }

  /** A few pages at a time, with room for others in between. */
  const free = async (): Promise<void> => {
    while (Number(db.get(sql.freePages)?.freelist_count) > 0) {
      await patiently(() => db.exec(sql.vacuumSome), 5)
      await nextTurn()
    }
    await patiently(() => truncate(db), 5)
  }

  return {
    now: () => {
      pending ??= once()
      return pending
    },
    whole: async () => {
      try {
        await purge.whole()
        await rewrite(30)
      } catch (error) {
        throw failureOf(error)
      }
    },
  }
}

/** The log of changes has old copies too. */
function truncate(db: Database): void {
  const row = db.get(sql.checkpoint)
  if (row?.busy === 1) throw Object.assign(new Error('readers are in the way'), { errcode: 5 })
}
