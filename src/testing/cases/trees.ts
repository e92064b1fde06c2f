/** Paths and children, and what every entry knows of its path. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Entry } from '../../store/contract/entry.js'
import { add, all, ask, begin, type Case, ids, note, refused, say, seqs, sum } from './stage.js'

export const trees: readonly Case[] = [
  {
    name: 'gives a path from its root, or so many entries back',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const batch = Array.from({ length: 5 }, (_, i) => ask(`${i}`, { id: `${i}` }))
      await add(stage, c, batch)
      const back = async (limit?: number) => ids(await store.path(workspace, c, '4', limit)).join('')
      assert.deepEqual(
        [await back(), await back(1), await back(4), await back(5), await back(6)],
        ['01234', '4', '1234', '01234', '01234'],
      )
      assert.deepEqual(ids(await store.path(workspace, c, '2')), ['0', '1', '2'])
      for (const limit of [0, -1, 1.5]) await refused(store.path(workspace, c, '4', limit), 'invalid')
      await refused(store.path(workspace, c, 'nowhere'), 'not_found')
    },
  },
  {
    name: 'gives the children of an entry, and the roots, in the order of writing',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      assert.deepEqual(await store.children(workspace, c, null), [])
      await add(stage, c, [ask('a', { id: 'z' }), say('b', { id: 'y' })])
      await add(stage, c, [say('c', { id: 'x' })], { branch: 'x', from: 'z' })
      await add(stage, c, [ask('d', { id: 'a' })], { branch: 'a', from: null })
      await add(stage, c, [say('e', { id: 'b' })], { branch: 'b', from: 'z' })
      assert.deepEqual(ids(await store.children(workspace, c, null)), ['z', 'a'])
      assert.deepEqual(ids(await store.children(workspace, c, 'z')), ['y', 'x', 'b'])
      assert.deepEqual(await store.children(workspace, c, 'b'), [])
      assert.deepEqual(await store.children(workspace, c, 'nowhere'), [])
    },
  },
  {
    name: 'gives the feed from any place, in pages',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      assert.deepEqual(await store.feed(workspace, c, 0, 10), [])
      await add(
        stage,
        c,
        Array.from({ length: 5 }, (_, i) => ask(`${i}`)),
      )
      await add(stage, c, [ask('side')], { branch: 'side', from: null })
      const feed = async (after: number, limit: number) => seqs(await store.feed(workspace, c, after, limit)).join('')
      assert.deepEqual(
        [await feed(0, 9), await feed(0, 2), await feed(2, 2), await feed(5, 9), await feed(6, 9), await feed(99, 9)],
        ['123456', '12', '34', '6', '', ''],
      )
      for (const limit of [0, -1, 0.5, Number.NaN]) await refused(store.feed(workspace, c, 0, limit), 'invalid')
      for (const after of [-1, 0.5, Number.NaN]) await refused(store.feed(workspace, c, after, 1), 'invalid')
    },
  },
  {
    name: 'finds an entry by its id, and none where there is none',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const { entries } = await add(stage, c, [ask('a'), say('b')])
      for (const entry of entries) assert.deepEqual(await store.entry(workspace, c, entry.id), entry)
      assert.equal(await store.entry(workspace, c, 'nowhere'), null)
      assert.equal(await store.entry(workspace, 'nowhere', entries[0]?.id as string), null)
    },
  },
  {
    name: 'gives every entry of a random tree its depth, totals, turns, opener, summary and hash',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const dice = random(20_260_101)
      const known: Entry[] = []
      for (let i = 0; i < 60; i++) {
        const from = dice(4) === 0 ? (dice(5) === 0 ? null : (known[dice(known.length)]?.id ?? null)) : undefined
        const batch = Array.from({ length: 1 + dice(3) }, (_, j) => {
          const more = { id: `${i}.${j}`, tokens: dice(50) }
          return [ask('u', more), say('a', more), note({ n: dice(9) }, more), sum('0.0', more)][dice(4)] as Entry
        })
        const options = from === undefined ? {} : { from }
        const { entries } = await add(stage, c, batch, { branch: `b${dice(3)}`, ...options })
        known.push(...entries)
      }
      const stored = await all(stage, c)
      assert.deepEqual(stored, known)
      const byId = new Map(stored.map((entry) => [entry.id, entry]))
      for (const entry of stored) {
        const path = await store.path(workspace, c, entry.id)
        const before = entry.parent === null ? null : (byId.get(entry.parent) as Entry)
        assert.ok(before === null || before.seq < entry.seq)
        assert.deepEqual(facts(entry), {
          depth: path.length - 1,
          total: path.reduce((total, { tokens }) => total + tokens, 0),
          turns: path.filter(isUser).length,
          opener: path.find(isUser)?.id ?? null,
          summary: path.findLast(({ body }) => body.kind === 'summary')?.id ?? null,
          hash: sha256(`${before?.hash ?? ''}\n${entry.contentHash}`),
          redacted: false,
        })
      }
      assert.equal(new Set(stored.map(({ contentHash }) => contentHash)).size, stored.length)
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: stored.length })
    },
  },
  {
    name: 'reads a long path in one piece',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      for (let i = 0; i < 5; i++)
        await add(
          stage,
          c,
          Array.from({ length: 1_000 }, (_, j) => ask(`${i} ${j}`)),
        )
      const head = (await store.window(workspace, c, 'main', { entries: 1 })).head as Entry
      assert.equal(head.depth, 4_999)
      const path = await store.path(workspace, c, head.id)
      assert.deepEqual(
        path.map(({ depth }) => depth),
        path.map((_, i) => i),
      )
      assert.equal(path.length, 5_000)
    },
  },
]

const isUser = ({ body }: Entry): boolean => body.kind === 'message' && body.role === 'user'
const facts = ({ depth, total, turns, opener, summary, hash, redacted }: Entry) => {
  return { depth, total, turns, opener, summary, hash, redacted }
}
const sha256 = (value: string): string => createHash('sha256').update(value).digest('hex')

/** Whole numbers below a bound, the same for the same seed. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
