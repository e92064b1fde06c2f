import { afterEach, expect, test, vi } from 'vitest'
import { bootClock, wallClock } from './desk.js'
import { openDatabase } from './driver.js'
import { freshFiles } from './file.fixture.js'
import { sqliteStore } from './store.js'

const file = freshFiles()
const at = '2026-01-01T00:00:00.000Z'
afterEach(() => vi.useRealTimers())

test('a lease runs out although the time of day was set back (B12)', async () => {
  const path = file()
  const dead = await sqliteStore(path)
  await dead.create('w', { id: 'c', at })
  await dead.openDraft('w', 'c', { id: 'd', branch: 'main', parent: null, leaseSeconds: 0, at })
  await dead.close()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 600_000 })
  const next = await sqliteStore(path)
  expect((await next.claimDrafts('w', 15)).map(({ id, epoch }) => [id, epoch])).toEqual([['d', 2]])
  expect(await next.claimDrafts('w', 15)).toEqual([])
  await next.close()
})

test('a lease does not run out because the time of day was set forward', async () => {
  const store = await sqliteStore(file())
  await store.create('w', { id: 'c', at })
  await store.openDraft('w', 'c', { id: 'd', branch: 'main', parent: null, leaseSeconds: 60, at })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  expect(await store.claimDrafts('w', 15)).toEqual([])
  await store.close()
})

test('each start of the machine has numbers of its own, and leases from before it have run out', () => {
  const [one, other] = [bootClock('one'), bootClock('other')]
  for (const [here, there] of [
    [one, other],
    [other, one],
  ] as const) {
    const lease = there.now() + 3_600
    expect(lease <= here.now() || lease >= here.end).toBe(true)
  }
  expect(one.now() + 31_536_000).toBeLessThan(one.end)
  expect(bootClock(null).end).toBe(wallClock(() => 0).end)
})

test('a file that became a newer format is not written any more', async () => {
  const path = file()
  const store = await sqliteStore(path)
  await store.create('w', { id: 'c', at })
  const newer = await openDatabase(path)
  newer.exec('pragma user_version = 99')
  newer.close()
  await expect(store.create('w', { id: 'd', at })).rejects.toMatchObject({ code: 'newer_format' })
  expect(await store.get('w', 'd')).toBeNull()
  await store.close()
})

test('a release that does not know of revisions can no longer write: others would not see that it did (F-17)', async () => {
  const path = file()
  const store = await sqliteStore(path)
  await store.create('w', { id: 'c', at })
  const old = await openDatabase(path)
  // as 0.1.0 appends
  const grow = "update conversation set entries = entries + 1, bytes = bytes + 9, updated_at = '2026' where id = 'c'"
  expect(() => old.exec(grow)).toThrow('newer format')
  old.close()
  expect((await store.get('w', 'c'))?.entries).toBe(0)
  await store.close()
})
