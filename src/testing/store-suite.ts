/** The definition of a correct store. Runs anywhere: each case is a name and a function that throws. */
import { randomUUID } from 'node:crypto'
import type { Store } from '../store/contract/store.js'
import { appending } from './cases/append.js'
import { blobs } from './cases/blobs.js'
import { branches } from './cases/branches.js'
import { calls } from './cases/calls.js'
import { chain } from './cases/chain.js'
import { commits } from './cases/commits.js'
import { conversations } from './cases/conversations.js'
import { copies } from './cases/copies.js'
import { drafts } from './cases/drafts.js'
import { events } from './cases/events.js'
import { illFormed } from './cases/ill-formed.js'
import { keys } from './cases/keys.js'
import { limits } from './cases/limits.js'
import { lists } from './cases/lists.js'
import { locating } from './cases/locating.js'
import { meaning } from './cases/meaning.js'
import { order } from './cases/order.js'
import { receipts } from './cases/receipts.js'
import { records } from './cases/records.js'
import { redaction } from './cases/redaction.js'
import { reindexing } from './cases/reindexing.js'
import { removal } from './cases/removal.js'
import { search } from './cases/search.js'
import { sheets } from './cases/sheets.js'
import type { Case, Opened } from './cases/stage.js'
import { texts } from './cases/texts.js'
import { trees } from './cases/trees.js'
import { walls } from './cases/walls.js'
import { windows } from './cases/windows.js'
import { writers } from './cases/writers.js'

/** The store that the suite opens for each case. */
export interface StoreSuite {
  /** A store to test. It may be the same one each time: every case works in a workspace of its own. */
  readonly open: () => Promise<Store | Opened>
}

/** One test of the suite, for any test runner. */
export interface StoreCase {
  readonly name: string
  readonly run: () => Promise<void>
}

const cases: readonly Case[] = [
  ...order,
  ...appending,
  ...keys,
  ...writers,
  ...branches,
  ...calls,
  ...drafts,
  ...windows,
  ...trees,
  ...texts,
  ...illFormed,
  ...copies,
  ...limits,
  ...chain,
  ...redaction,
  ...removal,
  ...walls,
  ...conversations,
  ...lists,
  ...blobs,
  ...receipts,
  ...commits,
  ...events,
  ...records,
  ...sheets,
  ...search,
  ...meaning,
  ...locating,
  ...reindexing,
]

/** Opens a store for each case and closes it. @example for (const { name, run } of storeSuite({ open: async () => myStore() })) test(name, run) */
export function storeSuite({ open }: StoreSuite): readonly StoreCase[] {
  return cases.map(({ name, run }) => ({
    name,
    run: async () => {
      const opened = await open()
      const parts: Opened = 'store' in opened ? opened : { store: opened }
      try {
        await run({ ...parts, workspace: `w-${randomUUID()}` })
      } finally {
        await parts.store.close()
      }
    },
  }))
}
