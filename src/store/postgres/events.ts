/** The events of a conversation. */

import type { EventPage, NewEvent, StoredEvent } from '../contract/event.js'
import type { Store } from '../contract/store.js'
import { jsonIn } from '../shared/gate.js'
import { limitOf } from '../shared/page.js'
import { bellName } from '../shared/turn.js'
import type { Call } from './batch.js'
import type { Driver } from './driver.js'
import { checkHere, checkState, stateOf } from './find.js'
import type { Listen } from './listen.js'
import { toEvent } from './rows.js'
import * as sql from './sql/events.js'
import { ring } from './sql/frame.js'
import type { Key, Work } from './work.js'

export const postgresEvents = (driver: Driver, listen: Listen): Pick<Store, 'events' | 'trimEvents' | 'watch'> => ({
  async events(workspace, conversation, after, limit) {
    const values = [workspace, conversation, after, limitOf(limit, 10_000)]
    const [found] = await driver.read(workspace, [sql.eventsAfter, values])
    const rows = found?.rows ?? []
    if (rows.length === 0) await checkHere(driver, workspace, conversation)
    const { oldest = 1, newest = 0 } = (rows[0] ?? {}) as Partial<EventPage>
    const told = rows.filter(({ number }) => number !== null).map(toEvent)
    return { events: told.sort((one, other) => one.number - other.number), oldest, newest }
  },

  async trimEvents(workspace, conversation, upTo) {
    const [, state] = await driver.once(
      workspace,
      [sql.trimEvents, [workspace, conversation, upTo]],
      stateOf(workspace, conversation),
    )
    checkState(state, conversation)
  },

  watch: (workspace, conversation, wake) => listen.watch(bellName(workspace, conversation), wake),
})

export function emitting([workspace, conversation]: Key, told: readonly NewEvent[], at: string, channel: string): Work {
  const [types, data] = [told.map(({ type }) => type), told.map((event) => jsonIn(event, event.data ?? null))]
  const calls: Call[] = [
    [sql.countEvents, [workspace, conversation, types.length]],
    [sql.emit, [workspace, conversation, types, data, at]],
    [ring, [channel, bellName(workspace, conversation)]],
  ]
  return {
    plan: () => ({
      calls: types.length === 0 ? [] : calls,
      outcome: ([done]) => {
        const before = done?.rows[0]?.before as number
        return types.map((type, i): StoredEvent => {
          return { type, data: JSON.parse(data[i] as string), number: before + i + 1, at }
        })
      },
    }),
  }
}
