import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { chooseEngine, isSoundVersion, openDatabase } from './driver.js'
import { at, bytesOf, freshFiles, say } from './file.fixture.js'
import { openFile } from './open.js'
import { m001 } from './schema.js'
import { m002 } from './schema-2.js'
import { m003 } from './schema-3.js'
import { m004 } from './schema-4.js'
import { addFormat, createFormat } from './statements.js'
import { sqliteStore, storeOn } from './store.js'

const file = freshFiles()

describe('a connection', () => {
  test('waits for the disk, also after its first write, and holds to its other settings', async () => {
    const path = file()
    await (await sqliteStore(path)).close()
    const db = await openFile(path)
    const store = storeOn(db)
    await store.create('w', { id: 'c', at })
    expect(db.get('pragma synchronous')?.synchronous).toBe(2)
    expect(db.get('pragma foreign_keys')?.foreign_keys).toBe(1)
    expect(db.get('pragma secure_delete')?.secure_delete).toBe(1)
    expect(db.get('pragma journal_mode')?.journal_mode).toBe('wal')
    expect(db.get('pragma busy_timeout')?.timeout).toBe(0)
    expect(db.get('pragma auto_vacuum')?.auto_vacuum).toBe(2)
    expect(db.get('pragma journal_size_limit')?.journal_size_limit).toBe(16 * 1024 * 1024)
    await store.close()
  })

  test('that does not wait for the disk is refused with its first write', async () => {
    const db = await openFile(file())
    db.exec('pragma synchronous = normal')
    const store = storeOn(db)
    await expect(store.create('w', { id: 'c', at })).rejects.toMatchObject({ code: 'unavailable' })
    await store.close()
  })

  test('keeps the log of changes small [T-96]', async () => {
    const path = file()
    const store = await sqliteStore(path)
    await store.create('w', { id: 'c', at })
    for (let i = 0; i < 10; i++)
      await store.append('w', 'c', [say(`e${i}`, 'x'.repeat(2_000_000))], { branch: 'main', at })
    expect(readFileSync(`${path}-wal`).length).toBeLessThan(16 * 1024 * 1024)
    await store.close()
  })
})

