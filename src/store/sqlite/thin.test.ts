/** A long conversation goes in short transactions: it is gone at once, and all of it goes whatever happens. */
import { expect, test, vi } from 'vitest'
import { checkFile } from './check.js'
import { openDatabase } from './driver.js'
import { at, bytesOf, freshFiles, say } from './file.fixture.js'
import { type SqliteStore, sqliteStore } from './store.js'

const file = freshFiles()
const length = 3_000

async function filled(path: string): Promise<SqliteStore> {
  const store = await sqliteStore(path)
  for (const id of ['long', 'other']) await store.create('w', { id, title: `about ${id}`, at })
  for (let n = 0; n < length; n += 500) {
    const batch = Array.from({ length: 500 }, (_, i) => say(`e${n + i}`, `canary${n + i} `.repeat(5)))
    await store.append('w', 'long', batch, { branch: 'main', at })
  }
  for (let n = 0; n < 30; n++)
    await store.putReceipt('w', { id: `r${n}`, conversation: 'long', entry: null, at, body: { n } })
  await store.commit('w', 'long', [{ do: 'emit', events: [{ type: 'x', data: 'canary' }], at }])
  await store.search('w', { text: 'canary7', limit: 1 })
  return store
}

const rowsOf = async (path: string) => {
  const db = await openDatabase(path)
  try {
    return ['conversation', 'entry', 'search_entry', 'search_gone', 'receipt', 'event', 'branch'].map(
      (table) => db.get(`select count(*) as count from ${table}`)?.count,
    )
  } finally {
    db.close()
  }
}
const empty = [1, 0, 0, 0, 0, 0, 0]

test('it is gone at once, others write and read while its rows go, and nothing of it is left', async () => {
  const path = file()
  const store = await filled(path)
  let isOver = false
  const removing = store.remove('w', 'long').finally(() => {
    isOver = true
  })
  await vi.waitFor(async () => expect(await store.get('w', 'long')).toBeNull(), { interval: 0 })
  const meanwhile: string[] = []
  for (let n = 0; !isOver; n++) {
    await store.append('w', 'other', [say(`o${n}`, 'meanwhile')], { branch: 'main', at })
    if (!isOver) meanwhile.push(`o${n}`)
  }
  expect(meanwhile.length).toBeGreaterThan(1)
  expect((await removing).removed).toMatchObject({
    ...{ conversation: 1, entry: length, branch: 1, receipt: 30, event: 1, search_entry: length },
  })
  expect(await store.verify('w', 'other')).toMatchObject({ ok: true })
  await store.remove('w', 'other')
  await store.create('w', { id: 'last', at })
  expect(await rowsOf(path)).toEqual(empty)
  await store.close()
  expect(bytesOf(path).includes('canary')).toBe(false)
})

test('while its rows go nobody finds it, adds to it or makes it anew', async () => {
  const store = await filled(file())
  const [head] = await store.branches('w', 'long')
  const removing = store.remove('w', 'long')
  await vi.waitFor(async () => expect(await store.get('w', 'long')).toBeNull(), { interval: 0 })
  const gone = { code: 'gone' }
  await Promise.all([
    expect(store.append('w', 'long', [say('late', 'late')], { branch: 'main', at })).rejects.toMatchObject(gone),
    expect(store.window('w', 'long', 'main', {})).rejects.toMatchObject(gone),
    expect(store.feed('w', 'long', 0, 10)).rejects.toMatchObject(gone),
    expect(store.update('w', 'long', { title: 'late', at })).rejects.toMatchObject(gone),
    expect(store.remove('w', 'long')).rejects.toMatchObject(gone),
    expect(store.redact('w', 'long', 'e1')).rejects.toMatchObject(gone),
    expect(store.create('w', { id: 'long', at })).rejects.toMatchObject(gone),
    expect(store.entry('w', 'long', head?.head as string)).resolves.toBeNull(),
    expect(store.list('w', { limit: 9 })).resolves.toMatchObject({ items: [{ id: 'other' }] }),
  ])
  await removing
  await store.close()
})

test('what was begun when a process ended is gone for the next one, which sees to the rest', async () => {
  const path = file()
  const store = await filled(path)
  const broken = expect(store.remove('w', 'long')).rejects.toMatchObject({ code: 'unavailable' })
  await vi.waitFor(async () => expect(await store.get('w', 'long')).toBeNull(), { interval: 0 })
  await store.close()
  await broken
  expect((await rowsOf(path))[1]).toBeGreaterThan(0)

  const again = await sqliteStore(path)
  expect(await again.get('w', 'long')).toBeNull()
  await expect(again.append('w', 'long', [say('a', 'b')], { branch: 'main', at })).rejects.toMatchObject({
    code: 'gone',
  })
  const db = await openDatabase(path, 'read')
  expect(checkFile(db)).toEqual({ conversations: 1, entries: 0, faults: [] })
  db.close()
  await vi.waitFor(async () => expect(await rowsOf(path)).toEqual(empty), { timeout: 20_000 })
  await again.close()
})
