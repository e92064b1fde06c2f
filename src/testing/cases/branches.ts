/** A branch is a pointer: making or moving one copies nothing and deletes nothing. */
import assert from 'node:assert/strict'
import { add, all, ask, begin, type Case, call, headOf, ids, later, refused, result, say, seqs } from './stage.js'

export const branches: readonly Case[] = [
  {
    name: 'forks without a copy, and two branches share what is before the fork',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [a, b, d, e] = [ask('a'), say('b'), ask('c'), ask('d')]
      await add(stage, c, [a, b, d])
      await store.setBranch(workspace, c, { name: 'side', head: b.id, expect: null, at: later(1) })
      assert.equal((await all(stage, c)).length, 3)
      assert.equal((await store.get(workspace, c))?.entries, 3)
      await add(stage, c, [e], { branch: 'side' })
      assert.deepEqual(ids(await store.path(workspace, c, d.id)), ids([a, b, d]))
      assert.deepEqual(ids(await store.path(workspace, c, e.id)), ids([a, b, e]))
      assert.deepEqual(seqs(await store.path(workspace, c, e.id)), [1, 2, 4])
      assert.deepEqual(ids((await store.window(workspace, c, 'main', {})).entries), ids([a, b, d]))
      assert.deepEqual(ids((await store.window(workspace, c, 'side', {})).entries), ids([a, b, e]))
    },
  },
  {
    name: 'begins a branch at an entry, or moves one there, and the old path stays',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [a, b, edited] = [ask('a'), say('b'), ask('a, edited')]
      await add(stage, c, [a, b])
      const before = await store.path(workspace, c, b.id)
      await add(stage, c, [say('c')], { branch: 'new', from: a.id })
      await add(stage, c, [edited], { from: null, expect: b.id })
      assert.equal(await headOf(stage, c), edited.id)
      assert.deepEqual(ids(await store.path(workspace, c, edited.id)), [edited.id])
      assert.deepEqual(await store.path(workspace, c, b.id), before)
      await refused(add(stage, c, [ask('x')], { from: a.id, expect: b.id }), 'head_moved')
      await refused(add(stage, c, [ask('x')], { branch: 'new', from: a.id, expect: null }), 'head_moved')
    },
  },
  {
    name: 'leaves old paths as they were, whatever is written later',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const old = [ask('a'), say('b'), ask('c')]
      await add(stage, c, old)
      const before = await store.path(workspace, c, old[2]?.id as string)
      for (const [i, entry] of old.entries()) {
        await add(stage, c, [say(`from ${i}`), ask('more')], { branch: `b${i}`, from: entry.id })
      }
      await add(stage, c, [say('on'), call('k'), result('k')])
      await store.setBranch(workspace, c, {
        name: 'main',
        head: old[0]?.id as string,
        expect: await now(),
        at: later(1),
      })
      await store.removeBranch(workspace, c, 'b1')
      assert.deepEqual(await store.path(workspace, c, old[2]?.id as string), before)
      async function now() {
        return (await headOf(stage, c)) as string
      }
    },
  },
  {
    name: 'refuses to begin at an entry that is not there and breaks no tree',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      const foreign = ask('elsewhere')
      await add(stage, other, [foreign])
      for (const from of ['nowhere', foreign.id]) {
        await refused(add(stage, c, [ask('a')], { from }), 'unknown_parent')
        await refused(add(stage, c, [ask('a')], { branch: 'new', from, expect: null }), 'unknown_parent')
        await refused(
          store.setBranch(workspace, c, { name: 'new', head: from, expect: null, at: later(1) }),
          'unknown_parent',
        )
      }
      assert.deepEqual(await store.branches(workspace, c), [])
      assert.deepEqual(await all(stage, c), [])
    },
  },
  {
    name: 'makes, moves and empties a branch by compare and swap',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [a, b] = [ask('a'), say('b')]
      await add(stage, c, [a, b])
      const move = (head: string | null, expect: string | null, n: number) =>
        store.setBranch(workspace, c, { name: 'side', head, expect, at: later(n) })
      assert.deepEqual(await move(null, null, 1), { name: 'side', head: null, updatedAt: later(1) })
      assert.deepEqual(await move(a.id, null, 2), { name: 'side', head: a.id, updatedAt: later(2) })
      const error = await refused(move(b.id, null, 3), 'head_moved')
      assert.equal(error.issues[0]?.value, a.id)
      await refused(move(b.id, b.id, 4), 'head_moved')
      await move(b.id, a.id, 5)
      await move(null, b.id, 6)
      assert.deepEqual(await store.branches(workspace, c), [
        { name: 'main', head: b.id, updatedAt: (await store.get(workspace, c))?.updatedAt },
        { name: 'side', head: null, updatedAt: later(6) },
      ])
      const { entries } = await add(stage, c, [ask('root')], { branch: 'side' })
      assert.equal(entries[0]?.parent, null)
    },
  },
  {
    name: 'lets one of two moves of a branch win',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [a, b, d] = [ask('a'), say('b'), ask('c')]
      await add(stage, c, [a, b, d])
      const moves = await Promise.allSettled(
        [a, b].map(({ id }) => store.setBranch(workspace, c, { name: 'main', head: id, expect: d.id, at: later(1) })),
      )
      assert.equal(moves.filter(({ status }) => status === 'fulfilled').length, 1)
    },
  },
  {
    name: 'removes a branch and none of its entries',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [a, b] = [ask('a'), say('b')]
      await add(stage, c, [a])
      await add(stage, c, [b], { branch: 'side', from: a.id })
      await store.removeBranch(workspace, c, 'side')
      await refused(store.removeBranch(workspace, c, 'side'), 'not_found')
      assert.deepEqual(
        (await store.branches(workspace, c)).map(({ name }) => name),
        ['main'],
      )
      assert.deepEqual(ids(await store.path(workspace, c, b.id)), ids([a, b]))
      await store.setBranch(workspace, c, { name: 'side', head: b.id, expect: null, at: later(1) })
      assert.equal(await headOf(stage, c, 'side'), b.id)
    },
  },
  {
    name: 'lists branches by name, character by character',
    run: async (stage) => {
      const c = await begin(stage)
      const names = ['b', 'B', 'a', 'é', 'z', '\u{1f600}', '\uff5e', 'a b', 'a-b', '_', '10', '9']
      for (const name of names)
        await stage.store.setBranch(stage.workspace, c, { name, head: null, expect: null, at: later(1) })
      assert.deepEqual(
        (await stage.store.branches(stage.workspace, c)).map(({ name }) => name),
        ['10', '9', 'B', '_', 'a', 'a b', 'a-b', 'b', 'z', 'é', '\uff5e', '\u{1f600}'],
      )
    },
  },
]
