/** `seq` is the only order: no clock and no id has a say. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { add, all, ask, begin, type Case, ids, later, say, seqs, upTo } from './stage.js'

export const order: readonly Case[] = [
  {
    name: 'keeps the order of writing when clocks run backwards and ids are random',
    run: async (stage) => {
      const c = await begin(stage)
      const written = Array.from({ length: 40 }, (_, i) => ask(`message ${i}`, { at: later(-i) }))
      for (const [i, entry] of written.entries()) await add(stage, c, [entry], { at: later(-i) })
      const stored = await all(stage, c)
      assert.deepEqual(ids(stored), ids(written))
      assert.deepEqual(seqs(stored), upTo(40))
      const path = await stage.store.path(stage.workspace, c, written.at(-1)?.id as string)
      assert.deepEqual(ids(path), ids(written))
      const { entries } = await stage.store.window(stage.workspace, c, 'main', { entries: 9 })
      assert.deepEqual(ids(entries), ids(written).slice(-10))
    },
  },
  {
    name: 'keeps the order when times are equal, absurd or no times at all',
    run: async (stage) => {
      const c = await begin(stage)
      const times = ['9999-12-31T23:59:59.999Z', '', '-000001-01-01', 'yesterday', '0', '2026-01-01', '2026-01-01']
      const written = times.map((time, i) => say(`${i}`, { at: time }))
      await add(stage, c, written)
      const stored = await all(stage, c)
      assert.deepEqual(ids(stored), ids(written))
      assert.deepEqual(
        stored.map((entry) => entry.at),
        times,
      )
    },
  },
  {
    name: 'keeps the order of ids that sort backwards, within a batch and between batches',
    run: async (stage) => {
      const c = await begin(stage)
      const tag = randomUUID()
      const written = Array.from({ length: 12 }, (_, i) => ask(`${i}`, { id: `${99 - i}-${tag}` }))
      await add(stage, c, written.slice(0, 6))
      await add(stage, c, written.slice(6))
      assert.deepEqual(ids(await all(stage, c)), ids(written))
    },
  },
  {
    name: 'counts each conversation by itself',
    run: async (stage) => {
      const [one, other] = [await begin(stage), await begin(stage)]
      await add(stage, one, [ask('a'), say('b')])
      const { entries } = await add(stage, other, [ask('c')])
      assert.deepEqual(seqs(entries), [1])
      assert.deepEqual(seqs((await add(stage, one, [ask('d')])).entries), [3])
    },
  },
]
