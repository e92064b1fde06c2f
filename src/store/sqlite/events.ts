/** The events of a conversation: numbered inside the write that emits them. */
import { bellName } from '../bell.js'
import type { NewEvent, StoredEvent } from '../contract/event.js'
import type { Store } from '../contract.js'
import { limitOf } from '../page.js'
import { type Desk, find, type Key, keyOf, missing } from './desk.js'
import type { Row, Value } from './driver.js'
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

/** An event as it was when it was given. */
export interface Told {
  readonly type: string
  readonly data: unknown
  readonly json: string
}

export function toldOf({ type, data = null }: NewEvent): Told {
  const json = JSON.stringify(data)
  return { type, data: JSON.parse(json), json }
}

export function emit({ db }: Desk, key: Key, events: readonly Told[], at: string): readonly StoredEvent[] {
  const counted = db.get(side.countEvents, { ...key, count: events.length }) as Row
  const first = (counted.events as number) - events.length + 1
  const most = side.addEvents.length
  for (let from = 0; from < events.length; from += most) {
    const some = events.slice(from, from + most)
    const values: Record<string, Value> = { ...key, first: first + from, at }
    some.forEach(({ type, json }, i) => {
      values[`type${i}`] = type
      values[`data${i}`] = json
    })
    db.run(side.addEvents[some.length - 1] as string, values)
  }
  return events.map(({ type, data }, i) => ({ type, data, number: first + i, at }))
}

const toEvent = (row: Row): StoredEvent => ({
  type: row.type as string,
  data: JSON.parse(row.data as string),
  number: row.number as number,
  at: row.at as string,
})
