/** Search by meaning: the nearest first, alone or with those that have the words, and nothing that anyone had removed. */
import assert from 'node:assert/strict'
import type { Hit, Near, NewVector, SearchQuery } from '../../store/contract/search.js'
import { add, ask, at, begin, type Case, later, note, refused, type Stage, say, upTo } from './stage.js'

const model = 'test/2'

/** A direction in degrees. */
const towards = (degrees: number): Float32Array => {
  const angle = (degrees * Math.PI) / 180
  return Float32Array.of(Math.cos(angle), Math.sin(angle))
}

/** Each text says its own direction: `the word 30` points to 30 degrees. */
const meant = (text: string): Float32Array => towards(Number(/-?\d+/.exec(text)?.[0] ?? 0))

async function embedAll({ store, workspace }: Stage, name = model, limit = 1_000): Promise<number> {
  for (let count = 0; ; ) {
    const found = await store.unembedded(workspace, name, limit)
    if (found.length === 0) return count
    const vectors = found.map(({ text, ...one }): NewVector => ({ ...one, vector: meant(text) }))
    await store.putVectors(workspace, name, vectors)
    count += found.length
  }
}

const near = (degrees: number, more: Partial<Near> = {}): Near => ({
  model,
  vector: towards(degrees),
  by: 'meaning',
  least: 0.5,
  ...more,
})

const find = async ({ store, workspace }: Stage, query: Partial<SearchQuery>) =>
  (await store.search(workspace, { text: '', limit: 100, near: near(0), ...query })).items
const found = async (stage: Stage, query: Partial<SearchQuery>) =>
  (await find(stage, query)).map(({ entry }) => entry).join(' ')

const told = ({ entry, why }: Hit): string => `${entry} ${why}`

/** Every page of a query, and what happens between two of them. */
async function pages(
  { store, workspace }: Stage,
  query: SearchQuery,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const out: string[] = []
  for (let cursor: string | null = '', count = 0; cursor !== null && count < 100; count++) {
    const page = await store.search(workspace, { ...query, ...(cursor === '' ? null : { cursor }) })
    assert.ok(page.items.length <= query.limit)
    out.push(...page.items.map(({ entry }) => entry))
    cursor = page.cursor
    await meanwhile()
  }
  return out
}

const turns = async (stage: Stage, degrees: readonly number[]): Promise<string> => {
  const c = await begin(stage)
  await add(
    stage,
    c,
    degrees.map((n) => ask(`turn ${n}`, { id: `t${n}` })),
  )
  return c
}

