/** A window query reads the newest of a branch: it stops behind the first entry that crosses a limit. */
import assert from 'node:assert/strict'
import type { Reach } from '../../store/contract/append.js'
import { add, ask, begin, type Case, call, ids, later, refused, result, type Stage, say, sum } from './stage.js'

/** Ten tokens each, as u1 a1 u2 a2 ... */
async function turns(stage: Stage, count: number): Promise<string> {
  const c = await begin(stage)
  for (let i = 1; i <= count; i++)
    await add(stage, c, [ask(`u${i}`, { id: `u${i}`, tokens: 10 }), say(`a${i}`, { id: `a${i}`, tokens: 10 })])
  return c
}

const read = async ({ store, workspace }: Stage, c: string, reach: Reach, branch = 'main') => {
  const { head, entries, opener, summary } = await store.window(workspace, c, branch, reach)
  return [ids(entries).join(' '), opener?.id ?? null, summary?.id ?? null, head?.id ?? null]
}

export const windows: readonly Case[] = [
  {
    name: 'reads back to the entry that crosses the tokens, and not past it',
    run: async (stage) => {
      const c = await turns(stage, 3)
      const expected: [number, string][] = [
        [0, 'a3'],
        [9, 'a3'],
        [10, 'u3 a3'],
        [19, 'u3 a3'],
        [20, 'a2 u3 a3'],
        [21, 'a2 u3 a3'],
        [49, 'a1 u2 a2 u3 a3'],
        [50, 'u1 a1 u2 a2 u3 a3'],
        [51, 'u1 a1 u2 a2 u3 a3'],
        [1_000_000, 'u1 a1 u2 a2 u3 a3'],
      ]
      for (const [tokens, entries] of expected)
        assert.deepEqual(await read(stage, c, { tokens }), [entries, opener(entries), null, 'a3'], `${tokens} tokens`)
    },
  },
  {
    name: 'reads through entries without tokens',
    run: async (stage) => {
      const c = await begin(stage)
      const tokens = [5, 0, 0, 5, 0]
      await add(
        stage,
        c,
        tokens.map((count, i) => say('x', { id: `${i}`, tokens: count })),
      )
      const expected = ['3 4', '3 4', '3 4', '3 4', '3 4', '0 1 2 3 4', '0 1 2 3 4']
      for (const [limit, entries] of expected.entries())
        assert.deepEqual(await read(stage, c, { tokens: limit }), [entries, null, null, '4'], `${limit} tokens`)
    },
  },
  {
    name: 'reads one entry more than the limit of entries',
    run: async (stage) => {
      const c = await turns(stage, 2)
      const expected = ['a2', 'u2 a2', 'a1 u2 a2', 'u1 a1 u2 a2', 'u1 a1 u2 a2', 'u1 a1 u2 a2']
      for (const [limit, entries] of expected.entries())
        assert.deepEqual(await read(stage, c, { entries: limit }), [entries, opener(entries), null, 'a2'])
    },
  },
  {
    name: 'reads back to the user message that crosses the turns',
    run: async (stage) => {
      const c = await turns(stage, 3)
      const expected = ['u3 a3', 'u2 a2 u3 a3', 'u1 a1 u2 a2 u3 a3', 'u1 a1 u2 a2 u3 a3']
      for (const [limit, entries] of expected.entries())
        assert.deepEqual(await read(stage, c, { turns: limit }), [entries, opener(entries), null, 'a3'])
    },
  },
  {
    name: 'keeps to the limit that is met first',
    run: async (stage) => {
      const c = await turns(stage, 4)
      assert.equal((await read(stage, c, { tokens: 1_000, entries: 2, turns: 9 }))[0], 'a3 u4 a4')
      assert.equal((await read(stage, c, { tokens: 10, entries: 9, turns: 9 }))[0], 'u4 a4')
      assert.equal((await read(stage, c, { tokens: 1_000, entries: 9, turns: 0 }))[0], 'u4 a4')
      assert.equal((await read(stage, c, {}))[0], 'u1 a1 u2 a2 u3 a3 u4 a4')
    },
  },
  {
    name: 'brings the first user message of the path and the newest summary when they lie outside',
    run: async (stage) => {
      const c = await begin(stage)
      await add(stage, c, [say('hello', { id: 'greeting' }), ask('q', { id: 'opener' }), say('x', { id: 'x' })])
      await add(stage, c, [
        sum('x', { id: 's1' }),
        ask('q2', { id: 'q2' }),
        sum('x', { id: 's2' }),
        say('y', { id: 'y' }),
      ])
      assert.deepEqual(await read(stage, c, { entries: 0 }), ['y', 'opener', 's2', 'y'])
      assert.deepEqual(await read(stage, c, { entries: 1 }), ['s2 y', 'opener', null, 'y'])
      assert.deepEqual(await read(stage, c, { entries: 4 }), ['x s1 q2 s2 y', 'opener', null, 'y'])
      assert.deepEqual(await read(stage, c, { entries: 5 }), ['opener x s1 q2 s2 y', null, null, 'y'])
      await add(stage, c, [ask('z', { id: 'z' })], { branch: 'side', from: 'q2' })
      assert.deepEqual(await read(stage, c, { entries: 1 }, 'side'), ['q2 z', 'opener', 's1', 'z'])
      await add(stage, c, [ask('new', { id: 'new' }), say('n', { id: 'n' })], { branch: 'fresh', from: null })
      assert.deepEqual(await read(stage, c, { entries: 0 }, 'fresh'), ['n', 'new', null, 'n'])
    },
  },
  {
    name: 'gives the opener and the summary whole',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await add(stage, c, [ask('q', { id: 'q', meta: { a: [1] } }), sum('q', { id: 's' }), say('x')])
      const { opener, summary, head, entries } = await store.window(workspace, c, 'main', { entries: 0 })
      assert.deepEqual(opener, await store.entry(workspace, c, 'q'))
      assert.deepEqual(summary, await store.entry(workspace, c, 's'))
      assert.deepEqual(head, entries[0])
    },
  },
  {
    name: 'reads nothing from a branch that is empty or not there',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const nothing = { head: null, entries: [], opener: null, summary: null }
      assert.deepEqual(await store.window(workspace, c, 'main', { tokens: 10 }), nothing)
      await store.setBranch(workspace, c, { name: 'empty', head: null, expect: null, at: later(1) })
      assert.deepEqual(await store.window(workspace, c, 'empty', {}), nothing)
    },
  },
  {
    name: 'reads from where the branch points, not from the newest entry',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await turns(stage, 3)
      await store.setBranch(workspace, c, { name: 'main', head: 'a2', expect: 'a3', at: later(1) })
      assert.deepEqual(await read(stage, c, { turns: 0 }), ['u2 a2', 'u1', null, 'a2'])
      await add(stage, c, [call('k'), result('k')], { branch: 'tools', from: 'u2' })
      assert.equal((await store.window(workspace, c, 'tools', { tokens: 1 })).entries.length, 2)
    },
  },
  {
    name: 'refuses a reach that is no whole number, zero or more',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await turns(stage, 1)
      for (const limit of [-1, 0.5, Number.NaN])
        for (const reach of [{ tokens: limit }, { entries: limit }, { turns: limit }])
          await refused(store.window(workspace, c, 'main', reach), 'invalid')
    },
  },
]

const opener = (entries: string): string | null => (entries.startsWith('u1') ? null : 'u1')
