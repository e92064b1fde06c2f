/** Events: numbered without a gap, read from any number on, and never seen before those below them. */
import assert from 'node:assert/strict'
import type { StoredEvent } from '../../store/contract/event.js'
import { append, emit } from './commits.js'
import { ask, at, begin, type Case, refused, rest, type Stage, upTo } from './stage.js'

const tell = ({ store, workspace }: Stage, c: string, ...types: readonly string[]) =>
  store.commit(workspace, c, [emit(...types)])
const numbers = (events: readonly StoredEvent[]): number[] => events.map(({ number }) => number)

/** Fails when it is not rung in time. */
async function rung(ring: () => boolean): Promise<void> {
  for (let waited = 0; !ring(); waited += 10) {
    assert.ok(waited < 5_000, 'nobody was woken')
    await rest(10)
  }
}

export const events: readonly Case[] = [
  {
    name: 'numbers events from one, without a gap, and gives those behind a number',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      assert.deepEqual(await store.events(workspace, c, 0, 9), { events: [], oldest: 1, newest: 0 })
      await tell(stage, c, 'a', 'b')
      await tell(stage, c)
      await tell(stage, c, 'c')
      const whole = await store.events(workspace, c, 0, 9)
      const of = (type: string, number: number) => ({ type, data: { of: type }, number, at })
      assert.deepEqual(whole, { events: [of('a', 1), of('b', 2), of('c', 3)], oldest: 1, newest: 3 })
      assert.deepEqual(await store.events(workspace, c, 1, 1), { events: [of('b', 2)], oldest: 1, newest: 3 })
      assert.deepEqual(await store.events(workspace, c, 3, 9), { events: [], oldest: 1, newest: 3 })
      assert.deepEqual(await store.events(workspace, c, 99, 9), { events: [], oldest: 1, newest: 3 })
      const other = await begin(stage)
      await tell(stage, other, 'x')
      assert.deepEqual(numbers((await store.events(workspace, other, 0, 9)).events), [1])
      for (const [after, limit] of [
        [-1, 9],
        [0.5, 9],
        [0, 0],
      ] as const)
        await refused(store.events(workspace, c, after, limit), 'invalid')
    },
  },
  {
    name: 'forgets events up to a number, and the numbers go on',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await tell(stage, c, 'a', 'b', 'c', 'd')
      await store.trimEvents(workspace, c, 2)
      const some = await store.events(workspace, c, 0, 9)
      assert.deepEqual([numbers(some.events), some.oldest, some.newest], [[3, 4], 3, 4])
      await store.trimEvents(workspace, c, 0)
      await store.trimEvents(workspace, c, 99)
      assert.deepEqual(await store.events(workspace, c, 0, 9), { events: [], oldest: 5, newest: 4 })
      await tell(stage, c, 'e')
      const after = await store.events(workspace, c, 0, 9)
      assert.deepEqual([numbers(after.events), after.oldest, after.newest], [[5], 5, 5])
      await refused(store.trimEvents(workspace, c, -1), 'invalid')
    },
  },
  {
    name: 'keeps the number of the last event over a reopen, though it was trimmed',
    run: async (stage) => {
      if (!stage.reopen) return
      const c = await begin(stage)
      await tell(stage, c, 'a', 'b')
      await stage.store.trimEvents(stage.workspace, c, 2)
      const store = await stage.reopen()
      try {
        await tell({ ...stage, store }, c, 'c')
        assert.deepEqual(numbers((await store.events(stage.workspace, c, 0, 9)).events), [3])
      } finally {
        await store.close()
      }
    },
  },
  {
    name: 'gives the data of events back as JSON has it',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const given = [
        null,
        0,
        '',
        'é\u{1f600}\u2028',
        [1, [2]],
        { b: 1, a: { '1': 2 } },
        JSON.parse('{"__proto__":{"x":1}}'),
      ]
      const told = given.map((data, i) => ({ type: `t${i}`, data }))
      await store.commit(workspace, c, [{ do: 'emit', events: [...told, { type: 'undefined', data: undefined }], at }])
      const { events } = await store.events(workspace, c, 0, 99)
      assert.deepEqual(
        events.map(({ data }) => JSON.stringify(data)),
        [...given, null].map((data) => JSON.stringify(data)),
      )
    },
  },
  {
    name: 'shows a reader every event once and in order while four writers emit',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const writers = upTo(4).map(async (writer) => {
        for (const n of upTo(10)) await tell(stage, c, `${writer}.${n}`, `${writer}.${n}+`)
      })
      const seen: StoredEvent[] = []
      const reader = async () => {
        while (seen.length < 80) {
          const { events, newest } = await store.events(workspace, c, seen.length, 7)
          assert.deepEqual(
            numbers(events),
            events.map((_, i) => seen.length + 1 + i),
          )
          assert.ok(newest >= seen.length + events.length)
          seen.push(...events)
          if (events.length === 0) await rest(2)
        }
      }
      await Promise.all([...writers, reader()])
      const types = seen.map(({ type }) => type)
      assert.equal(new Set(types).size, 80)
      for (const [i, type] of types.entries()) if (i % 2) assert.equal(type, `${types[i - 1]}+`)
    },
  },
  {
    name: 'wakes those who watch a conversation once its events can be read',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, other] = [await begin(stage), await begin(stage)]
      const heard: string[] = []
      const offs = ['one', 'two'].map((name) => store.watch(workspace, c, () => heard.push(name)))
      const offOther = store.watch(workspace, other, () => heard.push('other'))
      await tell(stage, c, 'a')
      await rung(() => heard.includes('one') && heard.includes('two'))
      assert.equal((await store.events(workspace, c, 0, 9)).newest, 1)
      offs[0]?.()
      offs[0]?.()
      heard.length = 0
      await tell(stage, c, 'b')
      await tell(stage, other, 'x')
      await rung(() => heard.includes('two') && heard.includes('other'))
      assert.ok(!heard.includes('one'))
      offs[1]?.()
      offOther()
      heard.length = 0
      await tell(stage, c, 'c')
      await rest(30)
      assert.deepEqual(heard, [])
    },
  },
  {
    name: 'lets one who watches end it in the middle of a wake-up',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      let calls = 0
      const off = store.watch(workspace, c, () => {
        calls++
        off()
      })
      const done = await store.commit(workspace, c, [append([ask('a')]), emit('a')])
      assert.equal(done.repeated, false)
      await rung(() => calls > 0)
    },
  },
]
