/** A conversation's own facts. */
import assert from 'node:assert/strict'
import type { Conversation, ConversationPatch } from '../../store/contract/conversation.js'
import { add, ask, at, begin, type Case, later, refused, say } from './stage.js'

const plain = {
  title: '',
  folder: null,
  tags: [],
  pinned: false,
  archived: false,
  meta: {},
  createdAt: at,
  updatedAt: at,
  entries: 0,
  bytes: 0,
}

export const conversations: readonly Case[] = [
  {
    name: 'are made together with a record of theirs, or not at all (B11)',
    run: async ({ store, workspace }) => {
      const record = { kind: 'created', id: 'k', body: { asked: 'one' }, at, expect: null }
      const steps = [{ do: 'put-record', record } as const]
      await store.create(workspace, { id: 'a', at, steps })
      const known = await store.getRecord(workspace, 'created', 'k')
      assert.deepEqual([known?.conversation, known?.body, known?.revision], ['a', { asked: 'one' }, 1])
      await refused(store.create(workspace, { id: 'b', at, steps }), 'id_conflict')
      assert.equal(await store.get(workspace, 'b'), null)
      await store.remove(workspace, 'a')
      assert.equal(await store.getRecord(workspace, 'created', 'k'), null)
    },
  },
  {
    name: 'are made together with thousands of entries and their branches, or not at all',
    run: async ({ store, workspace }) => {
      const said = Array.from({ length: 2_500 }, (_, i) => ask(`m${i}`, { id: `m${i}` }))
      const steps = [0, 500, 1_000, 1_500, 2_000].map((from) => {
        const options = { branch: 'main', at: later(1) }
        return { do: 'append', entries: said.slice(from, from + 500), options } as const
      })
      const wrong = { do: 'set-branch', move: { name: 'side', head: 'nowhere', expect: null, at } } as const
      await refused(store.create(workspace, { id: 'a', at, steps: [...steps, wrong] }), 'unknown_parent')
      assert.equal(await store.get(workspace, 'a'), null)
      const side = { do: 'set-branch', move: { name: 'side', head: 'm7', expect: null, at } } as const
      const made = await store.create(workspace, { id: 'a', at, steps: [...steps, side] })
      assert.deepEqual([made.entries, made.createdAt, made.updatedAt], [2_500, at, later(1)])
      assert.deepEqual(await store.get(workspace, 'a'), made)
      const branches = await store.branches(workspace, 'a')
      assert.deepEqual(
        branches.map(({ name, head }) => [name, head]),
        [
          ['main', 'm2499'],
          ['side', 'm7'],
        ],
      )
      assert.equal((await store.verify(workspace, 'a')).ok, true)
      await add({ store, workspace }, 'a', [say('next')])
      assert.equal((await store.get(workspace, 'a'))?.entries, 2_501)
    },
  },
  {
    name: 'creates a conversation with what is given and nothing else',
    run: async ({ store, workspace }) => {
      assert.deepEqual(await store.create(workspace, { id: 'c', at }), { id: 'c', ...plain })
      const given = { title: 'T', folder: 'f', tags: ['b', 'a', 'b'], meta: { z: 1, a: [null, { k: 'v' }] } }
      const expected = { id: 'd', ...plain, ...given }
      assert.deepEqual(await store.create(workspace, { id: 'd', ...given, at }), expected)
      assert.deepEqual(await store.get(workspace, 'd'), expected)
      assert.equal(JSON.stringify((await store.get(workspace, 'd'))?.meta), JSON.stringify(given.meta))
      assert.equal(await store.get(workspace, 'nowhere'), null)
    },
  },
  {
    name: 'refuses a second conversation with an id, at once or later',
    run: async ({ store, workspace }) => {
      const tries = await Promise.allSettled(
        [1, 2, 3].map((n) => store.create(workspace, { id: 'c', title: `${n}`, at })),
      )
      assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
      await refused(store.create(workspace, { id: 'c', at }), 'id_conflict')
    },
  },
  {
    name: 'changes the fields that are given and no others',
    run: async ({ store, workspace }) => {
      let expected: Conversation = await store.create(workspace, { id: 'c', title: 'T', tags: ['t'], folder: 'f', at })
      const patches: Omit<ConversationPatch, 'at'>[] = [
        { title: '' },
        { title: 'U' },
        { folder: null },
        { folder: '' },
        { tags: [] },
        { tags: ['x', 'y'] },
        { pinned: true },
        { archived: true },
        { meta: { a: 1 } },
        { meta: {} },
        { pinned: false, archived: false, title: 'V' },
        {},
      ]
      for (const [i, patch] of patches.entries()) {
        expected = { ...expected, ...patch, updatedAt: later(i) }
        assert.deepEqual(await store.update(workspace, 'c', { ...patch, at: later(i) }), expected)
        assert.deepEqual(await store.get(workspace, 'c'), expected)
      }
      await refused(store.update(workspace, 'nowhere', { title: 'x', at }), 'not_found')
    },
  },
  {
    name: 'lets no update change what is not a caller’s to change',
    run: async ({ store, workspace }) => {
      await store.create(workspace, { id: 'c', at })
      const forged = {
        id: 'd',
        createdAt: later(9),
        entries: 99,
        bytes: 99,
        workspace: 'other',
        at,
      } as ConversationPatch
      await refused(store.update(workspace, 'c', forged), 'invalid')
      assert.deepEqual(await store.get(workspace, 'c'), { id: 'c', ...plain })
    },
  },
  {
    name: 'counts entries and bytes, and knows when it was last written',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const batch = [ask('äö\u{1f600}'), say('b', { meta: { not: 'counted' } })]
      await add(stage, c, batch, { at: later(5) })
      const bytes = batch.reduce(
        (sum, { text, body }) => sum + Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(body)),
        0,
      )
      assert.deepEqual(await store.get(workspace, c), { id: c, ...plain, updatedAt: later(5), entries: 2, bytes })
      await add(stage, c, batch, { at: later(6) })
      await refused(add(stage, c, [ask('x')], { expect: null, at: later(7) }), 'head_moved')
      assert.deepEqual(await store.get(workspace, c), { id: c, ...plain, updatedAt: later(5), entries: 2, bytes })
      await add(stage, c, [ask('')], { branch: 'side', from: null, at: later(3) })
      const after = await store.get(workspace, c)
      assert.deepEqual([after?.entries, after?.updatedAt], [3, later(3)])
      assert.ok((after?.bytes ?? 0) > bytes)
    },
  },
]