export const meaning: readonly Case[] = [
  {
    name: 'finds the nearest first, with their scores, and none that is farther than asked for',
    run: async (stage) => {
      await turns(stage, [90, 10, 50, 0, 170, 59])
      await embedAll(stage)
      assert.equal(await found(stage, {}), 't0 t10 t50 t59')
      assert.equal(await found(stage, { near: near(90) }), 't90 t59 t50')
      assert.equal(await found(stage, { near: near(0, { least: -2 }) }), 't0 t10 t50 t59 t90 t170')
      const [first, second] = await find(stage, { text: 'turn 0' })
      assert.deepEqual([first?.score, first?.why, second?.why], [1, 'both', 'meaning'])
      assert.ok(Math.abs((second?.score ?? 0) - Math.cos(Math.PI / 18)) < 0.01)
      assert.deepEqual([first?.snippet, first?.marks.length], ['turn 0', 2])
    },
  },
  {
    name: 'lists what has no vector yet, in the order in which it can be found, until it has one',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      assert.deepEqual(await store.unembedded(workspace, model, 9), [])
      await add(stage, c, [ask('one 1'), note({ x: 1 }, { text: 'a note' }), say('two 2'), ask('!?')])
      const [first, second, none] = await store.unembedded(workspace, model, 9)
      assert.deepEqual(
        [first, second, none],
        [{ conversation: c, seq: 1, text: 'one 1' }, { conversation: c, seq: 3, text: 'two 2' }, undefined],
      )
      assert.equal((await store.unembedded(workspace, model, 1)).length, 1)
      await store.putVectors(workspace, model, [{ conversation: c, seq: 1, vector: towards(0) }])
      assert.deepEqual(await store.unembedded(workspace, model, 9), [second])
      assert.equal(await embedAll(stage), 1)
      await add(stage, c, [ask('three 3')])
      assert.equal((await store.unembedded(workspace, model, 9))[0]?.text, 'three 3')
      assert.equal((await store.unembedded(workspace, 'another', 9)).length, 3)
    },
  },
  {
    name: 'keeps the first vector of an entry, and none of what is not there',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await turns(stage, [0])
      await embedAll(stage)
      await store.putVectors(workspace, model, [
        { conversation: c, seq: 1, vector: towards(90) },
        { conversation: c, seq: 2, vector: towards(0) },
        { conversation: 'nowhere', seq: 1, vector: towards(0) },
        { conversation: 'a\0', seq: 1, vector: towards(0) },
      ])
      assert.equal(await found(stage, {}), 't0')
      assert.equal(await found(stage, { near: near(90) }), '')
      await store.putVectors(workspace, model, [])
    },
  },
  {
    name: 'never compares vectors of different models or lengths, nor those of nothing',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await turns(stage, [0, 5])
      await embedAll(stage)
      assert.equal(await found(stage, { near: near(0, { model: 'another' }) }), '')
      await embedAll(stage, 'another')
      assert.equal(await found(stage, { near: near(0, { model: 'another' }) }), 't0 t5')
      assert.equal(await found(stage, { near: near(0, { vector: Float32Array.of(1, 0, 0) }) }), '')
      assert.equal(await found(stage, { near: near(0, { vector: new Float32Array(2), least: -2 }) }), '')
      await add(stage, c, [ask('turn nowhere', { id: 'zero' })])
      assert.equal((await store.unembedded(workspace, model, 9)).length, 1)
      await store.putVectors(workspace, model, [{ conversation: c, seq: 3, vector: new Float32Array(2) }])
      assert.deepEqual(await store.unembedded(workspace, model, 9), [])
      assert.equal(await found(stage, { near: near(0, { least: -2 }) }), 't0 t5')
      assert.equal(await store.removeVectors(workspace), 5)
      assert.equal((await store.unembedded(workspace, model, 9)).length, 3)
      assert.equal(await found(stage, {}), '')
    },
  },
  {
    name: 'fuses those that have the words with the nearest, and tells by what each was found',
    run: async (stage) => {
      const c = await begin(stage)
      const said = { a: 'tea 80', b: 'tea 1', c: 'coffee 2', d: 'coffee 85', e: 'tea 3', f: 'milk 4' }
      await add(
        stage,
        c,
        Object.entries(said).map(([id, text]) => ask(text, { id })),
      )
      await embedAll(stage)
      const hits = await find(stage, { text: 'tea', near: near(0, { by: 'both' }) })
      // by words e b a, by meaning b c e f
      assert.deepEqual(hits.map(told), ['b both', 'e both', 'c meaning', 'a words', 'f meaning'])
      const scores = hits.map(({ score = 0 }) => score)
      assert.deepEqual(
        scores,
        scores.toSorted((one, other) => other - one),
      )
      assert.deepEqual((await find(stage, { text: 'zebra', near: near(0, { by: 'both' }) })).map(told), [
        'b meaning',
        'c meaning',
        'e meaning',
        'f meaning',
      ])
      assert.deepEqual((await find(stage, { text: 'tea', near: near(180, { by: 'both' }) })).map(told), [
        'e words',
        'b words',
        'a words',
      ])
    },
  },
  {
    name: 'finds by meaning within a conversation, a branch, a tag, a role and a time',
    run: async (stage) => {
      const { store, workspace } = stage
      await store.create(workspace, { id: 'c', at, tags: ['x'] })
      await store.create(workspace, { id: 'd', at })
      await add(stage, 'c', [ask('way 0', { id: 'root' }), say('way 4', { id: 'old' })])
      await add(stage, 'c', [say('way 8', { id: 'new', at: later(60) })], { branch: 'side', from: 'root' })
      await add(stage, 'd', [ask('way 2', { id: 'else', at: 'once' })])
      await embedAll(stage)
      const cases: readonly (readonly [Partial<SearchQuery>, string])[] = [
        [{}, 'root else old new'],
        [{ conversation: 'c' }, 'root old new'],
        [{ conversation: 'c', branch: 'main' }, 'root old'],
        [{ conversation: 'c', branch: 'side' }, 'root new'],
        [{ conversation: 'c', branch: 'nowhere' }, ''],
        [{ tag: 'x' }, 'root old new'],
        [{ tag: 'x', conversation: 'd' }, ''],
        [{ tag: 'y' }, ''],
        [{ role: 'assistant' }, 'old new'],
        [{ role: 'assistant', conversation: 'c', branch: 'side' }, 'new'],
        [{ since: later(1) }, 'new'],
        [{ until: later(1) }, 'root old'],
        [{ conversation: 'nowhere' }, ''],
      ]
      for (const [query, ids] of cases) {
        assert.equal(await found(stage, query), ids, JSON.stringify(query))
        const both = await find(stage, { ...query, text: 'way', near: near(0, { by: 'both' }) })
        assert.deepEqual(both.map(({ entry }) => entry).sort(), ids.split(' ').filter(Boolean).sort())
      }
    },
  },
  {
    name: 'gives the nearest in pages that miss and repeat none, whatever is written meanwhile',
    run: async (stage) => {
      const c = await turns(
        stage,
        upTo(25).map((n) => n * 2),
      )
      await add(stage, c, [ask('turn 2', { id: 'twin' })])
      await embedAll(stage)
      const rest = upTo(24).map((n) => `t${n * 2 + 2}`)
      // of equals the newest is first
      const all = ['twin', 't2', ...rest]
      const write = async () => {
        await add(stage, c, [ask('turn 0')])
        await embedAll(stage)
      }
      for (const limit of [1, 4, 26]) {
        const query = { text: 'turn', limit, near: near(0) }
        assert.deepEqual(await pages(stage, query), all)
        const both = await pages(stage, { ...query, near: near(0, { by: 'both' }) })
        assert.deepEqual(both.toSorted(), all.toSorted())
      }
      const first = new Set(all)
      const fused = { text: 'turn', limit: 4, near: near(0, { by: 'both' }) }
      assert.deepEqual((await pages(stage, fused, write)).toSorted(), all.toSorted())
      const later = await pages(stage, { text: 'turn', limit: 4, near: near(0) }, write)
      assert.deepEqual(
        later.filter((id) => first.has(id)),
        all,
      )
      const key = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      for (const by of ['meaning', 'both'] as const)
        for (const cursor of ['', 'x', key(['x', 'y']), key(['1']), key(['', '']), key(['1', '-1.5'])])
          await refused(
            stage.store.search(stage.workspace, { text: 'turn', limit: 9, cursor, near: near(0, { by }) }),
            'invalid',
          )
    },
  },
  {
    name: 'finds no more by meaning what was redacted or deleted, even what was found a moment ago',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await turns(stage, [0, 1, 2, 3])
      const d = await turns(stage, [4, 5])
      await embedAll(stage)
      assert.equal(await found(stage, {}), 't0 t1 t2 t3 t4 t5')
      await store.redact(workspace, c, 't1')
      assert.equal(await found(stage, {}), 't0 t2 t3 t4 t5')
      assert.equal((await store.search(workspace, { text: '', limit: 2, near: near(0) })).items.at(-1)?.entry, 't2')
      await store.remove(workspace, d)
      assert.equal(await found(stage, { near: near(0, { by: 'both' }), text: 'turn' }), 't3 t0 t2')
      await store.putVectors(workspace, model, [{ conversation: c, seq: 2, vector: towards(0) }])
      assert.equal(await found(stage, {}), 't0 t2 t3')
      assert.equal(await store.removeVectors(workspace), 3)
    },
  },
  {
    name: 'finds by meaning what was kept before it was closed',
    run: async (stage) => {
      if (!stage.reopen) return
      await turns(stage, [0, 30])
      await embedAll(stage)
      const store = await stage.reopen()
      try {
        assert.deepEqual(await store.unembedded(stage.workspace, model, 9), [])
        assert.equal(await found({ ...stage, store }, {}), 't0 t30')
      } finally {
        await store.close()
      }
    },
  },
  {
    name: 'lets many embed and search at once, and every entry gets its vector',
    run: async (stage) => {
      const c = await begin(stage)
      await Promise.all(
        upTo(12).map(async (n) => {
          await add(stage, c, [ask(`busy ${n}`, { id: `b${n}` })])
          await embedAll(stage, model, 3)
          assert.ok((await find(stage, {})).some(({ entry }) => entry === `b${n}`))
        }),
      )
      assert.equal((await find(stage, {})).length, 12)
    },
  },
  {
    name: 'refuses vectors that are none, and queries that mean nothing',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await turns(stage, [0])
      const put = (vector: unknown, seq = 1) =>
        store.putVectors(workspace, model, [{ conversation: c, seq, vector: vector as Float32Array }])
      await refused(put([1, 0]), 'invalid')
      await refused(put(Float32Array.of(Number.NaN, 1)), 'invalid')
      await refused(put(new Float32Array(20_000)), 'invalid')
      await refused(put(towards(0), -1), 'invalid')
      await refused(store.putVectors(workspace, '', []), 'invalid')
      await refused(store.unembedded(workspace, '', 9), 'invalid')
      await refused(store.unembedded(workspace, model, 0), 'invalid')
      for (const wrong of [{ by: 'words' }, { least: Number.NaN }, { model: '' }, { vector: [1] }, { more: 1 }])
        await refused(find(stage, { near: { ...near(0), ...wrong } as unknown as Near }), 'invalid')
    },
  },
]
