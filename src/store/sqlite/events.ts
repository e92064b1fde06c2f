/** The events of a conversation: numbered inside the write that emits them. */
import type { NewEvent, StoredEvent } from '../contract/event.js'
import type { Store } from '../contract/store.js'
import { jsonIn } from '../shared/gate.js'
import { limitOf } from '../shared/page.js'
import { bellName, newBell } from '../shared/turn.js'
import { find, keyOf, missing, type Sqlite } from './desk.js'
import type { Database } from './driver.js'
import { toEvent } from './rows.js'
import * as side from './side.js'
import type { Held } from './standing.js'

export const events = (desk: Sqlite): Pick<Store, 'events' | 'trimEvents' | 'watch'> => ({
  async events(workspace, conversation, after, limit) {
    const key = keyOf(workspace, conversation)
    return desk.group.read(() => {
      const span = desk.db.get(side.eventSpan, key)
      if (!span) throw missing(desk.db, key)
      const rows = desk.db.all(side.eventsAfter, { ...key, after, limit: limitOf(limit, 10_000) })
      const newest = span.newest as number
      return { events: rows.map(toEvent), oldest: (span.oldest as number | null) ?? newest + 1, newest }
    })
  },

  async trimEvents(workspace, conversation, upTo) {
    const key = keyOf(workspace, conversation)
    return desk.group.write(() => {
      find(desk, key)
      desk.db.run(side.trimEvents, { ...key, upTo })
    })
  },

  watch: (workspace, conversation, wake) => desk.watch(bellName(workspace, conversation), wake),
})

/** An event as it was when it was given. */
export interface Told {
  readonly type: string
  readonly data: unknown
  readonly json: string
}

export function toldOf(event: NewEvent): Told {
  const { type, data = null } = event
  const json = jsonIn(event, data)
  return { type, data: JSON.parse(json), json }
}

/** They are written with the end of the transaction, all of them together. */
export function emit(held: Held, events: readonly Told[], at: string): readonly StoredEvent[] {
  return events.map(({ type, data, json }) => {
    held.events++
    const event = { type, data, number: held.events, at }
    held.told.push({ ...event, json })
    return event
  })
}

// Wakes watchers: at once for commits of this process, soon for those of others.

interface Watch {
  watch(name: string, wake: () => void): () => void
  ring(name: string): void
  close(): void
}

const everyMs = 100

export function watchOn(db: Database): Watch {
  const bell = newBell()
  let timer: ReturnType<typeof setInterval> | undefined
  let seen: unknown

  /** Changes when another connection has written; whose turn it is, it does not say. */
  const version = (): unknown => {
    try {
      return db.get(side.dataVersion)?.data_version
    } catch {
      // the next look tells
      return seen
    }
  }

  const look = (): void => {
    const before = seen
    seen = version()
    if (seen !== before) bell.ringAll()
  }

  const rest = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch(name, wake) {
      const off = bell.watch(name, wake)
      if (timer === undefined && bell.isWatched()) {
        // the first look wakes everyone: whether something was written meanwhile, nobody knows
        seen = undefined
        timer = setInterval(look, everyMs)
        timer.unref()
      }
      return () => {
        off()
        if (!bell.isWatched()) rest()
      }
    },
    ring: bell.ring,
    close: () => {
      rest()
      bell.close()
    },
  }
}