describe('a file', () => {
  test('of a newer format is refused and not touched [T-94]', async () => {
    const path = file()
    const db = await openFile(path)
    db.exec('pragma user_version = 99')
    db.close()
    const before = bytesOf(path)
    await expect(sqliteStore(path)).rejects.toMatchObject({ code: 'newer_format', issues: [{ value: 99 }] })
    expect(bytesOf(path).equals(before)).toBe(true)
  })

  test('of another program is refused and not touched', async () => {
    const path = file()
    const db = await openDatabase(path)
    db.exec('create table theirs (id integer primary key)')
    db.close()
    const before = bytesOf(path)
    await expect(sqliteStore(path)).rejects.toMatchObject({ code: 'invalid' })
    expect(bytesOf(path).equals(before)).toBe(true)
  })

  test('that is no database is refused and not touched', async () => {
    const path = file()
    writeFileSync(path, 'not a database, but long enough to be taken for one '.repeat(100))
    const before = bytesOf(path)
    await expect(sqliteStore(path)).rejects.toMatchObject({ code: 'unavailable' })
    expect(bytesOf(path).equals(before)).toBe(true)
  })

  test('that is as it should be is not written when it is opened and read (issue 21)', async () => {
    const path = file()
    const made = await sqliteStore(path)
    await made.create('w', { id: 'c', at })
    await made.close()
    const before = readFileSync(path)
    const store = await sqliteStore(path)
    expect(await store.get('w', 'c')).toMatchObject({ id: 'c' })
    await store.close()
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test('in a folder that is not there is refused', async () => {
    await expect(sqliteStore('/nowhere/at/all.db')).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('says its format', async () => {
    const db = await openFile(file())
    expect(db.get('pragma user_version')?.user_version).toBe(11)
    expect(db.all('select version from format')).toMatchObject(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((version) => ({ version })),
    )
    db.close()
  })

  test.each([1, 2, 3, 4])('of format %i is brought up to this one, with all that is in it', async (format) => {
    const path = file()
    const old = await openDatabase(path)
    const made = [m001, m002, m003, m004].slice(0, format).join(';')
    old.exec(`${createFormat}; pragma application_id = ${0x5468726c}; ${made}; pragma user_version = ${format}`)
    for (let version = 1; version <= format; version++) old.run(addFormat, { version })
    // as these releases wrote them
    old.exec(`
      insert into conversation (workspace_id, id, title, folder, tags, meta, created_at, updated_at, entries, bytes)
      values ('w', 'c', 't', null, '[]', '{}', '${at}', '${at}', 1, 9), ('w', 'd', 'u', null, '[]', '{}', '2025', '2025', 0, 0);
      insert into entry (workspace_id, conversation_id, seq, parent_seq, depth, tokens, total, turns, id, parent_id,
        opener_id, content_hash, hash, at, text, body)
      values ('w', 'c', 1, null, 0, 1, 1, 1, 'o', null, 'o', x'00', x'00', '${at}', 'old words',
        '{"kind":"message","role":"user","parts":[{"type":"text"}],"status":"complete"}');
      insert into branch (workspace_id, conversation_id, name, head_id, updated_at) values ('w', 'c', 'main', 'o', '${at}');
      insert into draft (workspace_id, conversation_id, id, branch, parent_id, text, body, epoch, lease_until, at)
      values ('w', 'c', 'answer', 'main', 'o', 'half', 'null', 3, 1, '${at}')`)
    const beside = format >= 2
    if (beside)
      old.exec(`
        update conversation set events = 1 where id = 'c';
        insert into event (workspace_id, conversation_id, number, type, data, at) values ('w', 'c', 1, 'old', '7', '${at}');
        insert into record (workspace_id, kind, id, conversation_id, body, revision, created_at, updated_at)
        values ('w', 'run', 'r', 'c', '{"a":1}', 3, '${at}', '${at}'), ('w', 'key', 'k', null, '2', 1, '${at}', '${at}')`)
    old.close()
    const store = await sqliteStore(path)
    expect((await store.list('w', { limit: 9 })).items.map(({ id }) => id)).toEqual(['c', 'd'])
    expect(await store.drafts('w', 'c')).toMatchObject([{ id: 'answer', text: 'half', epoch: 3, parent: 'o' }])
    const told = await store.commit('w', 'c', [
      { do: 'append', entries: [say('a', 'hello there')], options: { branch: 'main', expect: 'o', at } },
      { do: 'emit', events: [{ type: 'x', data: 1 }], at },
    ])
    expect(told.outcomes[0]).toMatchObject({ entries: [{ seq: 2, parent: 'o', opener: 'o', total: 2 }] })
    const found = async (text: string) => (await store.search('w', { text, limit: 9 })).items
    expect(await found('hello')).toMatchObject([{ title: 't', entry: 'a' }])
    expect(await found('old')).toMatchObject([{ title: 't', entry: 'o' }])
    expect(await store.unembedded('w', 'm', 9)).toMatchObject([{ text: 'old words' }, { text: 'hello there' }])
    expect(await store.claimDrafts('w', 9)).toMatchObject([{ id: 'answer', epoch: 4 }])
    await store.close()
    const again = await sqliteStore(path)
    const { events } = await again.events('w', 'c', 0, 9)
    expect(events.map(({ number, data }) => [number, data])).toEqual(
      beside
        ? [
            [1, 7],
            [2, 1],
          ]
        : [[1, 1]],
    )
    for (const [kind, records] of Object.entries({
      run: [{ id: 'r', revision: 3, body: { a: 1 } }],
      key: [{ id: 'k', body: 2 }],
    }))
      expect((await again.records('w', { kind, limit: 9 })).items).toMatchObject(beside ? records : [])
    await again.close()
  })

  test('can be a name for memory', async () => {
    const store = await sqliteStore(':memory:')
    await store.create('w', { id: 'c', at })
    await store.append('w', 'c', [say('a', 'hello')], { branch: 'main', at })
    await store.remove('w', 'c')
    expect(await store.get('w', 'c')).toBeNull()
    await store.close()
  })
})

describe('the driver', () => {
  test.each([
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.52.0', false],
    ['3.52.1', true],
    ['3.53.0', true],
    ['3.9.9', false],
    ['4.0.0', true],
  ])('judges SQLite %s: %s', (version, expected) => {
    expect(isSoundVersion(version)).toBe(expected)
  })

  test('says what to install where there is no SQLite', async () => {
    await expect(chooseEngine([async () => undefined])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^Cannot open SQLite: .*Node 22\.13 or newer, or npm install @photostructure\/sqlite$/,
      ),
    })
  })
})
