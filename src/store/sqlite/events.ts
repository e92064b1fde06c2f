/** The events of a conversation: numbered inside the write that emits them. */
import { bellName } from '../bell.js'
import type { NewEvent, Store, StoredEvent } from '../contract.js'
import { limitOf } from '../page.js'
import { type Desk, find, type Key, keyOf, missing } from './desk.js'
import type { Row } from './driver.js'
import * as side from './side.js'

export const events = (desk: Desk): Pick<Store, 'events' | 'trimEvents' | 'watch'> => ({
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

export function emit({ db }: Desk, key: Key, events: readonly NewEvent[], at: string): readonly StoredEvent[] {
  const counted = db.get(side.countEvents, { ...key, count: events.length }) as Row
  const first = (counted.events as number) - events.length + 1
  return events.map(({ type, data = null }, i) => {
    db.run(side.addEvent, { ...key, number: first + i, type, data: JSON.stringify(data), at })
    return { type, data, number: first + i, at }
  })
}

const toEvent = (row: Row): StoredEvent => ({
  type: row.type as string,
  data: JSON.parse(row.data as string),
  number: row.number as number,
  at: row.at as string,
})
