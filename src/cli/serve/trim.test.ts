import { expect, test } from 'vitest'
import { memoryStore } from '../../store/memory/store.js'
import { trimOldEvents } from './sweep.js'

const at = (hour: number): string => new Date(Date.UTC(2026, 0, 1, hour)).toISOString()

/** A conversation with an event at each of the hours. */
async function told(store: ReturnType<typeof memoryStore>, id: string, hours: readonly number[]): Promise<void> {
  await store.create('w', { id, at: at(0) })
  for (const hour of hours)
    await store.commit('w', id, [{ do: 'emit', events: [{ type: 'text-delta', data: { hour } }], at: at(hour) }])
}

const kept = async (store: ReturnType<typeof memoryStore>, id: string) => {
  const { events, newest } = await store.events('w', id, 0, 100)
  return { numbers: events.map(({ number }) => number), newest }
}

test('events before the instant go, and no other; the numbers go on', async () => {
  const store = memoryStore()
  await told(store, 'some', [1, 2, 3, 10, 11, 12, 13])
  await told(store, 'none', [10, 11])
  await told(store, 'all', [1, 2])
  await told(store, 'silent', [])
  expect(await trimOldEvents({ store, workspace: 'w', before: Date.parse(at(10)), since: 0 })).toBe(2)
  expect(await kept(store, 'some')).toEqual({ numbers: [4, 5, 6, 7], newest: 7 })
  expect(await kept(store, 'none')).toEqual({ numbers: [1, 2], newest: 2 })
  expect(await kept(store, 'all')).toEqual({ numbers: [], newest: 2 })
  expect(await trimOldEvents({ store, workspace: 'w', before: Date.parse(at(10)), since: 0 })).toBe(0)
})
