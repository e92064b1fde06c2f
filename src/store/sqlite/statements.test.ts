import { describe, expect, test } from 'vitest'
import { at, bytesOf, freshFiles, say } from './file.fixture.js'
import { openFile } from './open.js'
import * as side from './side.js'
import * as statements from './statements.js'
import { sqliteStore, storeOn } from './store.js'

const file = freshFiles()
const tables =
  'conversation|entry|call|branch|draft|blob|blob_ref|receipt|idempotency|tombstone|event|record|sheet|search_entry|search_term'
const all: readonly (readonly [name: string, sql: string])[] = [
  ...Object.entries({ ...statements, ...side }).flatMap(([name, sql]) =>
    typeof sql === 'string' ? [[name, sql] as const] : [],
  ),
  ...Object.entries(statements.removeAll),
  ['search', side.searchWords('search_term')],
]
const about = all.filter(([, sql]) => new RegExp(`\\b(from|into|update|join)\\s+(${tables})\\b`).test(sql))

describe('every statement', () => {
  test('about what people said names the workspace', () => {
    expect(about.length).toBeGreaterThan(40)
    expect(about.filter(([, sql]) => !sql.includes(':workspace')).map(([name]) => name)).toEqual([])
  })

  test('that takes an entry out of the index goes to its vectors, and not through those of the workspace', async () => {
    const path = file()
    const plan = async () => {
      const db = await openFile(path)
      // as the foreign key has it
      const asked = 'explain query plan delete from search_vector where workspace_id = 1 and place = 1'
      const details = db.all(asked).map(({ detail }) => String(detail))
      db.exec('delete from sqlite_stat1; analyze sqlite_schema')
      const without = db.all(asked).map(({ detail }) => String(detail))
      db.exec('drop table sqlite_stat1')
      db.close()
      return [details, without]
    }
    // a new file, and one of an earlier release
    for (const [details, without] of [await plan(), await plan()]) {
      expect(details).toEqual([expect.stringContaining('workspace_id=? AND place=?')])
      expect(without).not.toEqual(details)
    }
  })

  test('finds its rows by an index that begins with the workspace', async () => {
    const db = await openFile(file())
    const scans = about.flatMap(([name, sql]) => {
      const values = Object.fromEntries(Array.from(sql.matchAll(/:([a-z]\w*)/gi), ([, key]) => [key as string, 1]))
      const plan = db.all(`explain query plan ${sql}`, values).map(({ detail }) => String(detail))
      const scanned = new RegExp(`^SCAN (?!search_term VIRTUAL TABLE INDEX .*(M|=))(${tables}|other)\\b`)
      const wrong = plan.filter((step) => scanned.test(step))
      const loose = plan.filter(
        (step) => /^SEARCH (?!search_part)/.test(step) && !/workspace_id=\?|rowid=\?/.test(step),
      )
      return [...wrong, ...loose].map((step) => `${name}: ${step}`)
    })
    expect(scans).toEqual([])
    db.close()
  })

  test('of a list reads it in order, without sorting', async () => {
    const db = await openFile(file())
    for (const sql of [
      statements.listFirst,
      statements.listAfter,
      statements.receiptsFirst,
      statements.receiptsAfter,
      side.eventsAfter,
      side.records,
      side.recordsIn,
      side.unsearched,
      side.searchWords('search_term'),
    ]) {
      const values = Object.fromEntries(Array.from(sql.matchAll(/:([a-z]\w*)/gi), ([, key]) => [key as string, 1]))
      const plan = db.all(`explain query plan ${sql}`, values).map(({ detail }) => String(detail))
      // of conversations, those of the same ten minutes are sorted: their index does not move with every message
      const sorted = plan.filter((step) => step.includes('TEMP B-TREE') && !step.includes('FOR LAST 2 TERMS'))
      expect(sorted).toEqual([])
    }
    db.close()
  })
})

describe('the file', () => {
  test('grows with what is new and not with what is there [T-95]', async () => {
    const path = file()
    const store = await sqliteStore(path)
    await store.create('w', { id: 'c', at })
    const sizes: number[] = []
    for (let i = 0; i < 4; i++) {
      const batch = Array.from({ length: 500 }, (_, n) => say(`e${i}-${n}`, `word ${n} `.repeat(50)))
      await store.append('w', 'c', batch, { branch: 'main', at })
      await store.compact()
      sizes.push(bytesOf(path).length)
    }
    const [first = 0, ...growth] = sizes.map((size, i) => size - (sizes[i - 1] ?? 0))
    for (const more of growth) expect(more).toBeLessThan(first * 1.1)
    await store.close()
  })

  test('prints a conversation to people with a SQL prompt', async () => {
    const db = await openFile(file())
    const store = storeOn(db)
    await store.create('w', { id: 'c', title: 'A talk', at })
    await store.append('w', 'c', [say('a', 'Hello?'), say('b', 'Hi!', 'assistant'), say('x', 'secret')], {
      branch: 'main',
      at,
    })
    await store.redact('w', 'c', 'x')
    expect(db.all('select title, seq, who, said from conversation_text')).toMatchObject([
      { title: 'A talk', seq: 1, who: 'user', said: 'Hello?' },
      { title: 'A talk', seq: 2, who: 'assistant', said: 'Hi!' },
      { title: 'A talk', seq: 3, who: 'user', said: '[redacted]' },
    ])
    await store.close()
  })

  test('has the words of a message once', async () => {
    const path = file()
    const store = await sqliteStore(path)
    await store.create('w', { id: 'c', at })
    const words = 'only-once '.repeat(100)
    const { entries } = await store.append('w', 'c', [say('a', words)], { branch: 'main', at })
    expect(await store.entry('w', 'c', 'a')).toEqual(entries[0])
    await store.close()
    expect(bytesOf(path).toString('latin1').split('only-once').length - 1).toBe(100)
  })

  test("is in nobody's way after it was read: the log of changes can be emptied", async () => {
    const path = file()
    const store = await sqliteStore(path)
    await store.create('w', { id: 'c', at })
    await store.append('w', 'c', [say('a', 'hello')], { branch: 'main', at })
    const other = await openFile(path)
    for (const read of [
      () => store.get('w', 'c'),
      () => store.entry('w', 'c', 'a'),
      () => store.window('w', 'c', 'main', { tokens: 10 }),
      () => store.window('w', 'c', 'none', {}),
      () => store.getReceipt('w', 'none'),
      () => store.getBlob('w', 'none'),
    ]) {
      await read()
      expect(other.get(statements.checkpoint)?.busy).toBe(0)
    }
    other.close()
    await store.close()
  })

  test('is copied while it is written to', async () => {
    const [path, copy] = [file(), file()]
    const store = await sqliteStore(path)
    await store.create('w', { id: 'c', at })
    await store.append('w', 'c', [say('a', 'before')], { branch: 'main', at })
    const [, later] = await Promise.all([
      store.backup(copy),
      store.append('w', 'c', [say('b', 'after')], { branch: 'main', at }),
    ])
    expect(later.head).toBe('b')
    const copied = await sqliteStore(copy)
    expect((await copied.verify('w', 'c')).ok).toBe(true)
    expect(await copied.entry('w', 'c', 'a')).toEqual(await store.entry('w', 'c', 'a'))
    await expect(store.backup(copy)).rejects.toMatchObject({ code: 'id_conflict' })
    await Promise.all([store.close(), copied.close()])
  })
})
