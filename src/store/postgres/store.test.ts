import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askServer, freshSchema, migrate, named, type Raw, rawClient } from '../../../test/postgres/database.js'
import { proxyTo } from '../../../test/postgres/proxy.js'
import type { Store } from '../contract/store.js'
import { at, expectWhole, insist, said } from './log.fixture.js'
import * as append from './sql/append.js'
import * as branches from './sql/branches.js'
import * as conversations from './sql/conversations.js'
import * as drafts from './sql/drafts.js'
import * as events from './sql/events.js'
import * as files from './sql/files.js'
import * as frame from './sql/frame.js'
import * as log from './sql/log.js'
import * as records from './sql/records.js'
import * as search from './sql/search.js'
import type { Statement } from './sql/statement.js'
import * as vectors from './sql/vectors.js'
import { postgresStore } from './store.js'

const beside = [events, files, search, vectors]
const { state, lock, holdRow: hold, lockAlone, local: _, ...frames } = frame
const statements = [{ state, lock, hold, lockAlone }, append, branches, conversations, drafts, log, records, ...beside]
  .flatMap((file): unknown[] => Object.values(file))
  .filter((one): one is Statement => typeof one === 'object')

const server = await askServer()

describe.skipIf('reason' in server)('a PostgreSQL store', () => {
  const { url } = server as { url: string }
  const schema = freshSchema()
  let store: Store
  let raw: Raw

  beforeAll(async () => {
    raw = await rawClient(url)
    store = await postgresStore(url, { schema, migrate })
  })
  afterAll(async () => {
    await store.close()
    await raw.end()
  })

  describe('the second wall', () => {
    const tables = [
      ...['conversation', 'entry', 'branch', 'draft', 'blob', 'blob_ref', 'receipt', 'idempotency', 'tombstone'],
      ...['event', 'record', 'search_entry', 'conversation_text'],
    ]

    beforeAll(async () => {
      for (const workspace of ['wall-a', 'wall-b']) {
        await store.create(workspace, { id: 'c', at })
        await store.create(workspace, { id: 'old', at })
        await store.remove(workspace, 'old')
        await store.append(workspace, 'c', [said(workspace)], { branch: 'main', key: 'k', at })
        await store.openDraft(workspace, 'c', { id: 'd', branch: 'main', parent: null, leaseSeconds: 60, at })
        await store.putBlob(workspace, 'c', { bytes: Buffer.from(workspace), mediaType: 'text/plain' })
        await store.putReceipt(workspace, { id: 'r', conversation: 'c', entry: null, at, body: {} })
        await store.putRecord(workspace, { kind: 'run', id: 'r', body: {}, at })
        await store.commit(workspace, 'c', [{ do: 'emit', events: [{ type: 'x', data: 1 }], at }])
        await store.search(workspace, { text: 'wall', limit: 1 })
      }
    })

    test.each(tables)('shows no row of %s to a query that names no workspace, even the owner’s', async (table) => {
      expect(await raw.query(`select * from "${schema}".${table}`)).toEqual([])
    })

    test.each(tables)('shows the rows of %s of the named workspace alone, whatever is asked', async (table) => {
      await raw.query('begin')
      await raw.query(named('wall-a'))
      const rows = await raw.query(`select distinct workspace_id from "${schema}".${table}`)
      const foreign = await raw.query(`select * from "${schema}".${table} where workspace_id = 'wall-b'`)
      await raw.query('commit')
      expect([rows, foreign]).toEqual([[{ workspace_id: 'wall-a' }], []])
      expect(await raw.query(`select * from "${schema}".${table}`)).toEqual([])
    })

    test('refuses a row for another workspace than the named one', async () => {
      await raw.query('begin')
      await raw.query(named('wall-a'))
      const foreign = `insert into "${schema}".tombstone (workspace_id, conversation_id) values ('wall-b', 'c')`
      await expect(raw.query(foreign)).rejects.toThrow(/row-level security/)
      await raw.query('rollback')
    })

    test('is not the only one: every statement carries its workspace', () => {
      const bare = statements.filter(({ text }) => !text.includes('workspace_id = $1'))
      const inserts = bare.filter(
        ({ text }) => !/^insert into \w+( as \w)? \(workspace_id,[^)]*\)\s+(values \(|select )\$1,/.test(text),
      )
      expect(inserts).toEqual([])
    })

    test('prepares each statement under a name of its own', () => {
      const names = [...Object.values(frames), ...statements].map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
    })
  })

  test('prints a conversation to anyone with a SQL prompt', async () => {
    await store.create('print', { id: 'c', title: 'Tea', at })
    await store.append('print', 'c', [said('one', 'a'), said('two', 'b')], { branch: 'main', at })
    await store.redact('print', 'c', 'b')
    await raw.query('begin')
    await raw.query(named('print'))
    const rows = await raw.query(`select title, seq, who, said from "${schema}".conversation_text`)
    await raw.query('commit')
    expect(rows).toEqual([
      { title: 'Tea', seq: '1', who: 'user', said: 'one' },
      { title: 'Tea', seq: '2', who: 'user', said: '[redacted]' },
    ])
  })

  describe('several processes', () => {
    let other: Store
    beforeAll(async () => {
      other = await postgresStore(url, { schema, migrate, poolSize: 4 })
    })
    afterAll(() => other.close())

    test('of two writers that saw the same head one wins, and the other is told the new one [L-7]', async () => {
      await store.create('two', { id: 'c', at })
      let head: string | null = null
      for (let round = 0; round < 30; round++) {
        const expected: string | null = head
        const tries = await Promise.allSettled(
          [store, other].map((one) => one.append('two', 'c', [said('x')], { branch: 'main', expect: expected, at })),
        )
        const won = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.head] : []))
        const lost = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
        expect(won).toHaveLength(1)
        expect(lost).toMatchObject([{ code: 'head_moved', issues: [{ value: won[0] }] }])
        head = won[0] as string
      }
      expect(await store.verify('two', 'c')).toEqual({ ok: true, entries: 30 })
    })

    test('both of two writers without an expectation survive, gap-free, in the order of their answers [L-7]', async () => {
      await store.create('both', { id: 'c', at })
      const acknowledged = new Map<string, { text: string; seq: number }>()
      const writer = async (one: Store, name: string) => {
        for (let i = 0; i < 40; i++) {
          const entry = said(`${name} ${i}`)
          const before = Math.max(0, ...[...acknowledged.values()].map(({ seq }) => seq))
          const { entries } = await one.append('both', 'c', [entry], { branch: 'main', at })
          const seq = entries[0]?.seq ?? 0
          expect(seq).toBeGreaterThan(before)
          acknowledged.set(entry.id, { text: entry.text, seq })
        }
      }
      await Promise.all([store, other, store, other].map((one, i) => writer(one, `writer ${i}`)))
      expect(acknowledged.size).toBe(160)
      await expectWhole(store, 'both', 'c', acknowledged)
    })

    test('give an expired draft to one claimer each', async () => {
      await store.create('claim', { id: 'c', at })
      for (let i = 0; i < 20; i++)
        await store.openDraft('claim', 'c', { id: `d${i}`, branch: 'main', parent: null, leaseSeconds: 0, at })
      const claims = await Promise.all([store, other, store, other].map((one) => one.claimDrafts('claim', 60)))
      expect(
        claims
          .flat()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(Array.from({ length: 20 }, (_, i) => `d${i}`).sort())
    })

    test('keep a blob that one conversation gives up while another takes it', async () => {
      const blob = { bytes: Buffer.from('shared'), mediaType: 'text/plain' }
      for (let round = 0; round < 20; round++) {
        const [giver, taker] = [`giver ${round}`, `taker ${round}`]
        await store.create('blob', { id: giver, at })
        await store.create('blob', { id: taker, at })
        await store.putBlob('blob', giver, blob)
        const [{ sha256 }] = await Promise.all([other.putBlob('blob', taker, blob), store.remove('blob', giver)])
        expect((await store.getBlob('blob', sha256))?.size).toBe(6)
        expect((await store.remove('blob', taker)).removed.blob).toBe(1)
        expect(await store.getBlob('blob', sha256)).toBeNull()
      }
    })
  })

  test('a conversation that is made and removed at once is made before or gone, never both', async () => {
    for (let round = 0; round < 20; round++) {
      const id = `r${round}`
      await store.create('again', { id, at })
      const [again] = await Promise.allSettled([store.create('again', { id, at }), store.remove('again', id)])
      expect(again).toMatchObject({ status: 'rejected' })
      expect(['gone', 'id_conflict']).toContain((again as PromiseRejectedResult).reason.code)
      expect(await store.get('again', id)).toBeNull()
    }
  })

  test.each(['before', 'after'] as const)(
    'a connection lost just %s the commit is `unavailable`, and the retry is done exactly once',
    async (cut) => {
      const proxy = await proxyTo(url)
      const cautious = await postgresStore(proxy.url, { schema, migrate, poolSize: 2 })
      const workspace = `cut ${cut}`
      const acknowledged = new Map<string, { text: string; seq: number }>()
      try {
        await cautious.create(workspace, { id: 'c', at })
        for (let i = 0; i < 20; i++) {
          const entry = said(`${i}`)
          const options = { branch: 'main', at, ...(i % 2 ? { key: randomUUID() } : null) }
          proxy.cut = cut
          await expect(cautious.append(workspace, 'c', [entry], options)).rejects.toMatchObject({ code: 'unavailable' })
          const again = await cautious.append(workspace, 'c', [entry], options)
          expect(again).toMatchObject({ repeated: cut === 'after', entries: [{ seq: i + 1 }] })
          acknowledged.set(entry.id, { text: entry.text, seq: i + 1 })
        }
        expect(proxy.cuts()).toBe(20)
        await expectWhole(store, workspace, 'c', acknowledged)
      } finally {
        await cautious.close()
        await proxy.close()
      }
    },
  )

  test('a query that is cancelled leaves no answer for the next caller [T-71]', async () => {
    const tenants = ['tenant-a', 'tenant-b']
    for (const tenant of tenants) {
      await store.create(tenant, { id: 'c', at })
      await store.append(tenant, 'c', [said(tenant, 'owner')], { branch: 'main', at })
    }
    const few = await postgresStore(`${url}?application_name=${schema}_few`, { schema, migrate, poolSize: 3 })
    let going = true
    let cancelled = 0
    const canceller = (async () => {
      while (going) {
        const [hit] = await raw.query(
          `select count(*)::int as hits from (
            select pg_cancel_backend(pid) from pg_stat_activity
              where application_name = $1 and state = 'active' limit 2) cancelled`,
          [`${schema}_few`],
        )
        cancelled += (hit?.hits as number) ?? 0
      }
    })()
    let refused = 0
    const caller = async (tenant: string) => {
      for (let i = 0; i < 80; i++) {
        try {
          const { entries } = await few.window(tenant, 'c', 'main', { entries: 0 })
          expect(entries.map(({ text }) => text)).toEqual([tenant])
          expect((await few.entry(tenant, 'c', 'owner'))?.text).toBe(tenant)
        } catch (error) {
          expect(error).toMatchObject({ code: 'unavailable' })
          refused++
        }
      }
    }
    await Promise.all([...tenants, ...tenants, ...tenants].map(caller))
    going = false
    await canceller
    expect(cancelled).toBeGreaterThan(0)
    expect(refused).toBeLessThan(6 * 80)
    await few.close()
  })

  test('a statement that waits too long is `unavailable`, and the store goes on', async () => {
    const hasty = await postgresStore(url, { schema, migrate, poolSize: 1, timeoutSeconds: 1 })
    await hasty.create('slow', { id: 'c', at })
    await raw.query('begin')
    await raw.query(named('slow'))
    await raw.query(`select 1 from "${schema}".conversation where workspace_id = 'slow' and id = 'c' for update`)
    const entry = said('late')
    await expect(hasty.append('slow', 'c', [entry], { branch: 'main', at })).rejects.toMatchObject({
      code: 'unavailable',
      cause: { code: '57014' },
    })
    await raw.query('rollback')
    expect(await hasty.append('slow', 'c', [entry], { branch: 'main', at })).toMatchObject({ repeated: false })
    await hasty.close()
  })

  test('a message of which only the beginning arrives holds its locks no longer than the timeout', async () => {
    const proxy = await proxyTo(url)
    const cautious = await postgresStore(proxy.url, { schema, migrate, poolSize: 1, timeoutSeconds: 1 })
    await store.create('stalled', { id: 'c', at })
    proxy.cut = 'stall'
    const lost = expect(cautious.append('stalled', 'c', [said('half')], { branch: 'main', at })).rejects.toMatchObject({
      code: 'unavailable',
    })
    while (proxy.cuts() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await store.append('stalled', 'c', [said('whole', 'whole')], { branch: 'main', at })
    await lost
    const texts = (await store.feed('stalled', 'c', 0, 9)).map(({ text }) => text).sort()
    // a Citus is told to commit before the message ends, so that both may be there
    expect(texts).toEqual(migrate === true ? ['whole'] : expect.arrayContaining(['whole']))
    await cautious.close()
    await proxy.close()
  })

  test('connections that the server ends are replaced without a restart', async () => {
    const name = `${schema}_ended`
    const ended = await postgresStore(`${url}?application_name=${name}`, { schema, migrate })
    await ended.create('ended', { id: 'c', at })
    for (let round = 0; round < 5; round++) {
      await Promise.all([1, 2, 3, 4].map(() => ended.get('ended', 'c')))
      await raw.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name])
      await insist(() => ended.append('ended', 'c', [said(`${round}`, `${round}`)], { branch: 'main', at }))
    }
    expect(await ended.verify('ended', 'c')).toEqual({ ok: true, entries: 5 })
    await ended.close()
  })

  test('after it is closed, every call is `unavailable`', async () => {
    const closed = await postgresStore(url, { schema, migrate })
    await closed.close()
    await closed.close()
    await expect(closed.get('w', 'c')).rejects.toMatchObject({ code: 'unavailable' })
  })
})
