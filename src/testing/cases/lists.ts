/** Lists: pinned first, then newest first, then by id; in pages that miss and repeat nothing. */
import assert from 'node:assert/strict'
import type { ListQuery } from '../../store/contract/conversation.js'
import { add, ask, at, type Case, ids, later, refused, type Stage } from './stage.js'

async function pages({ store, workspace }: Stage, query: ListQuery): Promise<{ ids: string[]; pages: number }> {
  const out: string[] = []
  for (let count = 1, cursor: string | null = null; ; count++) {
    const page = await store.list(workspace, cursor === null ? query : { ...query, cursor })
    out.push(...ids(page.items))
    assert.ok(page.items.length <= query.limit && count <= 300, 'the pages do not end')
    if (page.cursor === null) return { ids: out, pages: count }
    assert.equal(page.items.length, query.limit)
    cursor = page.cursor
  }
}

export const lists: readonly Case[] = [
  {
    name: 'lists pinned conversations first, then the newest, then by id',
    run: async (stage) => {
      const { store, workspace } = stage
      for (const [id, seconds] of [
        ['old', 1],
        ['b', 2],
        ['a', 2],
        ['new', 3],
        ['pinned', 0],
        ['B', 2],
      ] as const)
        await store.create(workspace, { id, at: later(seconds) })
      await store.update(workspace, 'pinned', { pinned: true, at: later(0) })
      assert.deepEqual((await pages(stage, { limit: 10 })).ids, ['pinned', 'new', 'B', 'a', 'b', 'old'])
      await add(stage, 'old', [ask('x')], { at: later(9) })
      await store.update(workspace, 'new', { pinned: true, at: later(3) })
      assert.deepEqual((await pages(stage, { limit: 10 })).ids, ['new', 'pinned', 'old', 'B', 'a', 'b'])
    },
  },
  {
    name: 'breaks ties character by character',
    run: async (stage) => {
      const names = ['b', 'B', 'é', 'z', '\u{1f600}', '\uff5e', 'a b', 'a-b', '_', '10', '9']
      for (const id of names) await stage.store.create(stage.workspace, { id, at })
      const expected = ['10', '9', 'B', '_', 'a b', 'a-b', 'b', 'z', 'é', '\uff5e', '\u{1f600}']
      assert.deepEqual((await pages(stage, { limit: 100 })).ids, expected)
      assert.deepEqual((await pages(stage, { limit: 1 })).ids, expected)
    },
  },
  {
    name: 'filters by pinned, archived, folder and tag, alone and together',
    run: async (stage) => {
      const { store, workspace } = stage
      const make = (id: string, more: object) => store.create(workspace, { id, at, ...more })
      await make('1', { folder: 'f', tags: ['x', 'y'] })
      await make('2', { folder: 'f' })
      await make('3', { tags: ['y'] })
      await make('4', { folder: 'F', tags: ['xy', '%', '_'] })
      await store.update(workspace, '2', { archived: true, at })
      await store.update(workspace, '3', { archived: true, pinned: true, at })
      const found = async (query: Partial<ListQuery>) => (await pages(stage, { limit: 1, ...query })).ids.join('')
      assert.equal(await found({}), '3124')
      assert.equal(await found({ archived: true }), '32')
      assert.equal(await found({ archived: false }), '14')
      assert.equal(await found({ pinned: true }), '3')
      assert.equal(await found({ pinned: false }), '124')
      assert.equal(await found({ folder: 'f' }), '12')
      assert.equal(await found({ folder: 'F' }), '4')
      assert.equal(await found({ folder: '' }), '')
      assert.equal(await found({ tag: 'y' }), '31')
      assert.equal(await found({ tag: 'x' }), '1')
      assert.equal(await found({ tag: '%' }), '4')
      assert.equal(await found({ tag: "' OR 1=1 --" }), '')
      assert.equal(await found({ folder: 'f', tag: 'x', archived: false, pinned: false }), '1')
    },
  },
  {
    name: 'pages over 250 conversations with ties and misses and repeats none',
    run: async (stage) => {
      const { store, workspace } = stage
      const names = Array.from({ length: 250 }, (_, i) => `c${i}`)
      await Promise.all(names.map((id, i) => store.create(workspace, { id, at: later(i % 7) })))
      for (const id of ['c3', 'c30', 'c249']) await store.update(workspace, id, { pinned: true, at: later(3) })
      const whole = await pages(stage, { limit: 1_000 })
      assert.deepEqual([whole.pages, whole.ids.length, new Set(whole.ids).size], [1, 250, 250])
      assert.deepEqual(whole.ids.slice(0, 3), ['c249', 'c3', 'c30'])
      for (const [limit, count] of [
        [7, 36],
        [50, 5],
        [249, 2],
        [250, 1],
      ] as const) {
        const paged = await pages(stage, { limit })
        assert.deepEqual(paged, { ids: whole.ids, pages: count }, `${limit} on a page`)
      }
    },
  },
  {
    name: 'goes on where a page ended although conversations came and went',
    run: async (stage) => {
      const { store, workspace } = stage
      for (const id of ['a', 'b', 'c', 'd', 'e']) await store.create(workspace, { id, at })
      const first = await store.list(workspace, { limit: 2 })
      assert.deepEqual(ids(first.items), ['a', 'b'])
      await store.remove(workspace, 'b')
      for (const id of ['new', 'newer', 'newest']) await store.create(workspace, { id, at: later(9) })
      const second = await store.list(workspace, { limit: 2, cursor: first.cursor as string })
      assert.deepEqual(ids(second.items), ['c', 'd'])
    },
  },
  {
    name: 'refuses a cursor that no page gave, a limit that is none, and a filter it does not know',
    run: async ({ store, workspace }) => {
      await store.create(workspace, { id: 'c', at })
      const key = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      for (const cursor of ['', 'x', '!', key({}), key(['1']), key(['1', 2, 'c']), key(['1', at, 'c', 'd'])])
        await refused(store.list(workspace, { limit: 9, cursor }), 'invalid')
      for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        await refused(store.list(workspace, { limit }), 'invalid')
      for (const more of [{ tenant_id: 'other' }, { 'folder" = "f" OR "a': 'b' }, { tags: 'x' }])
        await refused(store.list(workspace, { limit: 9, ...more } as ListQuery), 'invalid')
    },
  },
]
