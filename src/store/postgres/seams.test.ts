/** The store in a program that has a pool, a schema tool and tables of its own. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema } from '../../../test/postgres/database.js'
import { postgresFailure } from './failure.js'
import { migrationSql, postgresStore } from './index.js'
import { at, said } from './log.fixture.js'

const server = await askServer()

describe.skipIf('reason' in server)('a PostgreSQL store on a pool of the caller', () => {
  const { url } = server as { url: string }
  let pool: pg.Pool
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: url, max: 3 })
  })
  afterAll(() => pool.end())

  test('works on it, listens beside it, and leaves it open', async () => {
    const store = await postgresStore({ pool }, { schema: freshSchema() })
    await store.create('w', { id: 'c', at })
    const { entries } = await store.append('w', 'c', [said('one')], { branch: 'main', at })
    expect(entries[0]).toMatchObject({ seq: 1, text: 'one' })
    await store.close()
    const { rows } = await pool.query('select 1::bigint as one, current_setting($1) as path', ['search_path'])
    // the pool still reads as its owner has set it
    expect(rows).toEqual([{ one: '1', path: '"$user", public' }])
  })

  test('migrated by someone else is opened without touching the schema, and refused when it is not', async () => {
    const schema = freshSchema()
    const refused = postgresStore({ pool }, { schema, migrate: false })
    await expect(refused).rejects.toMatchObject({
      code: 'unprepared',
      issues: [{ suggestion: expect.stringContaining('migrationSql') }],
    })
    expect((await pool.query('select 1 from pg_namespace where nspname = $1', [schema])).rows).toEqual([])
    await pool.query(migrationSql({ schema }))
    const store = await postgresStore({ pool }, { schema, migrate: false })
    await store.create('w', { id: 'c', at })
    expect((await store.append('w', 'c', [said('one')], { branch: 'main', at })).entries).toHaveLength(1)
    expect(await store.verify('w', 'c')).toMatchObject({ ok: true })
    // the same as what the store itself would have made
    const own = freshSchema()
    await (await postgresStore({ pool }, { schema: own })).close()
    expect(await columnsOf(schema)).toEqual(await columnsOf(own))
    await store.close()
  })

  const columnsOf = async (schema: string) =>
    (
      await pool.query(
        `select table_name, column_name, data_type from information_schema.columns where table_schema = $1
          and column_name <> 'embedding' order by 1, 2`,
        [schema],
      )
    ).rows

  describe('inside a transaction of the caller', () => {
    const schema = freshSchema()
    const orders = `orders_${schema}`
    beforeAll(() => pool.query(`create table ${orders} (n integer primary key)`))
    afterAll(() => pool.query(`drop table ${orders}`))

    test('commits with the tables of the caller, or not at all', async () => {
      const store = await postgresStore({ pool }, { schema })
      await store.create('w', { id: 'c', at })
      const client = await pool.connect()
      const inside = store.within(client)
      for (const [n, end] of [
        [1, 'rollback'],
        [2, 'commit'],
      ] as const) {
        await client.query('begin')
        await client.query(`insert into ${orders} values ($1)`, [n])
        await inside.append('w', 'c', [said(`order ${n}`)], { branch: 'main', at })
        expect((await inside.feed('w', 'c', 0, 9)).map(({ text }) => text)).toEqual([`order ${n}`])
        expect(await store.feed('w', 'c', 0, 9)).toEqual([])
        await client.query(end)
      }
      client.release()
      expect((await pool.query(`select n from ${orders}`)).rows).toEqual([{ n: 2 }])
      expect((await store.feed('w', 'c', 0, 9)).map(({ text, seq }) => [text, seq])).toEqual([['order 2', 1]])
      expect(await store.verify('w', 'c')).toMatchObject({ ok: true })
      await store.close()
    })

    test('a refusal undoes its own call, and neither it nor a success changes what the caller has set', async () => {
      const store = await postgresStore({ pool }, { schema })
      const client = await pool.connect()
      const inside = store.within(client)
      await client.query('begin')
      await client.query("set local search_path to public; set local statement_timeout to '7s'")
      const settings = () =>
        client.query("select current_setting('search_path') as p, current_setting('statement_timeout') as t")
      await client.query(`insert into ${orders} values (3)`)
      await expect(inside.append('w', 'never', [said('x')], { branch: 'main', at })).rejects.toMatchObject({
        code: 'not_found',
      })
      expect((await settings()).rows).toEqual([{ p: 'public', t: '7s' }])
      await Promise.all([
        inside.append('w', 'c', [said('three')], { branch: 'main', at }),
        inside.commit('w', 'c', [{ do: 'append', entries: [said('four')], options: { branch: 'main', at } }]),
      ])
      expect((await settings()).rows).toEqual([{ p: 'public', t: '7s' }])
      await client.query('commit')
      client.release()
      expect((await store.feed('w', 'c', 1, 9)).map(({ text }) => text)).toEqual(['three', 'four'])
      expect((await pool.query(`select n from ${orders} where n = 3`)).rows).toHaveLength(1)
      await store.close()
    })
  })

  test('a wrong password, a missing database and bad TLS each say so in the words of the driver', async () => {
    const address = new URL(url)
    const as = (change: (to: URL) => void) => {
      const to = new URL(address)
      change(to)
      return postgresStore(to.href, { schema: freshSchema() })
    }
    await expect(as((to) => Object.assign(to, { password: 'wrong' }))).rejects.toMatchObject({
      code: 'unauthorized',
      issues: [{ reason: expect.stringContaining('password authentication failed') }],
    })
    await expect(as((to) => Object.assign(to, { pathname: '/nowhere' }))).rejects.toMatchObject({
      code: 'unprepared',
      message: expect.stringContaining('"nowhere"'),
    })
    await expect(as((to) => to.searchParams.set('sslmode', 'verify-full'))).rejects.toMatchObject({
      code: 'insecure',
      issues: [{ reason: 'The server does not support SSL connections' }],
    })
  })
})

test.each([
  ['28P01', 'unauthorized'],
  ['28000', 'unauthorized'],
  ['42501', 'forbidden'],
  ['3D000', 'unprepared'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'insecure'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'insecure'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'insecure'],
])('%s is %s, with the words of the driver, and no promise that the same call can be made again', (code, expected) => {
  const failure = postgresFailure(Object.assign(new Error('as the driver says'), { code }))
  expect(failure).toMatchObject({ code: expected, issues: [{ reason: 'as the driver says' }] })
  expect(failure.message).not.toContain('again')
})
