/** Nobody waits for somebody else: counted in turns of the loop, not in time. */
import { expect, test } from 'vitest'
import { openDatabase } from './driver.js'
import { at, freshFiles, say } from './file.fixture.js'
import { sqliteStore } from './store.js'

const file = freshFiles()

/** How many turns others got while something went on. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false]
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isOver = true
  return turns
}

test('a lock that another process holds does not stop the loop [field report B5]', async () => {
  const path = file()
  const store = await sqliteStore(path)
  await store.create('w', { id: 'c', at })
  const other = await openDatabase(path)
  other.exec('begin immediate')
  const written = store.append('w', 'c', [say('a', 'hello')], { branch: 'main', at })
  const turns = await turnsDuring(() => new Promise((wake) => setTimeout(wake, 100)))
  expect(turns).toBeGreaterThan(5)
  expect(await store.get('w', 'c')).toMatchObject({ entries: 0 })
  other.exec('rollback')
  expect((await written).entries).toHaveLength(1)
  other.close()
  await store.close()
})

test('a search that takes long messages in leaves others their turns [field report B5]', async () => {
  const store = await sqliteStore(file())
  await store.create('w', { id: 'c', at })
  const signs = (n: number): string =>
    Array.from({ length: 120_000 }, (_, i) => String.fromCodePoint(0x4e00 + ((i * (n + 7)) % 18_000))).join('')
  for (let n = 0; n < 4; n++) await store.append('w', 'c', [say(`m${n}`, signs(n))], { branch: 'main', at })
  const asked = signs(1).slice(5_000, 5_004)
  const turns = await turnsDuring(async () => {
    const { items } = await store.search('w', { text: asked, conversation: 'c', limit: 9 })
    expect(items.map(({ entry }) => entry)).toContain('m1')
  })
  expect(turns).toBeGreaterThan(12)
  await store.close()
})

test('a file that is written anew leaves others their turns, and what they write is in it', async () => {
  const path = file()
  const store = await sqliteStore(path)
  await store.create('w', { id: 'c', at })
  await store.append('w', 'c', [say('a', 'x'.repeat(3_000_000))], { branch: 'main', at })
  await store.redact('w', 'c', 'a')
  await store.append('w', 'c', [say('b', 'y'.repeat(3_000_000))], { branch: 'main', at })
  const turns = await turnsDuring(() =>
    Promise.all([store.compact(), store.append('w', 'c', [say('d', 'meanwhile')], { branch: 'main', at })]),
  )
  expect(turns).toBeGreaterThan(5)
  expect(await store.entry('w', 'c', 'd')).toMatchObject({ text: 'meanwhile' })
  expect(await store.verify('w', 'c')).toMatchObject({ ok: true })
  await store.close()
})

test('verify of a long conversation leaves others their turns [field report B5]', async () => {
  const store = await sqliteStore(file())
  await store.create('w', { id: 'c', at })
  const batch = Array.from({ length: 6_000 }, (_, n) => say(`m${n}`, `message ${n} `.repeat(40)))
  for (let n = 0; n < batch.length; n += 500)
    await store.append('w', 'c', batch.slice(n, n + 500), { branch: 'main', at })
  const turns = await turnsDuring(async () => {
    expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: 6_000 })
  })
  expect(turns).toBeGreaterThan(5)
  await store.close()
})
