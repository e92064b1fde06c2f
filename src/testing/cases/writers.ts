/** Several writers at once: none is lost, none is told a lie, and no reader misses one. */
import assert from 'node:assert/strict'
import type { Entry } from '../../store/contract/entry.js'
import { add, all, ask, begin, type Case, codes, headOf, ids, refused, say, seqs, upTo } from './stage.js'

export const writers: readonly Case[] = [
  {
    name: 'lets one of two writers with the same expectation win and tells the other where the head is',
    run: async (stage) => {
      const c = await begin(stage)
      const start = ask('a')
      await add(stage, c, [start])
      const [one, two] = [say('one'), say('two')]
      const tries = [one, two].map((entry) => add(stage, c, [entry], { expect: start.id }))
      const outcome = await codes(tries)
      assert.deepEqual(outcome.toSorted(), ['head_moved', null].toSorted())
      const winner = outcome[0] === null ? one : two
      const loser = outcome[0] === null ? two : one
      assert.equal(await headOf(stage, c), winner.id)
      const error = await refused(add(stage, c, [loser], { expect: start.id }), 'head_moved')
      assert.equal(error.issues[0]?.value, winner.id)
      assert.equal((await all(stage, c)).length, 2)
      await add(stage, c, [loser], { expect: winner.id })
      assert.deepEqual(ids(await all(stage, c)), [start.id, winner.id, loser.id])
    },
  },
  {
    name: 'lets one of many writers begin a conversation',
    run: async (stage) => {
      const c = await begin(stage)
      const outcome = await codes(Array.from({ length: 8 }, (_, i) => add(stage, c, [ask(`${i}`)], { expect: null })))
      assert.equal(outcome.filter((code) => code === null).length, 1)
      assert.equal(outcome.filter((code) => code === 'head_moved').length, 7)
      const error = await refused(add(stage, c, [ask('late')], { expect: null }), 'head_moved')
      assert.equal(error.issues[0]?.value, await headOf(stage, c))
    },
  },
  {
    name: 'names no head when the branch has none',
    run: async (stage) => {
      const c = await begin(stage)
      const error = await refused(add(stage, c, [ask('a')], { expect: 'nowhere' }), 'head_moved')
      assert.equal(error.issues[0]?.value, null)
    },
  },
  {
    name: 'keeps every append of many writers, without a gap and in one chain',
    run: async (stage) => {
      const c = await begin(stage)
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => add(stage, c, [ask(`${i}`), say(`re ${i}`)])),
      )
      const stored = await all(stage, c)
      assert.deepEqual(seqs(stored), upTo(80))
      assert.deepEqual(ids(stored).toSorted(), answers.flatMap(({ entries }) => ids(entries)).toSorted())
      assert.deepEqual(
        stored.map((entry) => entry.parent),
        [null, ...ids(stored).slice(0, -1)],
      )
      for (const { entries } of answers) assert.equal(entries[1]?.seq, (entries[0]?.seq ?? 0) + 1)
      assert.equal((await stage.store.get(stage.workspace, c))?.entries, 80)
    },
  },
  {
    name: 'keeps appends to different branches at once',
    run: async (stage) => {
      const c = await begin(stage)
      const branches = ['a', 'b', 'c', 'd']
      await Promise.all(
        branches.flatMap((branch) => Array.from({ length: 10 }, (_, i) => add(stage, c, [ask(`${i}`)], { branch }))),
      )
      assert.deepEqual(seqs(await all(stage, c)), upTo(40))
      for (const branch of branches) {
        const path = await stage.store.path(stage.workspace, c, (await headOf(stage, c, branch)) as string)
        assert.equal(path.length, 10)
      }
    },
  },
  {
    name: 'shows a reader of the feed every entry once while four writers append',
    run: async (stage) => {
      const c = await begin(stage)
      let open = 4
      const work = Array.from({ length: 4 }, async (_, writer) => {
        for (let i = 0; i < 25; i++) await add(stage, c, i % 5 ? [ask(`${writer}.${i}`)] : [ask('x'), say('y')])
        open--
      })
      const read: Entry[] = []
      const reader = (async () => {
        for (let last = false; ; ) {
          const more = await stage.store.feed(stage.workspace, c, read.at(-1)?.seq ?? 0, 7)
          read.push(...more)
          assert.ok(read.length <= 120, 'the feed gives more than there is')
          if (more.length === 0 && last) return
          last = open === 0
          await new Promise((wake) => setImmediate(wake))
        }
      })()
      await Promise.all([...work, reader])
      assert.deepEqual(seqs(read), upTo(120))
      assert.deepEqual(ids(read), ids(await all(stage, c)))
    },
  },
  {
    name: 'keeps all of what was written, and its heads, after a reopen',
    run: async (stage) => {
      if (!stage.reopen) return
      const c = await begin(stage)
      const [a, b] = [ask('a'), say('b')]
      await add(stage, c, [a, b])
      await add(stage, c, [say('c')], { branch: 'other', from: a.id })
      await stage.store.setBranch(stage.workspace, c, { name: 'main', head: a.id, expect: b.id, at: '2030' })
      const before = [await all(stage, c), await stage.store.branches(stage.workspace, c)]
      const store = await stage.reopen()
      const again = { ...stage, store }
      try {
        assert.deepEqual([await all(again, c), await store.branches(stage.workspace, c)], before)
        assert.equal(await headOf(again, c), a.id)
        assert.deepEqual(await store.verify(stage.workspace, c), { ok: true, entries: 3 })
        assert.deepEqual(seqs((await add(again, c, [ask('d')])).entries), [4])
      } finally {
        await store.close()
      }
    },
  },
]
