/** The hash chain: a sound conversation verifies, and a change behind the store's back shows. */
import assert from 'node:assert/strict'
import { add, ask, begin, type Case, call, note, refused, result, say, sum } from './stage.js'

export const chain: readonly Case[] = [
  {
    name: 'verifies a sound conversation, empty or full',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 0 })
      const [a, b] = [ask('a', { author: 'ann', model: 'm', meta: { z: 1, a: 2 } }), call('k')]
      await add(stage, c, [a, b, result('k'), note({ x: [1, { y: null }] }), sum(a.id)])
      await add(stage, c, [say('side')], { branch: 'side', from: a.id })
      await add(stage, c, [ask('root')], { branch: 'root', from: null })
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 7 })
      await refused(store.verify(workspace, 'nowhere'), 'not_found')
    },
  },
  {
    name: 'gives the same words in the same place the same hash, in any conversation',
    run: async (stage) => {
      const [one, two] = [await begin(stage), await begin(stage)]
      const batch = [ask('a', { meta: { x: 1, y: 2 } }), say('b')]
      const twin = [{ ...batch[0], meta: { y: 2, x: 1 } } as (typeof batch)[0], batch[1]] as typeof batch
      const hashes = async (c: string, entries: typeof batch) =>
        (await add(stage, c, entries)).entries.map(({ hash }) => hash)
      assert.deepEqual(await hashes(one, batch), await hashes(two, twin))
    },
  },
  {
    name: 'finds the entry whose words were changed behind its back',
    run: async (stage) => {
      const { store, workspace, damage } = stage
      if (!damage) return
      const c = await begin(stage)
      await add(stage, c, [ask('a'), say('b', { id: 'b' }), ask('c')])
      await damage(workspace, c, 'b')
      const verdict = await store.verify(workspace, c)
      assert.equal(verdict.ok, false)
      assert.deepEqual(verdict.ok ? [] : verdict.faults.map(({ seq }) => seq), [2])
    },
  },
]
