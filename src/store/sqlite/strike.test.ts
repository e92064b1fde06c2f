import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { openDatabase } from './driver.js'
import { at, freshFiles, say } from './file.fixture.js'
import { sqliteStore } from './store.js'
import { striking } from './strike.js'

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

test('a write that fails while words are struck out leaves them, and the next removal overwrites again', async () => {
  const file = fresh()
  await (await filled(file)).close()
  const db = await openDatabase(file)
  db.exec('begin immediate')
  const work = (): void => {
    db.exec('delete from search_term where rowid > -50')
    throw new Error('the disk is full')
  }
  expect(() => striking(db, 100, work)).toThrow('full')
  db.exec('rollback')
  expect(await having(file, 'apple')).toBe(100)
  expect(db.get("select v from search_term_config where k = 'secure-delete'")?.v).toBe(1)
  db.exec('delete from search_term where rowid = -50')
  expect([await having(file, 'apple'), await having(file, 'secret49')]).toEqual([99, 0])
  db.close()
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
