/** What every part of the store works with. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Lru } from '../../core/message/lru.js'
import type { StoredRecord } from '../contract/record.js'
import { refusal } from '../shared/refuse.js'
import type { Database } from './driver.js'
import type { CommitGroup } from './group.js'
import type { Purge } from './purge.js'
import type { Recent } from './recent.js'
import * as sql from './statements.js'

export interface Sqlite {
  readonly db: Database
  readonly group: CommitGroup
  readonly recent: Recent
  readonly purge: Purge
  /** Records that numbers were added to, as they stand. */
  readonly sums: Lru<StoredRecord>
  readonly clock: LeaseClock
  /** Wakes those who watch a conversation, in this process. */
  readonly ring: (name: string) => void
  readonly watch: (name: string, wake: () => void) => () => void
}

/** The key of everything that belongs to a conversation. */
export interface Key extends Record<string, string> {
  readonly workspace: string
  readonly conversation: string
}

export const keyOf = (workspace: string, conversation: string): Key => ({ workspace, conversation })

/** Refuses a conversation that is not there, or no longer. */
export function find({ db }: Sqlite, key: Key): void {
  if (!db.get(sql.hasConversation, key)) throw missing(db, key)
}

export function missing(db: Database, key: Key): Error {
  const about = { field: 'conversation', value: key.conversation }
  return db.get(sql.tombstone, key)
    ? refusal('gone', 'the conversation was deleted', about)
    : refusal('not_found', 'there is no such conversation', about)
}

/**
 * The clock of leases: seconds since the machine was started, which nobody can set back. All processes with the file open
 * read the same one. A start of the machine has a stretch of numbers of its own, so that a lease from before it has run out.
 */

interface LeaseClock {
  readonly now: () => number
  /** No lease of this start of the machine ends here or later. */
  readonly end: number
}

/** Seconds in the stretch of one start: 68 years. */
const stretch = 2 ** 31
/** Few enough that a number with its stretch is exact to some milliseconds. */
const stretches = 2 ** 16

export function bootClock(boot: string | null = bootId()): LeaseClock {
  // where no start of the machine can be told from another, the time of day has to do
  if (boot === null) return wallClock(() => Date.now() / 1_000)
  const begin = (1 + (createHash('sha256').update(boot).digest().readUInt32BE() % stretches)) * stretch
  return { now: () => begin + Number(process.hrtime.bigint()) / 1e9, end: begin + stretch }
}

export const wallClock = (now: () => number): LeaseClock => ({ now, end: Number.MAX_VALUE })

let known: string | null | undefined

function bootId(): string | null {
  known ??= read()
  return known
}

function read(): string | null {
  try {
    if (process.platform === 'linux') return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    if (process.platform === 'darwin')
      return execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' })
  } catch {
    // then there is none
  }
  return null
}
