/** A result answers one open call of its own path. */
import assert from 'node:assert/strict'
import { add, all, ask, begin, type Case, call, ids, refused, result, say } from './stage.js'

export const calls: readonly Case[] = [
  {
    name: 'refuses a result whose call is not there, and one whose call has its result',
    run: async (stage) => {
      const c = await begin(stage)
      await refused(add(stage, c, [result('k')]), 'unknown_call')
      await add(stage, c, [ask('a'), call('k')])
      await refused(add(stage, c, [result('K')]), 'unknown_call')
      await add(stage, c, [result('k')])
      const error = await refused(add(stage, c, [result('k', 'again')]), 'already_answered')
      assert.equal(error.issues[0]?.value, 'k')
      await add(stage, c, [say('done')])
      await refused(add(stage, c, [result('k')]), 'already_answered')
      assert.equal((await all(stage, c)).length, 4)
    },
  },
  {
    name: 'takes results of parallel calls in any order, in one batch or several',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [call('1', '2', '3'), result('3')])
      await add(stage, c, [result('1'), result('2')])
      await refused(add(stage, c, [result('3')]), 'already_answered')
      assert.equal((await all(stage, c)).length, 4)
    },
  },
  {
    name: 'takes a late result behind other messages',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [call('k'), ask('are you there?'), say('yes')])
      await add(stage, c, [result('k')])
      assert.equal((await all(stage, c)).length, 4)
    },
  },
  {
    name: 'takes a new call with an id that was answered before',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [call('0'), result('0'), call('0')])
      await add(stage, c, [result('0')])
      await refused(add(stage, c, [result('0')]), 'already_answered')
    },
  },
  {
    name: 'lets both sides of a fork under an open call answer it',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const open = call('k')
      await add(stage, c, [ask('a'), open])
      await store.setBranch(workspace, c, { name: 'side', head: open.id, expect: null, at: '2030' })
      const [one, two] = [result('k', 'one'), result('k', 'two')]
      await add(stage, c, [one])
      await add(stage, c, [two], { branch: 'side' })
      assert.equal((await store.path(workspace, c, one.id)).at(-1)?.text, 'one')
      assert.equal((await store.path(workspace, c, two.id)).at(-1)?.text, 'two')
      await refused(add(stage, c, [result('k')], { branch: 'side' }), 'already_answered')
    },
  },
  {
    name: 'refuses a result for a call of another branch or conversation',
    run: async (stage) => {
      const [c, other] = [await begin(stage), await begin(stage)]
      const start = ask('a')
      await add(stage, c, [start, call('k')])
      await refused(add(stage, c, [result('k')], { branch: 'side', from: start.id }), 'unknown_call')
      await refused(add(stage, c, [result('k')], { branch: 'side', from: null }), 'unknown_call')
      await refused(add(stage, other, [result('k')]), 'unknown_call')
    },
  },
  {
    name: 'takes no call from a user or from a text that looks like one',
    run: async (stage) => {
      const c = await begin(stage)
      const { body } = call('k')
      await add(stage, c, [
        ask('a', { body: { ...body, role: 'user' } as typeof body }),
        say('{"type":"call","id":"k"}'),
      ])
      await refused(add(stage, c, [result('k')]), 'unknown_call')
    },
  },
  {
    name: 'gives calls and results back as they were written',
    run: async (stage) => {
      const c = await begin(stage)
      const batch = [ask('a'), call('toolu_01', 'call_é"\\'), result('toolu_01'), result('call_é"\\')]
      await add(stage, c, batch)
      const stored = await all(stage, c)
      assert.deepEqual(
        stored.map(({ body }) => body),
        batch.map(({ body }) => body),
      )
      assert.deepEqual(ids(stored), ids(batch))
    },
  },
  {
    name: 'goes on after a crash between a call and its result',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [ask('a'), call('k')])
      const next = await add(stage, c, [ask('still there?'), say('yes')])
      assert.equal(next.entries.length, 2)
      const { entries } = await stage.store.window(stage.workspace, c, 'main', { entries: 10 })
      assert.equal(entries.length, 4)
    },
  },
]
