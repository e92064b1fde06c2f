import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer } from '../../../test/postgres/database.js'
import { send } from './batch.js'
import { sql } from './sql/statement.js'

const server = await askServer()

describe.skipIf('reason' in server)('a batch of statements', () => {
  const { url } = server as { url: string }
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  let client: pg.PoolClient
  beforeAll(async () => {
    client = await pool.connect()
  })
  afterAll(async () => {
    client.release()
    await pool.end()
  })

  const echo = sql(
    'echo',
    'select $1::text[] as texts, $2::boolean as flag, $3::bigint::text as number, $4::bytea as bytes',
  )

  test.each([['new'], ['known']])('gives back what it was given when the statement is %s', async () => {
    const texts = ['', 'a "b" \\ c', 'NULL', '{},', ' ’\n', null]
    const [first, second] = await send(client, [
      [echo, [texts, true, 7, Buffer.from([0, 255])]],
      [echo, [[], null, null, null]],
    ])
    expect(first?.rows).toEqual([{ texts, flag: true, number: '7', bytes: Buffer.from([0, 255]) }])
    expect(second?.rows).toEqual([{ texts: [], flag: null, number: null, bytes: null }])
  })

  test('is one transaction by itself', async () => {
    await client.query('create temporary table kept (n integer)')
    const add = sql('add', 'insert into kept select $1::integer')
    const fail = sql('fail', 'select 1 / $1::integer')
    const results = await send(client, [
      [add, [1]],
      [add, [2]],
    ])
    expect(results.map(({ command }) => command)).toEqual(['INSERT 0 1', 'INSERT 0 1'])
    await expect(
      send(client, [
        [add, [3]],
        [fail, [0]],
      ]),
    ).rejects.toMatchObject({ code: '22012' })
    expect((await client.query('select n from kept order by n')).rows).toEqual([{ n: 1 }, { n: 2 }])
  })
})
