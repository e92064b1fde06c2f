/** Small documents beside the log: changed by compare and swap, listed in the order they were made. */
import assert from 'node:assert/strict'
import type { Step } from '../../store/contract/commit.js'
import type { RecordPut, RecordQuery, StoredRecord } from '../../store/contract/record.js'
import { at, begin, type Case, codes, ids, later, refused, type Stage, upTo } from './stage.js'

const put = ({ store, workspace }: Stage, id: string, more: Partial<RecordPut> = {}) =>
  store.putRecord(workspace, { kind: 'run', id, body: { id }, at, ...more })

const sum = (numbers: Readonly<Record<string, number>>, more: object = {}): Step => ({
  do: 'add-record',
  record: { kind: 'count', id: 'sum', numbers, at, ...more },
})

async function pages({ store, workspace }: Stage, query: RecordQuery): Promise<string[]> {
  const out: string[] = []
  for (let cursor: string | null = '', count = 0; cursor !== null; count++) {
    const page = await store.records(workspace, cursor === '' ? query : { ...query, cursor })
    assert.ok(page.items.length <= query.limit && count < 300, 'the pages do not end')
    out.push(...ids(page.items))
    cursor = page.cursor
  }
  return out
}

export const records: readonly Case[] = [
  {
    name: 'makes, changes and removes a record, and counts its revisions',
    run: async (stage) => {
      const { store, workspace } = stage
      const made: StoredRecord = {
        kind: 'run',
        id: 'a',
        conversation: null,
        body: { id: 'a' },
        revision: 1,
        createdAt: at,
        updatedAt: at,
      }
      assert.equal(await store.getRecord(workspace, 'run', 'a'), null)
      assert.deepEqual(await put(stage, 'a'), made)
      assert.deepEqual(await store.getRecord(workspace, 'run', 'a'), made)
      const changed = { ...made, body: [2], revision: 2, updatedAt: later(2) }
      assert.deepEqual(await put(stage, 'a', { body: [2], at: later(2) }), changed)
      assert.deepEqual(await store.getRecord(workspace, 'run', 'a'), changed)
      await store.removeRecord(workspace, 'run', 'a')
      await store.removeRecord(workspace, 'run', 'a')
      assert.equal(await store.getRecord(workspace, 'run', 'a'), null)
      assert.equal((await put(stage, 'a', { expect: null, at: later(3) })).revision, 1)
    },
  },
  {
    name: 'changes a record only from the revision that is expected, and tells the one it has',
    run: async (stage) => {
      const told = async (attempt: Promise<unknown>) => (await refused(attempt, 'record_moved')).issues[0]?.value
      assert.equal(await told(put(stage, 'a', { expect: 1 })), null)
      assert.equal((await put(stage, 'a', { expect: null })).revision, 1)
      assert.equal(await told(put(stage, 'a', { expect: null })), 1)
      assert.equal((await put(stage, 'a', { expect: 1 })).revision, 2)
      assert.equal(await told(put(stage, 'a', { expect: 1, body: 'late' })), 2)
      assert.equal(await told(put(stage, 'a', { expect: 3, body: 'early' })), 2)
      assert.deepEqual((await stage.store.getRecord(stage.workspace, 'run', 'a'))?.body, { id: 'a' })
    },
  },
  {
    name: 'lets one of many writers with the same expectation change a record',
    run: async (stage) => {
      const first = await codes(upTo(8).map((n) => put(stage, 'a', { body: n, expect: null })))
      assert.deepEqual(first.toSorted(), [null, ...Array(7).fill('record_moved')])
      const second = await codes(upTo(8).map((n) => put(stage, 'a', { body: n, expect: 1 })))
      assert.deepEqual(second.toSorted(), [null, ...Array(7).fill('record_moved')])
      await Promise.all(upTo(8).map((n) => put(stage, 'a', { body: n })))
      assert.equal((await stage.store.getRecord(stage.workspace, 'run', 'a'))?.revision, 10)
    },
  },
  {
    name: 'lists records newest first, in pages that miss and repeat none while others are made',
    run: async (stage) => {
      const names = upTo(30).map((n) => `r${99 - n}`)
      for (const id of names) await put(stage, id, { at: later(-Number(id.slice(1))) })
      await put(stage, 'else', { kind: 'other' })
      await put(stage, names[3] as string, { body: 'changed' })
      const newest = names.toReversed()
      for (const limit of [1, 7, 30, 100]) assert.deepEqual(await pages(stage, { kind: 'run', limit }), newest)
      const { store, workspace } = stage
      const first = await store.records(workspace, { kind: 'run', limit: 10 })
      for (const id of ['late', 'later']) await put(stage, id)
      await store.removeRecord(workspace, 'run', newest[9] as string)
      const cursor = first.cursor as string
      const second = await store.records(workspace, { kind: 'run', limit: 10, cursor })
      assert.deepEqual([...ids(first.items), ...ids(second.items)], newest.slice(0, 20))
      assert.deepEqual(await store.records(workspace, { kind: 'none', limit: 9 }), { items: [], cursor: null })
    },
  },
  {
    name: 'keeps kinds, conversations and workspaces apart',
    run: async (stage) => {
      const { store, workspace } = stage
      const foreign = { ...stage, workspace: `${workspace} foreign` }
      const [c, d] = [await begin(stage), await begin(stage)]
      await put(stage, 'a', { conversation: c, body: 'mine' })
      await put(stage, 'b', { conversation: d })
      await put(stage, 'a', { kind: 'share', conversation: c })
      await put(foreign, 'a', { body: 'theirs', expect: null })
      await put(foreign, 'a', { body: 'theirs again' })
      assert.deepEqual(await pages(stage, { kind: 'run', limit: 9 }), ['b', 'a'])
      assert.deepEqual(await pages(stage, { kind: 'run', conversation: c, limit: 9 }), ['a'])
      assert.deepEqual(await pages(stage, { kind: 'share', conversation: c, limit: 9 }), ['a'])
      assert.deepEqual(await pages(stage, { kind: 'run', conversation: 'nowhere', limit: 9 }), [])
      assert.deepEqual(await pages(foreign, { kind: 'run', limit: 9 }), ['a'])
      assert.deepEqual(await pages(foreign, { kind: 'run', conversation: c, limit: 9 }), [])
      assert.equal((await store.getRecord(workspace, 'run', 'a'))?.body, 'mine')
      await store.removeRecord(foreign.workspace, 'run', 'a')
      assert.equal((await store.getRecord(workspace, 'run', 'a'))?.revision, 1)
    },
  },
  {
    name: 'refuses a record of a conversation that is not there, or no longer, and to give one to another',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, d, gone] = [await begin(stage), await begin(stage), await begin(stage)]
      await store.remove(workspace, gone)
      await refused(put(stage, 'a', { conversation: 'nowhere' }), 'not_found')
      await refused(put(stage, 'a', { conversation: gone, expect: 1 }), 'gone')
      assert.equal(await store.getRecord(workspace, 'run', 'a'), null)
      await put(stage, 'a', { conversation: c })
      await put(stage, 'free')
      await refused(put(stage, 'a', { conversation: d }), 'id_conflict')
      await refused(put(stage, 'a', { conversation: d, expect: 1 }), 'id_conflict')
      await refused(put(stage, 'a', { conversation: d, expect: null }), 'id_conflict')
      await refused(put(stage, 'free', { conversation: c }), 'id_conflict')
      const record = { kind: 'run', id: 'a', body: 1, at }
      await refused(store.commit(workspace, d, [{ do: 'put-record', record }]), 'id_conflict')
      assert.deepEqual((await store.getRecord(workspace, 'run', 'a'))?.revision, 1)
      const kept = await put(stage, 'a', { body: 'still its own' })
      assert.deepEqual([kept.conversation, kept.revision], [c, 2])
    },
  },
  {
    name: 'adds numbers from everywhere at once, and loses none',
    run: async (stage) => {
      const { store, workspace } = stage
      const conversations = [await begin(stage), await begin(stage), await begin(stage)]
      await Promise.all(
        upTo(30).map((n) => store.commit(workspace, conversations[n % 3] as string, [sum({ n, [`k${n % 2}`]: 0.5 })])),
      )
      const total = await store.getRecord(workspace, 'count', 'sum')
      assert.deepEqual(total?.body, { n: 465, k0: 7.5, k1: 7.5 })
      assert.deepEqual([total?.revision, total?.conversation], [30, null])
      const [c] = conversations as [string]
      const odd = { '10': 1, '9': -2, __proto__: 0 }
      await store.commit(workspace, c, [sum({ 'a b': 0.1, ...odd }, { id: 'odd' })])
      await store.commit(workspace, c, [sum({ 'a b': 0.2, '9': 2, 'é"\\': 1e-7 }, { id: 'odd', at: later(5) })])
      const record = await store.getRecord(workspace, 'count', 'odd')
      assert.deepEqual(record?.body, { '9': 0, '10': 1, 'a b': 0.1 + 0.2, 'é"\\': 1e-7 })
      assert.deepEqual([record?.createdAt, record?.updatedAt], [at, later(5)])
      await store.commit(workspace, c, [sum({}, { id: 'empty' }), sum({}, { id: 'empty' })])
      assert.deepEqual((await store.getRecord(workspace, 'count', 'empty'))?.body, {})
      await store.remove(workspace, c)
      assert.equal((await store.getRecord(workspace, 'count', 'sum'))?.revision, 30)
    },
  },
  {
    name: 'adds no numbers to what is none',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      for (const body of ['text', 5, null, [1], { n: '1' }, { n: null }, { m: { n: 1 } }]) {
        await store.putRecord(workspace, { kind: 'count', id: 'sum', body, at })
        await refused(store.commit(workspace, c, [sum({ n: 1 })]), 'invalid')
        assert.deepEqual((await store.getRecord(workspace, 'count', 'sum'))?.body, body)
      }
    },
  },
  {
    name: 'gives records back as JSON has them, and takes copies',
    run: async (stage) => {
      const { store, workspace } = stage
      const bodies = [
        null,
        0,
        '',
        'é\u{1f600}',
        [1, [2]],
        { b: 1, a: { '1': [] } },
        JSON.parse('{"__proto__":{"x":1}}'),
      ]
      for (const [i, body] of bodies.entries()) {
        await put(stage, `r${i}`, { body })
        const stored = await store.getRecord(workspace, 'run', `r${i}`)
        assert.equal(JSON.stringify(stored?.body), JSON.stringify(body))
      }
      const given = { list: [1] }
      const answer = await put(stage, 'copy', { body: given })
      given.list.push(2)
      ;(answer.body as { list: number[] }).list.push(3)
      assert.deepEqual((await store.getRecord(workspace, 'run', 'copy'))?.body, { list: [1] })
      assert.equal((await put(stage, 'none', { body: undefined })).body, null)
    },
  },
  {
    name: 'refuses records without a name, cursors that no page gave, and fields it does not know',
    run: async (stage) => {
      const { store, workspace } = stage
      for (const more of [{ id: '' }, { kind: '' }, { id: 'a\0' }, { expect: -1 }, { expect: 0.5 }, { owner: 'me' }])
        await refused(put(stage, 'a', more as Partial<RecordPut>), 'invalid')
      const key = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      for (const cursor of ['', 'x', key(['x']), key([1]), key(['1', '2']), key(['']), key(['-1']), key(['1e99'])])
        await refused(store.records(workspace, { kind: 'run', limit: 9, cursor }), 'invalid')
      await refused(store.records(workspace, { kind: 'run', limit: 0 }), 'invalid')
      await refused(store.records(workspace, { kind: 'run', limit: 9, tag: 'x' } as RecordQuery), 'invalid')
      assert.equal(await store.getRecord(workspace, 'run', 'a\0'), null)
      assert.deepEqual(await store.records(workspace, { kind: '\ud83d', limit: 9 }), { items: [], cursor: null })
      await store.removeRecord(workspace, 'run', '\ud83d')
    },
  },
  {
    name: 'keeps records and their order over a reopen',
    run: async (stage) => {
      if (!stage.reopen) return
      for (const id of ['b', 'a', 'c']) await put(stage, id)
      const store = await stage.reopen()
      try {
        await put({ ...stage, store }, 'd')
        assert.deepEqual(await pages({ ...stage, store }, { kind: 'run', limit: 2 }), ['d', 'c', 'a', 'b'])
      } finally {
        await store.close()
      }
    },
  },
]
