/** Where entries stand, for many leads at once, and the entries that stand there. */
import assert from 'node:assert/strict'
import type { Lead, Meant, Spot } from '../../store/contract/search.js'
import { add, ask, begin, type Case, refused, type Stage, say, upTo } from './stage.js'

const locate = async ({ store, workspace }: Stage, leads: readonly Lead[], limit = 9): Promise<readonly string[]> =>
  (await store.locate(workspace, leads, limit)).map((spots) => spots.map(({ seq }) => seq).join(' '))

const model = 'test/2'
const towards = (x: number, y: number): Meant => ({ model, vector: Float32Array.of(x, y), least: 0.5 })

export const locating: readonly Case[] = [
  {
    name: 'says where entries stand that have words, the newest first, or are near, the nearest first',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(stage, c, [ask('green tea'), say('black tea'), ask('teapot'), say('coffee')])
      assert.deepEqual(await locate(stage, ['tea', 'black te', 'milk', '', '!?']), ['3 2 1', '2', '', '', ''])
      assert.deepEqual(await locate(stage, ['tea', 'coffee'], 1), ['3', '4'])
      assert.deepEqual(await locate(stage, [towards(1, 0)]), [''])
      const vectors = [towards(1, 0), towards(1, 0.2), towards(0, 1), towards(1, 0.1)]
      await store.putVectors(
        workspace,
        model,
        vectors.map(({ vector }, i) => ({ conversation: c, seq: i + 1, vector })),
      )
      assert.deepEqual(await locate(stage, [towards(1, 0), 'coffee', towards(0, 1)]), ['1 4 2', '4', '3'])
      assert.deepEqual(await locate(stage, [towards(1, 0)], 2), ['1 4'])
      assert.deepEqual(await locate(stage, [{ ...towards(1, 0), model: 'another' }]), [''])
      await add(stage, c, [ask('tea again')])
      await store.redact(workspace, c, (await store.feed(workspace, c, 0, 1))[0]?.id ?? '')
      assert.deepEqual(await locate(stage, ['tea', towards(1, 0)]), ['5 3 2', '4 2'])
      assert.deepEqual(await store.locate(workspace, ['coffee'], 9), [[{ conversation: c, seq: 4 }]])
      assert.deepEqual(await store.locate(workspace, [], 9), [])
      await refused(store.locate(workspace, ['tea'], 0), 'invalid')
      await refused(store.locate(workspace, [5 as unknown as string], 9), 'invalid')
      await refused(store.locate(workspace, [{ ...towards(1, 0), least: Number.NaN }], 9), 'invalid')
      await refused(
        store.locate(
          workspace,
          upTo(65).map((n) => `t${n}`),
          9,
        ),
        'too_large',
      )
    },
  },
  {
    name: 'picks entries by where they stand, in the order asked for, and tells which are not there',
    run: async (stage) => {
      const { store, workspace } = stage
      const [one, other] = [await begin(stage), await begin(stage)]
      await add(stage, one, [ask('a', { id: 'a' }), say('b', { id: 'b' })])
      await add(stage, other, [ask('c', { id: 'c' })])
      await add(stage, other, [say('d', { id: 'd' })], { branch: 'side', from: null })
      const spots: readonly Spot[] = [
        { conversation: other, seq: 2 },
        { conversation: one, seq: 1 },
        { conversation: one, seq: 3 },
        { conversation: 'nowhere', seq: 1 },
        { conversation: 'a\0', seq: 1 },
        { conversation: one, seq: 0 },
        { conversation: one, seq: 1 },
      ]
      const picked = await store.pick(workspace, spots)
      assert.deepEqual(
        picked.map((entry) => entry?.id ?? null),
        ['d', 'a', null, null, null, null, 'a'],
      )
      assert.deepEqual(picked[0], await store.entry(workspace, other, 'd'))
      assert.deepEqual(await store.pick(workspace, []), [])
      await store.remove(workspace, other)
      assert.deepEqual(await store.pick(workspace, spots.slice(0, 1)), [null])
      await refused(store.pick(workspace, [{ conversation: one, seq: 1.5 }]), 'invalid')
      await refused(
        store.pick(
          workspace,
          upTo(1_001).map((seq) => ({ conversation: one, seq })),
        ),
        'too_large',
      )
    },
  },
]
