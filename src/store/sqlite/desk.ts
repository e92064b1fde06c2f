/** What every part of the store works with. */
import type { Lru } from '../../core/message/lru.js'
import type { StoredRecord } from '../contract/record.js'
import { refusal } from '../shared/refuse.js'
import type { LeaseClock } from './clock.js'
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
