import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { openDatabase } from './driver.js'
import { at, freshFiles, say } from './file.fixture.js'
import { partPlaces } from './parts.js'
import { sqliteStore } from './store.js'

const fresh = freshFiles()
const w = 'one'
const words = (n: number): string => `apple pear${n % 7} plum${n} secret${n}`

async function filled(file: string, count = 100) {
  const store = await sqliteStore(file)
  await store.create(w, { id: 'c', at })
  await store.append(
    w,
    'c',
    Array.from({ length: count }, (_, n) => say(`e${n}`, words(n))),
    { branch: 'main', at },
  )
  await store.search(w, { text: 'apple', limit: 1 })
  return store
}

const inIndex = async (file: string, asked: string, values = {}) => {
  const db = await openDatabase(file)
  try {
    return db.all(asked, values)
  } finally {
    db.close()
  }
}

const having = async (file: string, word: string): Promise<number> => {
  const asked = 'select count(*) as count from search_term where search_term match :word'
  return Number((await inIndex(file, asked, { word: `"${word}"` }))[0]?.count)
}

test('an index whose words are all others is made as a fresh one, and a removal after it is final', async () => {
  const [file, other] = [fresh(), fresh()]
  const store = await filled(file)
  await (await filled(other)).close()
  await inIndex(file, "update search_term set terms = replace(terms, 'pear', 'quince') || ' stale'")
  expect([await having(file, 'stale'), await having(file, 'pear3')]).toEqual([100, 0])

  let cursor: string | null = ''
  while (cursor !== null)
    cursor = (await store.reindex(w, { limit: 30, ...(cursor === '' ? null : { cursor }) })).cursor
  const listed = 'select rowid, terms from search_term order by rowid'
  expect(await inIndex(file, listed)).toEqual(await inIndex(other, listed))
  for (const word of ['stale', 'quince3', 'pear3', 'apple'])
    expect([word, await having(file, word)]).toEqual([word, await having(other, word)])

  await store.redact(w, 'c', 'e50')
  expect([await having(file, 'secret50'), await having(file, 'apple')]).toEqual([0, 99])
  expect((await store.search(w, { text: 'secret50', limit: 9 })).items).toEqual([])
  await store.remove(w, 'c')
  expect(await having(file, 'apple')).toBe(0)
  await inIndex(file, "insert into search_term (search_term) values ('integrity-check')")
  await store.close()
})

/** Frames of the log of changes: pages that were written. */
const pages = (file: string): number => Math.floor((statSync(`${file}-wal`).size - 32) / 4_120)

test('deleting costs what is deleted and not what is stored: 20 messages among 100 and among 3,000 [field report B3]', async () => {
  const cost = async (others: number): Promise<number> => {
    const file = fresh()
    const store = await sqliteStore(file, { scrub: 0 })
    for (const [id, count] of [
      ['kept', others],
      ['gone', 20],
      ['more', others],
    ] as const) {
      await store.create(w, { id, at })
      for (let from = 0; from < count; from += 1_000) {
        const many = Array.from({ length: Math.min(1_000, count - from) }, (_, n) =>
          say(`${from + n}`, words(from + n)),
        )
        await store.append(w, id, many, { branch: 'main', at })
      }
    }
    await store.search(w, { text: 'apple', limit: 1 })
    const db = await openDatabase(file)
    db.get('pragma wal_checkpoint(truncate)')
    db.close()
    const before = existsSync(`${file}-wal`) ? Math.max(0, pages(file)) : 0
    await store.remove(w, 'gone')
    const cost = pages(file) - before
    expect((await store.search(w, { text: 'secret7', conversation: 'gone', limit: 1 })).items).toEqual([])
    await store.close()
    return cost
  }
  const [few, many] = [await cost(50), await cost(1_500)]
  expect(many).toBeLessThanOrEqual(few + 12)
})

test('an index in parts finds and loses words in each of them, newest first', async () => {
  const file = fresh()
  const store = await sqliteStore(file, { scrub: 0 })
  const db = await openDatabase(file)
  await store.create(w, { id: 'c', at })
  for (let part = 0; part < 3; part++) {
    await store.append(w, 'c', [say(`m${part}`, `apple number${part}`)], { branch: 'main', at })
    await store.search(w, { text: 'apple', limit: 1 })
    // as if as many places were taken as a part has
    db.run("update sqlite_sequence set seq = seq + :places where name = 'search_entry'", { places: partPlaces })
  }
  expect(db.all('select first from search_part').length).toBe(3)
  const texts = async (text: string, limit = 9, cursor?: string) =>
    store.search(w, { text, limit, ...(cursor === undefined ? null : { cursor }) })
  expect((await texts('apple')).items.map(({ entry }) => entry)).toEqual(['m2', 'm1', 'm0'])
  const first = await texts('apple', 2)
  expect((await texts('apple', 2, first.cursor ?? '')).items.map(({ entry }) => entry)).toEqual(['m0'])
  await store.redact(w, 'c', 'm1')
  await store.compact()
  expect((await texts('apple')).items.map(({ entry }) => entry)).toEqual(['m2', 'm0'])
  expect((await texts('number1')).items).toEqual([])
  expect((await readFile(file, 'latin1')).includes('number1')).toBe(false)
  db.close()
  await store.close()
})

test('words of what was removed from a large file leave it in the background, also after the process ended', async () => {
  const file = fresh()
  const store = await filled(file, 600)
  await store.create(w, { id: 'kept', at })
  await store.append(w, 'kept', [say('k', 'this stays')], { branch: 'main', at })
  await store.search(w, { text: 'stays', limit: 1 })
  await store.close()
  const large = await sqliteStore(file, { scrub: 0 })
  await large.remove(w, 'c')
  // it ends before the words are out
  await large.close()
  const again = await sqliteStore(file, { scrub: 0 })
  expect(await having(file, 'stays')).toBe(1)
  await again.create(w, { id: 'd', at })
  await again.remove(w, 'd')
  const left = async () => (await inIndex(file, 'select count(*) as places from search_gone'))[0]?.places
  await vi.waitFor(async () => expect([await having(file, 'apple'), await left()]).toEqual([0, 0]), 20_000)
  // copies that stay in a page when its rows move to another go when the file is written anew
  await again.compact()
  const bytes = (await Promise.all(['', '-wal'].map((end) => readFile(file + end, 'latin1').catch(() => '')))).join('')
  await again.close()
  expect(bytes).toContain('this stays')
  expect(bytes.match(/secret\d+|plum\d+/g)).toBeNull()
})

test('a word that goes after words were struck out together is in no byte of the file', async () => {
  const file = fresh()
  const store = await filled(file, 900)
  await inIndex(file, "update search_term set terms = replace(terms, 'pear', 'quince')")
  await store.reindex(w, { limit: 900 })
  await store.create(w, { id: 'kept', at })
  await store.append(w, 'kept', [say('k', 'this stays')], { branch: 'main', at })
  await store.search(w, { text: 'stays', limit: 1 })
  await store.redact(w, 'c', 'e50')
  await store.remove(w, 'c')
  const bytes = (await Promise.all(['', '-wal'].map((end) => readFile(file + end, 'latin1').catch(() => '')))).join('')
  await store.close()
  expect(bytes).toContain('this stays')
  expect(bytes.match(/secret\d+|plum\d+|pear\d|apple|quince/g)).toBeNull()
})
