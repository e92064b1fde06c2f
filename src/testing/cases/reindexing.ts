/** Making the index anew: everything is found as before, and nothing more. */
import assert from 'node:assert/strict'
import type { Reindexed } from '../../store/contract/search.js'
import { add, ask, at, begin, type Case, refused, type Stage, say, upTo } from './stage.js'

const found = async ({ store, workspace }: Stage, text: string): Promise<string> =>
  (await store.search(workspace, { text, limit: 1_000 })).items.map(({ entry }) => entry).join(' ')

/** So many were looked at. */
async function reindexAll({ store, workspace }: Stage, limit: number): Promise<number> {
  let entries = 0
  for (let cursor: string | null = '', count = 0; cursor !== null; count++) {
    assert.ok(count < 1_000, 'the pages do not end')
    const done: Reindexed = await store.reindex(workspace, { limit, ...(cursor === '' ? null : { cursor }) })
    assert.ok(done.entries <= limit)
    entries += done.entries
    cursor = done.cursor
  }
  return entries
}

export const reindexing: readonly Case[] = [
  {
    name: 'makes the index anew, in pages of any size, and finds the same in the same order',
    run: async (stage) => {
      const { store, workspace } = stage
      for (const c of ['b', 'a', 'c']) {
        await store.create(workspace, { id: c, at })
        await add(stage, c, [ask(`again ${c}1`, { id: `${c}1` }), say(`again ${c}2`, { id: `${c}2` })])
        await found(stage, 'again')
      }
      const before = await found(stage, 'again')
      assert.equal(before, 'c2 c1 a2 a1 b2 b1')
      for (const limit of [1, 4, 1_000]) {
        assert.equal(await reindexAll(stage, limit), 6)
        assert.equal(await found(stage, 'again'), before)
      }
      assert.deepEqual(await store.reindex(`${workspace} empty`, { limit: 9 }), { entries: 0, cursor: null })
    },
  },
  {
    name: 'takes in what is new while it makes the index anew, once',
    run: async (stage) => {
      const c = await begin(stage)
      await add(
        stage,
        c,
        upTo(5).map((n) => ask(`fresh f${n}`, { id: `f${n}` })),
      )
      assert.equal(await reindexAll(stage, 2), 5)
      assert.equal(await found(stage, 'fresh'), 'f5 f4 f3 f2 f1')
      await add(stage, c, [say('fresh six', { id: 'f6' })])
      const [, hits] = await Promise.all([reindexAll(stage, 2), found(stage, 'fresh')])
      assert.equal(hits, 'f6 f5 f4 f3 f2 f1')
      await Promise.all([reindexAll(stage, 1), reindexAll(stage, 3)])
      assert.equal(await found(stage, 'fresh'), 'f6 f5 f4 f3 f2 f1')
    },
  },
  {
    name: 'goes over a hundred conversations, and over what was redacted and deleted',
    run: async (stage) => {
      const { store, workspace } = stage
      const names = upTo(110).map((n) => `c${n}`)
      await Promise.all(names.map((id) => store.create(workspace, { id, at })))
      await Promise.all(names.map((c) => add(stage, c, [ask(`wide own${c}`, { id: c })])))
      await found(stage, 'wide')
      await store.redact(workspace, 'c5', 'c5')
      await store.remove(workspace, 'c6')
      assert.equal(await reindexAll(stage, 1_000), 109)
      assert.equal((await found(stage, 'wide')).split(' ').length, 108)
      assert.equal(await found(stage, 'ownc5 wide'), '')
    },
  },
  {
    name: 'begins where it is told to, and takes nothing for done that is not',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(
        stage,
        c,
        upTo(4).map((n) => ask(`skip s${n}`, { id: `s${n}` })),
      )
      const cursor = Buffer.from(JSON.stringify([c, '2'])).toString('base64url')
      await store.reindex(workspace, { limit: 9, cursor })
      assert.equal(await found(stage, 'skip'), 's4 s3 s2 s1')
      for (const wrong of ['', 'x', Buffer.from('["a","b"]').toString('base64url')])
        await refused(store.reindex(workspace, { limit: 9, cursor: wrong }), 'invalid')
      await refused(store.reindex(workspace, { limit: 0 }), 'invalid')
    },
  },
]
