import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, type Raw, rawClient } from '../../../test/postgres/database.js'
import type { Store } from '../contract/store.js'
import { at, insist } from './log.fixture.js'
import { postgresStore } from './store.js'

const server = await askServer()

const pause = (ms: number) => new Promise((wake) => setTimeout(wake, ms))
const tell = (store: Store, c: string) =>
  insist(() => store.commit('w', c, [{ do: 'emit', events: [{ type: 'told', data: 'a secret' }], at }]))

async function heard(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 5) {
    if (waited > 10_000) throw new Error('nobody was woken')
    await pause(5)
  }
}

describe.skipIf('reason' in server)('who watches a conversation in PostgreSQL', () => {
  const { url } = server as { url: string }
  const schema = freshSchema()
  const name = `${schema}_watch`
  let [here, there]: Store[] = []
  let raw: Raw
  const listening = () =>
    raw.query("select pid from pg_stat_activity where application_name = $1 and query like 'listen %'", [name])

  beforeAll(async () => {
    raw = await rawClient(url)
    here = await postgresStore(`${url}?application_name=${name}`, { schema })
    there = await postgresStore(url, { schema })
    for (const id of ['c', 'd']) await here.create('w', { id, at })
  })
  afterAll(async () => {
    await Promise.all([here?.close(), there?.close()])
    await raw.end()
  })
  const stores = (): readonly [Store, Store] => [here as Store, there as Store]

  test('is woken by the commits of another process on that conversation, over one connection', async () => {
    const [here, there] = stores()
    const wakes = { c: 0, d: 0 }
    const offs = [here.watch('w', 'c', () => wakes.c++), here.watch('w', 'd', () => wakes.d++)]
    // listening begins with a wake-up for everyone
    await heard(() => wakes.c > 0 && wakes.d > 0)
    expect(await listening()).toHaveLength(1)
    for (let round = 1; round <= 20; round++) {
      const before = { ...wakes }
      await tell(there, 'c')
      await heard(() => wakes.c > before.c)
      expect((await here.events('w', 'c', 0, 99)).newest).toBe(round)
      expect(wakes.d).toBe(before.d)
    }
    await there.commit('w', 'd', [{ do: 'put-record', record: { kind: 'run', id: 'r', body: 1, at } }])
    await pause(50)
    expect(wakes.d).toBe(1)
    for (const off of offs) off()
  })

  test('is woken after its connection was lost, also by what it missed', async () => {
    const [here, there] = stores()
    let wakes = 0
    const off = here.watch('w', 'c', () => wakes++)
    for (let round = 0; round < 3; round++) {
      await heard(() => wakes > 0 || round === 0)
      const lost = await listening()
      await raw.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name])
      wakes = 0
      await tell(there, 'c')
      await heard(() => wakes > 0)
      while ((await listening()).length === 0) await pause(5)
      expect(await listening()).not.toEqual(lost)
      wakes = 0
      await tell(there, 'c')
    }
    off()
  })

  test('is told nothing of what was said, and no other schema hears it', async () => {
    const [, there] = stores()
    const said: string[] = []
    const { default: pg } = await import('pg')
    const client = new pg.Client(url)
    await client.connect()
    client.on('notification', ({ channel, payload }) => said.push(`${channel} ${payload}`))
    const channels = await raw.query(`select 'throughline_' || left(encode(sha256($1::bytea), 'hex'), 16) as channel`, [
      schema,
    ])
    await client.query(`listen ${channels[0]?.channel}`)
    await client.query('listen throughline')
    await tell(there, 'c')
    await heard(() => said.length > 0)
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/^throughline_[0-9a-f]{16} [0-9a-f]{64}$/)
    await client.end()
  })

  test('is woken no more once the store is closed, and keeps no connection', async () => {
    const [, there] = stores()
    const closed = await postgresStore(`${url}?application_name=${name}_closed`, { schema })
    let wakes = 0
    closed.watch('w', 'c', () => wakes++)
    await closed.close()
    wakes = 0
    await tell(there, 'c')
    await pause(100)
    expect(wakes).toBe(0)
    const left = 'select 1 from pg_stat_activity where application_name = $1'
    expect(await raw.query(left, [`${name}_closed`])).toEqual([])
  })
})
