/** An idempotency key names one request for as long as its conversation lives. */
import assert from 'node:assert/strict'
import { add, all, ask, begin, type Case, later, refused, say } from './stage.js'

export const keys: readonly Case[] = [
  {
    name: 'gives the same key with the same request the same answer and no second row',
    run: async (stage) => {
      const c = await begin(stage)
      const batch = [ask('a'), say('b')]
      const first = await add(stage, c, batch, { key: 'k', expect: null })
      await add(stage, c, [ask('between')])
      const again = await add(stage, c, structuredClone(batch), { key: 'k', expect: null, at: later(9) })
      assert.deepEqual(again, { ...first, repeated: true })
      assert.equal((await all(stage, c)).length, 3)
    },
  },
  {
    name: 'refuses a key that was used for other words, another branch or another place',
    run: async (stage) => {
      const c = await begin(stage)
      const entry = ask('a')
      await add(stage, c, [entry], { key: 'k' })
      await refused(add(stage, c, [ask('b')], { key: 'k' }), 'key_reused')
      await refused(add(stage, c, [entry, say('b')], { key: 'k' }), 'key_reused')
      await refused(add(stage, c, [entry], { key: 'k', branch: 'other' }), 'key_reused')
      await refused(add(stage, c, [entry], { key: 'k', from: entry.id }), 'key_reused')
      assert.equal((await all(stage, c)).length, 1)
      assert.equal((await add(stage, c, [entry], { key: 'k' })).repeated, true)
    },
  },
  {
    name: 'keeps no record of a key whose request was refused',
    run: async (stage) => {
      const c = await begin(stage)
      await refused(add(stage, c, [ask('a')], { key: 'k', expect: 'nowhere' }), 'head_moved')
      assert.equal((await add(stage, c, [ask('b')], { key: 'k' })).repeated, false)
    },
  },
  {
    name: 'keeps keys of two conversations apart',
    run: async (stage) => {
      const [one, two] = [await begin(stage), await begin(stage)]
      await add(stage, one, [ask('a')], { key: 'k' })
      assert.equal((await add(stage, two, [ask('b')], { key: 'k' })).repeated, false)
    },
  },
  {
    name: 'writes once when the same key arrives ten times at once',
    run: async (stage) => {
      const c = await begin(stage)
      const entry = ask('a')
      const answers = await Promise.all(Array.from({ length: 10 }, () => add(stage, c, [entry], { key: 'k' })))
      assert.equal(answers.filter((answer) => !answer.repeated).length, 1)
      assert.equal((await all(stage, c)).length, 1)
    },
  },
  {
    name: 'knows a key after a reopen',
    run: async (stage) => {
      if (!stage.reopen) return
      const c = await begin(stage)
      const entry = ask('a')
      await add(stage, c, [entry], { key: 'k' })
      const store = await stage.reopen()
      const again = { ...stage, store }
      try {
        await refused(add(again, c, [ask('b')], { key: 'k' }), 'key_reused')
        assert.equal((await add(again, c, [entry], { key: 'k' })).repeated, true)
      } finally {
        await store.close()
      }
    },
  },
]
