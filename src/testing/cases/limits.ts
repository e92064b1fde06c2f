/** Bounds that hold in every store. */
import assert from 'node:assert/strict'
import { bounds } from '../../store/shared/gate.js'
import { add, all, ask, at, begin, type Case, message, note, refused } from './stage.js'

export const limits: readonly Case[] = [
  {
    name: 'refuses an empty batch and one that is too large',
    run: async (stage) => {
      const c = await begin(stage)
      await refused(add(stage, c, []), 'invalid')
      const batch = Array.from({ length: bounds.batch + 1 }, (_, i) => ask(`${i}`))
      await refused(add(stage, c, batch), 'too_large')
      assert.deepEqual(await all(stage, c), [])
    },
  },
  {
    name: 'refuses tokens that are no whole number, zero or more',
    run: async (stage) => {
      const c = await begin(stage)
      for (const tokens of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
        await refused(add(stage, c, [ask('a', { tokens })]), 'invalid')
      await add(stage, c, [ask('a', { tokens: 0 })])
      const { entries } = await add(stage, c, [ask('b', { tokens: 2 ** 40 })])
      assert.equal(entries[0]?.total, 2 ** 40)
    },
  },
  {
    name: 'refuses totals that can no longer be counted',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [ask('a', { tokens: Number.MAX_SAFE_INTEGER })])
      await refused(add(stage, c, [ask('b', { tokens: 1 })]), 'too_large')
      assert.equal((await all(stage, c)).length, 1)
    },
  },
  {
    name: 'refuses names that are empty or too long',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const long = 'x'.repeat(bounds.id + 1)
      const fits = 'x'.repeat(bounds.id)
      for (const [name, code] of [
        ['', 'invalid'],
        [long, 'too_large'],
      ] as const) {
        await refused(store.create(workspace, { id: name, at }), code)
        await refused(store.create(name, { id: 'x', at }), code)
        await refused(store.list(name, { limit: 1 }), code)
        await refused(add(stage, c, [ask('a', { id: name })]), code)
        await refused(add(stage, c, [ask('a')], { branch: name }), code)
        await refused(add(stage, c, [ask('a')], { key: name }), code)
        await refused(store.setBranch(workspace, c, { name, head: null, expect: null, at }), code)
        await refused(
          store.openDraft(workspace, c, { id: name, branch: 'main', parent: null, leaseSeconds: 1, at }),
          code,
        )
        await refused(store.putReceipt(workspace, { id: name, conversation: c, entry: null, at, body: {} }), code)
      }
      await store.create(workspace, { id: fits, at })
      await add(stage, fits, [ask('a', { id: fits })], { branch: fits, key: fits })
    },
  },
  {
    name: 'refuses titles, folders and tags that are too long',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const title = 'x'.repeat(bounds.title)
      const name = 'x'.repeat(bounds.name)
      for (const more of [{ title: `${title}x` }, { folder: `${name}x` }, { tags: ['a', `${name}x`] }]) {
        await refused(store.create(workspace, { id: 'x', at, ...more }), 'too_large')
        await refused(store.update(workspace, c, { at, ...more }), 'too_large')
      }
      await store.update(workspace, c, { at, title, folder: name, tags: [name] })
      assert.equal((await store.get(workspace, c))?.title, title)
    },
  },
  {
    name: 'refuses an entry that belongs in a blob',
    run: async (stage) => {
      const c = await begin(stage)
      const large = 'x'.repeat(bounds.entry)
      await refused(add(stage, c, [ask('a', { text: `${large}x` })]), 'too_large')
      await refused(add(stage, c, [ask('a', { body: message('user', large) })]), 'too_large')
      await refused(add(stage, c, [note(null, { meta: { large } })]), 'too_large')
      assert.deepEqual(await all(stage, c), [])
    },
  },
]
