import { describe, expect, test } from 'vitest'
import type { HistoryError } from '../../core/message/issue.js'
import type { Database } from './driver.js'
import { at, freshFiles, say } from './file.fixture.js'
import { openFile } from './open.js'
import { type SqliteStore, storeOn } from './store.js'

const file = freshFiles()
const append = (store: SqliteStore, id: string, words = id) =>
  store.append('w', 'c', [say(id, words)], { branch: 'main', at, key: `key-${id}` })
const failed = (promise: Promise<unknown>): Promise<HistoryError> =>
  promise.then(
    () => expect.fail(),
    (error) => error,
  )
const idsOf = async (store: SqliteStore) => (await store.feed('w', 'c', 0, 1_000)).map(({ id }) => id)

async function opened(patience?: number): Promise<{ db: Rigged; store: SqliteStore }> {
  const db = rigged(await openFile(file()))
  const store = storeOn(db, patience === undefined ? {} : { patience })
  await store.create('w', { id: 'c', at })
  return { db, store }
}

describe('a full disk', () => {
  test('refuses the write and nothing else, and takes it once there is room [T-37]', async () => {
    const { db, store } = await opened()
    await append(store, 'a')
    db.exec(`pragma max_page_count = ${Number(db.get('pragma page_count')?.page_count) + 1}`)
    const error = await failed(append(store, 'b', 'x'.repeat(100_000)))
    expect(error.code).toBe('storage_full')
    expect(error.cause).toBeInstanceOf(Error)
    expect(await idsOf(store)).toEqual(['a'])
    expect((await store.get('w', 'c'))?.entries).toBe(1)
    db.exec('pragma max_page_count = 1000000')
    expect((await append(store, 'b', 'x'.repeat(100_000))).repeated).toBe(false)
    expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: 2 })
    await store.close()
  })

  test('refuses one of several writes at once and keeps the others', async () => {
    const { db, store } = await opened()
    await append(store, 'a')
    db.exec(`pragma max_page_count = ${Number(db.get('pragma page_count')?.page_count) + 2}`)
    const big = append(store, 'big', 'x'.repeat(1_000_000))
    const outcomes = await Promise.allSettled([append(store, 'b'), big, append(store, 'c')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await idsOf(store)).toEqual(['a', 'b', 'c'])
    await store.close()
  })
})

describe('a failing disk', () => {
  test('leaves nothing half written, whichever statement it fails under', async () => {
    const { db, store } = await opened()
    await append(store, 'first')
    for (let nth = 1; nth <= 12; nth++) {
      db.failAt(nth, 10)
      const outcome = await append(store, `e${nth}`).catch((error: HistoryError) => error)
      const broke = db.heal()
      if (broke) expect(outcome).toMatchObject({ code: 'unavailable', cause: { errcode: 10 } })
      expect((await append(store, `e${nth}`)).head).toBe(`e${nth}`)
      expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: nth + 1 })
    }
    await store.close()
  })
})

describe('another process that writes', () => {
  test('is waited for', async () => {
    const { db, store } = await opened()
    db.failAt(1, 5, 3)
    expect((await append(store, 'a')).repeated).toBe(false)
    expect(await idsOf(store)).toEqual(['a'])
    await store.close()
  })

  test('is not waited for forever', async () => {
    const { db, store } = await opened(0)
    db.failAt(1, 5, 1_000)
    expect(await failed(append(store, 'a'))).toMatchObject({ code: 'unavailable', cause: { errcode: 5 } })
    db.heal()
    expect(await idsOf(store)).toEqual([])
    await store.close()
  })
})

describe('writes at the same time', () => {
  test('share a transaction, and the one that is refused hurts no other [L-7]', async () => {
    const { db, store } = await opened()
    await append(store, 'a')
    db.commits = 0
    const many = Array.from({ length: 50 }, (_, i) =>
      i === 20
        ? store.append('w', 'c', [say('refused', 'x')], { branch: 'main', expect: null, at })
        : append(store, `e${i}`),
    )
    const outcomes = await Promise.allSettled(many)
    expect(outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([20])
    expect(db.commits).toBe(1)
    const order = Array.from({ length: 50 }, (_, i) => `e${i}`).filter((id) => id !== 'e20')
    expect(await idsOf(store)).toEqual(['a', ...order])
    expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: 50 })
    await store.close()
  })

  test('are taken as they were given, whatever the caller does to them next', async () => {
    const { store } = await opened()
    const parts = [{ type: 'text' as const, text: 'as given' }]
    const entry = {
      ...say('a', 'as given'),
      body: { kind: 'message', role: 'user', parts, status: 'complete' } as const,
    }
    const written = store.append('w', 'c', [entry], { branch: 'main', at })
    parts[0] = { type: 'text', text: 'changed' }
    entry.text = 'changed'
    expect((await written).entries[0]).toMatchObject({ text: 'as given', body: { parts: [{ text: 'as given' }] } })
    await store.close()
  })

  test('are all done before the store is closed, and none is taken after', async () => {
    const { store } = await opened()
    const written = append(store, 'a')
    await store.close()
    expect((await written).head).toBe('a')
    expect((await failed(append(store, 'b'))).code).toBe('unavailable')
    expect((await failed(store.get('w', 'c'))).code).toBe('unavailable')
  })
})

interface Rigged extends Database {
  commits: number
  /** From the nth call on, so many calls fail with a code. */
  failAt(nth: number, errcode: number, times?: number): void
  /** Whether a call failed since. */
  heal(): boolean
}

function rigged(db: Database): Rigged {
  let calls = 0
  let plan: { readonly from: number; readonly to: number; readonly errcode: number } | null = null
  let broke = false
  const call = <T>(work: () => T): T => {
    calls++
    if (!plan || calls < plan.from || calls >= plan.to) return work()
    broke = true
    throw Object.assign(new Error('rigged'), { errcode: plan.errcode })
  }
  const self: Rigged = {
    commits: 0,
    failAt: (nth, errcode, times = 1) => {
      calls = 0
      broke = false
      plan = { from: nth, to: nth + times, errcode }
    },
    heal: () => {
      plan = null
      return broke
    },
    exec: (sql) => db.exec(sql),
    run: (sql, values) =>
      call(() => {
        if (sql === 'commit') self.commits++
        return db.run(sql, values)
      }),
    get: (sql, values) => call(() => db.get(sql, values)),
    all: (sql, values) => call(() => db.all(sql, values)),
    close: () => db.close(),
  }
  return self
}
