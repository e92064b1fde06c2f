/** A batch is written whole or not at all, and once. */
import assert from 'node:assert/strict'
import {
  add,
  all,
  ask,
  begin,
  type Case,
  call,
  headOf,
  ids,
  refused,
  result,
  type Stage,
  say,
  seqs,
  upTo,
} from './stage.js'

export const appending: readonly Case[] = [
  {
    name: 'appends a batch as a chain from the head and says where the head is',
    run: async (stage) => {
      const c = await begin(stage)
      const [a, b, d] = [ask('a'), say('b'), ask('c')]
      const first = await add(stage, c, [a, b])
      assert.deepEqual([first.head, first.repeated], [b.id, false])
      const second = await add(stage, c, [d])
      assert.deepEqual(
        [...first.entries, ...second.entries].map((entry) => entry.parent),
        [null, a.id, b.id],
      )
      assert.equal(await headOf(stage, c), d.id)
      assert.deepEqual(await stage.store.entry(stage.workspace, c, a.id), first.entries[0])
    },
  },
  ...failing('with a bad entry in the middle', 'invalid', (known) => [ask('1'), ask('2', { tokens: -1 }), ask(known)]),
  ...failing('with the same id twice', 'invalid', () => [ask('1', { id: 'twin' }), ask('2'), ask('1', { id: 'twin' })]),
  ...failing('with a result whose call nobody made', 'unknown_call', () => [ask('1'), result('nobody'), say('3')]),
  ...failing('with two results for one call', 'already_answered', () => [call('k'), result('k'), result('k')]),
  ...failing('that holds one entry that is there already', 'id_conflict', (known) => [
    ask('1'),
    ask('first', { id: known }),
  ]),
  ...failing('that gives an id that is there other words', 'id_conflict', (known) => [ask('other', { id: known })]),
  {
    name: 'gives an exact retry the stored entries and writes nothing',
    run: async (stage) => {
      const c = await begin(stage)
      const batch = [ask('a', { meta: { n: 1 }, author: 'ann' }), say('b', { model: 'm' })]
      const first = await add(stage, c, batch)
      await add(stage, c, [ask('later')])
      const before = await state(stage, c)
      const again = await add(stage, c, structuredClone(batch))
      assert.deepEqual(again, { ...first, repeated: true })
      assert.deepEqual(await state(stage, c), before)
    },
  },
  {
    name: 'gives an exact retry its answer although the expected head has moved on',
    run: async (stage) => {
      const c = await begin(stage)
      const entry = ask('a')
      await add(stage, c, [entry], { expect: null })
      assert.equal((await add(stage, c, [entry], { expect: null })).repeated, true)
      assert.equal((await all(stage, c)).length, 1)
    },
  },
  ...(['text', 'tokens', 'at', 'author', 'model', 'meta', 'body'] as const).map(
    (field): Case => ({
      name: `refuses a retry with another ${field}`,
      run: async (stage) => {
        const c = await begin(stage)
        const entry = ask('a', { author: 'ann', model: 'm', meta: { n: 1 } })
        await add(stage, c, [entry])
        const { [field]: _, ...without } = entry
        const changed = { ...without, [field]: other[field] } as typeof entry
        await refused(add(stage, c, [changed]), 'id_conflict')
        assert.equal((await all(stage, c)).length, 1)
      },
    }),
  ),
  {
    name: 'takes the same id in two conversations',
    run: async (stage) => {
      const [one, two] = [await begin(stage), await begin(stage)]
      await add(stage, one, [ask('a', { id: 'same' })])
      await add(stage, two, [ask('b', { id: 'same' })])
      assert.equal((await stage.store.entry(stage.workspace, one, 'same'))?.text, 'a')
      assert.equal((await stage.store.entry(stage.workspace, two, 'same'))?.text, 'b')
    },
  },
  {
    name: 'writes a thousand entries at once',
    run: async (stage) => {
      const c = await begin(stage)
      const batch = Array.from({ length: 1_000 }, (_, i) => ask(`${i}`))
      await add(stage, c, batch)
      const stored = await all(stage, c)
      assert.deepEqual(ids(stored), ids(batch))
      assert.deepEqual(seqs(stored), upTo(1_000))
    },
  },
]

const other = {
  text: 'b',
  tokens: 2,
  at: '2026-01-02',
  author: 'bob',
  model: 'n',
  meta: { n: 2 },
  body: { kind: 'message', role: 'user', parts: [], status: 'complete' },
}

/** The batch must be refused with the code, and nothing of it may be left. `known` is the id of an entry that is there. */
function failing(
  what: string,
  code: 'invalid' | 'unknown_call' | 'already_answered' | 'id_conflict',
  batch: (known: string) => ReturnType<typeof ask>[],
): Case[] {
  return [
    {
      name: `leaves nothing of a batch ${what}`,
      run: async (stage) => {
        const c = await begin(stage)
        await add(stage, c, [ask('first', { id: 'first' })])
        const before = await state(stage, c)
        await refused(add(stage, c, batch('first'), { key: 'k', at: '2030' }), code)
        assert.deepEqual(await state(stage, c), before)
        await refused(add(stage, c, batch('first'), { branch: 'other', at: '2030' }), code)
        assert.deepEqual(await state(stage, c), before)
        const { entries } = await add(stage, c, [say('next')], { key: 'k' })
        assert.deepEqual(seqs(entries), [2])
      },
    },
  ]
}

const state = async (stage: Stage, c: string) => ({
  conversation: await stage.store.get(stage.workspace, c),
  entries: await all(stage, c),
  branches: await stage.store.branches(stage.workspace, c),
})
