/** The store in one file: any number of processes may have it open. */
import { lru } from '../../core/message/lru.js'
import { gated } from '../around/gated.js'
import type { Store } from '../contract/store.js'
import { createLibrary } from '../search/library.js'
import { backup } from './backup.js'
import { commits } from './commit.js'
import { branches, conversations } from './conversations.js'
import type { Sqlite } from './desk.js'
import { bootClock, wallClock } from './desk.js'
import { drafts } from './drafts.js'
import type { Database } from './driver.js'
import { entries } from './entries.js'
import { erase, finish } from './erase.js'
import { events, watchOn } from './events.js'
import { files, records } from './files.js'
import { group } from './group.js'
import { embedding } from './meaning.js'
import { openFile, openToRead } from './open.js'
import { purging, restMs } from './purge.js'
import { newRecent } from './recent.js'
import { scrubber } from './scrub.js'
import { searching } from './search.js'
import { sheets } from './sheets.js'
import * as sql from './statements.js'
import { reindexing } from './take-in.js'

/** How a file is opened. */
export interface SqliteOptions {
  /** Gives seconds, the same in every process with the file open; left out, leases run on a clock that cannot be set. */
  readonly clock?: () => number
  /** Seconds to wait for other processes that write, before a call fails with `unavailable`. */
  readonly patience?: number
  /** Files up to so many bytes are written anew after each removal; call `compact` for larger ones. */
  readonly scrub?: number
  /** Opens a file that is there, and never writes to it. */
  readonly readOnly?: boolean
}

/** A store in one file, for any number of processes on one machine. */
export interface SqliteStore extends Store {
  /** A checked copy of the file as it is now, while others go on writing. The target must not exist. */
  backup(file: string): Promise<void>
  /** Writes the file anew: nothing that was removed is left in it, and its free space goes back to the disk. */
  compact(): Promise<void>
}

/** Opens a file, and makes it when it is not there. @example const store = await sqliteStore('chats.db') */
export async function sqliteStore(file: string, options: SqliteOptions = {}): Promise<SqliteStore> {
  const opening = options.readOnly ? openToRead : openFile
  return storeOn(await opening(file, options.patience), options)
}

/** The store on a connection that is ready. */
export function storeOn(db: Database, options: SqliteOptions = {}): SqliteStore {
  const { clock: given, patience = 30, scrub: most = 32 * 1024 * 1024 } = options
  // who waits for a lock of another process waits in the loop, not in front of it
  db.exec(sql.impatience)
  const clock = given ? wallClock(given) : bootClock()
  const writer = group(db, patience)
  const purge = purging(db, writer)
  const scrub = scrubber(db, most, purge)
  const watch = watchOn(db)
  const desk: Sqlite = {
    db,
    group: writer,
    purge,
    recent: newRecent(),
    sums: lru(1_000),
    clock,
    ring: watch.ring,
    watch: watch.watch,
  }
  const library = createLibrary()
  const finishing = setTimeout(() => void finish(desk, scrub).catch(() => {}), restMs)
  finishing.unref()
  let closing: Promise<void> | undefined
  const store: Store = {
    ...conversations(desk),
    ...entries(desk),
    ...branches(desk),
    ...drafts(desk),
    ...records(desk),
    ...commits(desk),
    ...events(desk),
    ...files(desk),
    ...searching(desk, library),
    ...embedding(desk, library),
    ...reindexing(desk),
    ...sheets(desk),
    ...erase(desk, scrub),
    close() {
      watch.close()
      purge.end()
      clearTimeout(finishing)
      closing ??= writer.end().then(() => shut(db))
      return closing
    },
  }
  return {
    ...gated(store),
    async backup(target) {
      await backup(db, target, patience)
    },
    compact: () => scrub.whole(),
  }
}

/** The file is complete by itself afterwards; one of the drivers leaves that to its garbage collector. */
function shut(db: Database): void {
  try {
    db.get(sql.checkpoint)
  } catch {
    // the next one to open the file does it
  }
  db.close()
}
