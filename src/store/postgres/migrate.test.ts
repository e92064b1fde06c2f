import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, migrate, type Raw, rawClient } from '../../../test/postgres/database.js'
import { memoryStore } from '../memory/store.js'
import { at, said } from './log.fixture.js'
import { steps } from './schema.js'
import { postgresStore } from './store.js'

const server = await askServer()

describe.skipIf('reason' in server)('opening a PostgreSQL store', () => {
  const { url } = server as { url: string }
  let raw: Raw
  beforeAll(async () => {
    raw = await rawClient(url)
  })
  afterAll(() => raw.end())

  test('five processes can start at once on an empty database', async () => {
    for (let round = 0; round < 4; round++) {
      const schema = freshSchema()
      const stores = await Promise.all(Array.from({ length: 5 }, () => postgresStore(url, { schema, poolSize: 2 })))
      await stores[0]?.create('w', { id: 'c', at })
      const appends = stores.map((store) => store.append('w', 'c', [said('x')], { branch: 'main', at }))
      expect((await Promise.all(appends)).map(({ entries }) => entries[0]?.seq).sort()).toEqual([1, 2, 3, 4, 5])
      expect(await raw.query(`select version from "${schema}".format`)).toEqual([{ version: steps.length }])
      await Promise.all(stores.map((store) => store.close()))
    }
  })

  test('keeps what is there', async () => {
    const schema = freshSchema()
    const first = await postgresStore(url, { schema })
    await first.create('w', { id: 'c', at })
    await first.append('w', 'c', [said('kept')], { branch: 'main', at })
    await first.close()
    const second = await postgresStore(url, { schema })
    expect((await second.feed('w', 'c', 0, 9)).map(({ text }) => text)).toEqual(['kept'])
    await second.close()
  })

  test('brings format 1 up to date: what was written then is read, continued and verified', async () => {
    const schema = freshSchema()
    const old = memoryStore()
    await old.create('w', { id: 'c', at })
    await old.append('w', 'c', [said('one', 'a'), said('two', 'b')], { branch: 'main', at })
    await old.append('w', 'c', [said('three', 'd')], { branch: 'side', from: 'a', at })
    await old.redact('w', 'c', 'd')
    const entries = await old.feed('w', 'c', 0, 9)
    await raw.query('begin')
    await raw.query(`create schema "${schema}"`)
    await raw.query("select set_config('search_path', $1, true)", [schema])
    await raw.query(steps[0] as string)
    await raw.query('create table format as select 1 as version')
    await raw.query("select set_config('throughline.workspace', 'w', true)")
    await raw.query(`insert into conversation (workspace_id, id, title, tags, meta, created_at, updated_at, entries)
      values ('w', 'c', '', '{}', '{}', '', '', 3)`)
    for (const entry of entries)
      await raw.query(
        `insert into entry (workspace_id, conversation_id, seq, parent_seq, depth, tokens, total, turns, id, parent_id,
           opener_id, content_hash, hash, at, text, body, redacted)
         values ('w', 'c', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
        [
          ...[
            entry.seq,
            entry.parent === null ? null : 1,
            entry.depth,
            entry.tokens,
            entry.total,
            entry.turns,
            entry.id,
          ],
          ...[
            entry.parent,
            entry.opener,
            entry.contentHash,
            entry.hash,
            entry.at,
            entry.text,
            entry.body,
            entry.redacted,
          ],
        ],
      )
    await raw.query(
      `insert into branch select 'w', 'c', name, head, '' from (values ('main', 'b'), ('side', 'd')) b (name, head)`,
    )
    await raw.query('commit')

    const store = await postgresStore(url, { schema })
    expect(await store.feed('w', 'c', 0, 9)).toEqual(entries)
    await store.append('w', 'c', [said('four', 'e')], { branch: 'main', at })
    expect((await store.children('w', 'c', 'a')).map(({ id }) => id)).toEqual(['b', 'd'])
    expect((await store.window('w', 'c', 'main', {})).entries.map(({ id }) => id)).toEqual(['a', 'b', 'e'])
    expect(await store.verify('w', 'c')).toEqual({ ok: true, entries: 4 })
    expect(await raw.query(`select version from "${schema}".format`)).toEqual([{ version: steps.length }])
    await store.close()
  })

  test('refuses a format that is newer, and leaves it as it is', async () => {
    const schema = freshSchema()
    const store = await postgresStore(url, { schema })
    await store.create('w', { id: 'c', at })
    await store.close()
    await raw.query(`update "${schema}".format set version = version + 1`)
    const newer = { code: 'newer_format', issues: [{ value: steps.length + 1 }] }
    await expect(postgresStore(url, { schema })).rejects.toMatchObject(newer)
    await raw.query(`update "${schema}".format set version = version - 1`)
    const again = await postgresStore(url, { schema })
    expect((await again.get('w', 'c'))?.id).toBe('c')
    await again.close()
  })

  test('a step that fails leaves nothing behind', async () => {
    const schema = freshSchema()
    await raw.query(`create schema "${schema}"`)
    await raw.query(`create table "${schema}".receipt (id text)`)
    await expect(postgresStore(url, { schema })).rejects.toMatchObject({ code: 'unavailable' })
    const tables = await raw.query('select tablename from pg_tables where schemaname = $1', [schema])
    expect(tables).toEqual([{ tablename: 'receipt' }])
    await raw.query(`drop table "${schema}".receipt`)
    await (await postgresStore(url, { schema })).close()
  })

  test('an ordinary role that may not create anything opens tables that are there', async () => {
    const schema = freshSchema()
    await (await postgresStore(url, { schema })).close()
    const admin = await rawClient((server as { admin: string }).admin)
    const role = `${schema}_reader`
    const owner = await rawClient(url)
    try {
      await admin.query(`create role ${role} login nosuperuser password 'x'`)
      await owner.query(`grant usage on schema "${schema}" to ${role}`)
      await owner.query(`grant select, insert, update, delete on all tables in schema "${schema}" to ${role}`)
      const as = new URL(url)
      as.username = role
      as.password = 'x'
      const store = await postgresStore(as.href, { schema })
      await store.create('w', { id: 'c', at })
      expect((await store.list('w', { limit: 9 })).items).toHaveLength(1)
      await store.close()
    } finally {
      await owner.query(`drop schema "${schema}" cascade`)
      await admin.query(`drop role ${role}`)
      await admin.end()
      await owner.end()
    }
  })

  test.runIf(migrate === true)('a server without Citus distributes nothing, and says what it lacks', async () => {
    const schema = freshSchema()
    await expect(postgresStore(url, { schema, migrate: 'distribute' })).rejects.toMatchObject({ code: 'unprepared' })
  })

  test.each([
    ['a server that is not there', 'postgres://nobody:x@127.0.0.1:1/none', {}, 'unavailable'],
    ['a schema whose name is no plain name', 'postgres://127.0.0.1/none', { schema: 'a"b' }, 'invalid'],
  ] as const)('refuses %s', async (_, address, options, code) => {
    await expect(postgresStore(address, options)).rejects.toMatchObject({ code })
  })
})
