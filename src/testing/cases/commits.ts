/** Several writes at once: all of them in their order, or none. */
import assert from 'node:assert/strict'
import type { StoreCode } from '../../core/message/issue.js'
import type { Appended } from '../../store/contract/append.js'
import type { Step } from '../../store/contract/commit.js'
import type { Draft } from '../../store/contract/draft.js'
import type { StoredEvent } from '../../store/contract/event.js'
import type { StoredRecord } from '../../store/contract/record.js'
import { all, ask, at, begin, type Case, codes, headOf, ids, later, refused, type Stage, say, upTo } from './stage.js'

const commit = ({ store, workspace }: Stage, c: string, ...steps: readonly Step[]) => store.commit(workspace, c, steps)

export const append = (entries: ReturnType<typeof ask>[], more: object = {}): Step => ({
  do: 'append',
  entries,
  options: { branch: 'main', at, ...more },
})
export const emit = (...types: readonly string[]): Step => ({
  do: 'emit',
  events: types.map((type) => ({ type, data: { of: type } })),
  at,
})
const open = (id: string, more: object = {}): Step => ({
  do: 'open-draft',
  draft: { id, branch: 'main', parent: null, leaseSeconds: 60, at, ...more },
})
const count = (numbers: Readonly<Record<string, number>>, id = 'sum'): Step => ({
  do: 'add-record',
  record: { kind: 'count', id, numbers, at },
})
const put = (id: string, more: object = {}): Step => ({
  do: 'put-record',
  record: { kind: 'run', id, body: { id }, at, ...more },
})

/** All that a commit can change. */
const look = async (stage: Stage, c: string) => ({
  conversation: await stage.store.get(stage.workspace, c),
  entries: await all(stage, c),
  branches: await stage.store.branches(stage.workspace, c),
  drafts: await stage.store.drafts(stage.workspace, c),
  receipts: await stage.store.receipts(stage.workspace, c, { limit: 100 }),
  events: await stage.store.events(stage.workspace, c, 0, 100),
  runs: await stage.store.records(stage.workspace, { kind: 'run', limit: 100 }),
  counts: await stage.store.records(stage.workspace, { kind: 'count', limit: 100 }),
})

/** One of each, ready to be refused or repeated after it. */
async function furnish(stage: Stage): Promise<string> {
  const c = await begin(stage)
  await commit(
    stage,
    c,
    append([ask('a', { id: 'a' })], { key: 'k' }),
    open('d', { parent: 'a' }),
    put('r'),
    put('other'),
    count({ n: 1 }),
    { do: 'put-receipt', receipt: { id: `receipt of ${c}`, conversation: c, entry: 'a', at, body: 1 } },
    emit('one', 'two'),
  )
  return c
}

const writes = (c: string): readonly Step[] => [
  append([ask('new', { id: 'new' })], { key: 'new' }),
  { do: 'set-branch', move: { name: 'side', head: 'new', expect: null, at: later(1) } },
  open('fresh', { parent: 'new' }),
  { do: 'save-draft', draft: { id: 'd', epoch: 1, text: 'more', body: null, leaseSeconds: 9 } },
  { do: 'put-receipt', receipt: { id: `new receipt of ${c}`, conversation: c, entry: null, at, body: 2 } },
  put('r', { body: 'changed', expect: 1 }),
  put('fresh'),
  { do: 'remove-record', kind: 'run', id: 'other' },
  count({ n: 41, m: 0.5 }),
  emit('three'),
]

export const commits: readonly Case[] = [
  {
    name: 'commits steps of every kind in their order, and says what became of each',
    run: async (stage) => {
      const c = await begin(stage)
      const { repeated, outcomes } = await commit(
        stage,
        c,
        append([ask('a', { id: 'a' }), say('b', { id: 'b' })]),
        { do: 'set-branch', move: { name: 'side', head: 'a', expect: null, at: later(1) } },
        open('d', { parent: 'b', body: { run: 1 } }),
        { do: 'save-draft', draft: { id: 'd', epoch: 1, text: 'x', body: { run: 2 }, leaseSeconds: 60 } },
        { do: 'renew-draft', draft: { id: 'd', epoch: 1, leaseSeconds: 90 } },
        { do: 'promote-draft', promotion: { id: 'd', epoch: 1, entries: [say('c', { id: 'c' })], at } },
        open('e'),
        { do: 'drop-draft', id: 'e', epoch: 1 },
        { do: 'put-receipt', receipt: { id: `r ${c}`, conversation: c, entry: 'b', at, body: { kept: 1 } } },
        put('r'),
        count({ n: 2 }),
        { do: 'remove-record', kind: 'run', id: 'r' },
        emit('one', 'two'),
      )
      assert.equal(repeated, false)
      const [first, moved, opened, saved, renewed, promoted, again, ...rest] = outcomes
      const draft = { id: 'd', conversation: c, branch: 'main', parent: 'b', epoch: 1, at }
      assert.deepEqual(ids((first as Appended).entries), ['a', 'b'])
      assert.deepEqual(moved, { name: 'side', head: 'a', updatedAt: later(1) })
      assert.deepEqual(opened, { ...draft, text: '', body: { run: 1 } })
      assert.deepEqual(saved, { ...draft, text: 'x', body: { run: 2 } })
      assert.deepEqual(renewed, saved)
      assert.deepEqual([(promoted as Appended).entries[0]?.parent, (promoted as Appended).repeated], ['b', false])
      assert.equal((again as Draft).id, 'e')
      const times = { createdAt: at, updatedAt: at }
      assert.deepEqual(rest, [
        null,
        null,
        { kind: 'run', id: 'r', conversation: c, body: { id: 'r' }, revision: 1, ...times },
        { kind: 'count', id: 'sum', conversation: null, body: { n: 2 }, revision: 1, ...times },
        null,
        [
          { number: 1, type: 'one', data: { of: 'one' }, at },
          { number: 2, type: 'two', data: { of: 'two' }, at },
        ],
      ])
      const now = await look(stage, c)
      assert.deepEqual(ids(now.entries), ['a', 'b', 'c'])
      assert.deepEqual([now.drafts, now.runs.items, now.counts.items.length], [[], [], 1])
      assert.equal(await headOf(stage, c, 'side'), 'a')
      assert.deepEqual(ids(now.receipts.items), [`r ${c}`])
      assert.equal(now.events.newest, 2)
      assert.deepEqual(await stage.store.verify(stage.workspace, c), { ok: true, entries: 3 })
    },
  },
  {
    name: 'sees in each step what those before it wrote',
    run: async (stage) => {
      const c = await begin(stage)
      const { outcomes } = await commit(
        stage,
        c,
        append([ask('a', { id: 'a' })], { expect: null }),
        append([say('b', { id: 'b' })], { expect: 'a' }),
        { do: 'set-branch', move: { name: 'main', head: 'a', expect: 'b', at } },
        append([say('c', { id: 'c' })], { expect: 'a' }),
        open('d', { parent: 'c', sole: true }),
        { do: 'promote-draft', promotion: { id: 'd', epoch: 1, entries: [ask('e', { id: 'e' })], at } },
        open('f', { parent: 'e', sole: true }),
        put('r'),
        put('r', { expect: 1 }),
        count({ n: 1 }),
        count({ n: 1 }),
        emit('one'),
        emit('two'),
      )
      assert.deepEqual(
        (await all(stage, c)).map(({ id, parent, seq }) => [id, parent, seq]),
        [
          ['a', null, 1],
          ['b', 'a', 2],
          ['c', 'a', 3],
          ['e', 'c', 4],
        ],
      )
      assert.deepEqual(ids(await stage.store.drafts(stage.workspace, c)), ['f'])
      assert.equal((outcomes[8] as StoredRecord).revision, 2)
      assert.deepEqual((outcomes[10] as StoredRecord).body, { n: 2 })
      assert.equal((outcomes[12] as readonly StoredEvent[])[0]?.number, 2)
    },
  },
  ...(
    [
      ['append behind another head', append([say('x')], { expect: 'nowhere' }), 'head_moved'],
      ['append at no entry', append([say('x')], { from: 'nowhere' }), 'unknown_parent'],
      ['append of other words', append([ask('other', { id: 'a' })]), 'id_conflict'],
      ['append with a used key', append([ask('other')], { key: 'k' }), 'key_reused'],
      [
        'move of a branch',
        { do: 'set-branch', move: { name: 'main', head: null, expect: 'nowhere', at } },
        'head_moved',
      ],
      ['second draft with an id', open('d'), 'id_conflict'],
      ['draft that must be alone', open('e', { sole: true }), 'busy'],
      ['draft under no entry', open('e', { parent: 'nowhere' }), 'unknown_parent'],
      [
        'save of a fenced owner',
        { do: 'save-draft', draft: { id: 'd', epoch: 2, text: '', body: null, leaseSeconds: 9 } },
        'fenced',
      ],
      ['renewal of a fenced owner', { do: 'renew-draft', draft: { id: 'd', epoch: 2, leaseSeconds: 9 } }, 'fenced'],
      ['renewal of no draft', { do: 'renew-draft', draft: { id: 'e', epoch: 1, leaseSeconds: 9 } }, 'not_found'],
      ['drop of a fenced owner', { do: 'drop-draft', id: 'd', epoch: 2 }, 'fenced'],
      ['drop of no draft', { do: 'drop-draft', id: 'e', epoch: 1 }, 'not_found'],
      [
        'promotion by a fenced owner',
        { do: 'promote-draft', promotion: { id: 'd', epoch: 2, entries: [say('x')], at } },
        'fenced',
      ],
      [
        'promotion to entries that are there',
        { do: 'promote-draft', promotion: { id: 'd', epoch: 1, entries: [ask('a', { id: 'a' })], at } },
        'id_conflict',
      ],
      ['record that has moved', put('r', { expect: 7 }), 'record_moved'],
      ['record that is there', put('r', { expect: null }), 'record_moved'],
      ['sum of no numbers', { do: 'add-record', record: { kind: 'run', id: 'r', numbers: { n: 1 }, at } }, 'invalid'],
    ] as const satisfies readonly (readonly [string, Step, StoreCode])[]
  ).map(
    ([what, step, code]): Case => ({
      name: `commits nothing at all with a ${what}`,
      run: async (stage) => {
        const c = await furnish(stage)
        const before = await look(stage, c)
        await refused(commit(stage, c, ...writes(c), step), code)
        assert.deepEqual(await look(stage, c), before)
        await refused(commit(stage, c, step, ...writes(c)), code)
        assert.deepEqual(await look(stage, c), before)
        await commit(stage, c, ...writes(c))
        assert.equal((await look(stage, c)).events.newest, 3)
      },
    }),
  ),
  {
    name: 'takes a commit whose append was made before for a repetition, and writes nothing of it',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [keyed, plain, more] = [ask('a', { id: 'a' }), say('b', { id: 'b' }), say('m', { id: 'm' })]
      const steps = [
        put('r', { expect: null }),
        open('d', { sole: true }),
        append([keyed], { key: 'k', expect: null }),
        append([plain, more]),
        count({ n: 1 }),
        emit('one'),
      ]
      const first = await store.commit(workspace, c, steps)
      const before = await look(stage, c)
      const second = await store.commit(workspace, c, steps)
      const [, , one, two] = first.outcomes as readonly Appended[]
      const outcomes = [null, null, { ...one, repeated: true }, { ...two, repeated: true }, null, null]
      assert.deepEqual(second, { outcomes, repeated: true })
      assert.deepEqual(await look(stage, c), before)
      const partly = await commit(stage, c, emit('x'), append([say('z')]), append([plain, more]))
      assert.deepEqual(partly, { outcomes: [null, null, { ...two, repeated: true }], repeated: true })
      await refused(commit(stage, c, append([plain]), append([ask('other', { id: 'a' })])), 'id_conflict')
      await refused(commit(stage, c, emit('x'), append([more, say('y')])), 'id_conflict')
      assert.deepEqual(await look(stage, c), before)
    },
  },
  {
    name: 'takes a commit whose draft became its entries before for a repetition',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await commit(stage, c, append([ask('a', { id: 'a' })]), open('d', { parent: 'a', sole: true }))
      const promotion = { id: 'd', epoch: 1, entries: [say('b', { id: 'b' })], at }
      const steps: Step[] = [{ do: 'promote-draft', promotion }, put('r', { expect: null }), emit('ended')]
      const first = await store.commit(workspace, c, steps)
      const before = await look(stage, c)
      const second = await store.commit(workspace, c, steps)
      const done = { ...(first.outcomes[0] as Appended), repeated: true }
      assert.deepEqual(second, { outcomes: [done, null, null], repeated: true })
      assert.deepEqual(await look(stage, c), before)
    },
  },
  {
    name: 'makes one commit of the same one asked for ten times at once',
    run: async (stage) => {
      const c = await begin(stage)
      const steps = [append([ask('a', { id: 'a' })], { key: 'k' }), count({ n: 1 }), emit('one', 'two')]
      const made = await Promise.all(Array.from({ length: 10 }, () => stage.store.commit(stage.workspace, c, steps)))
      assert.equal(made.filter(({ repeated }) => !repeated).length, 1)
      const now = await look(stage, c)
      assert.deepEqual([now.entries.length, now.events.newest, now.counts.items[0]?.body], [1, 2, { n: 1 }])
    },
  },
  {
    name: 'keeps the commits of many writers whole, and loses none',
    run: async (stage) => {
      const { store, workspace } = stage
      const [c, d] = [await begin(stage), await begin(stage)]
      const made = await Promise.all(
        upTo(24).map((n) =>
          commit(
            stage,
            n % 2 ? c : d,
            append([ask(`${n}`), say(`re ${n}`)]),
            count({ n, one: 1 }),
            emit('x', 'y', 'z'),
          ),
        ),
      )
      for (const { outcomes } of made) {
        const { entries } = outcomes[0] as Appended
        const told = outcomes[2] as readonly StoredEvent[]
        assert.equal(entries[1]?.seq, (entries[0]?.seq ?? 0) + 1)
        assert.deepEqual(
          told.map(({ number }) => number),
          [0, 1, 2].map((i) => (told[0]?.number ?? 0) + i),
        )
      }
      for (const one of [c, d]) {
        const { events, newest } = await store.events(workspace, one, 0, 1_000)
        assert.deepEqual(
          events.map(({ number }) => number),
          upTo(36),
        )
        assert.equal(newest, 36)
        assert.deepEqual(await store.verify(workspace, one), { ok: true, entries: 24 })
      }
      const sum = await store.getRecord(workspace, 'count', 'sum')
      assert.deepEqual([sum?.body, sum?.revision], [{ n: 300, one: 24 }, 24])
    },
  },
  {
    name: 'gives one of many writers the only draft of a conversation, and tells the others which it is',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const outcome = await codes(
        upTo(8).map((n) => commit(stage, c, append([ask(`${n}`)]), open(`d${n}`, { sole: true }))),
      )
      assert.deepEqual(outcome.toSorted(), [...Array(7).fill('busy'), null])
      const [draft] = await store.drafts(workspace, c)
      const error = await refused(commit(stage, c, open('late', { sole: true })), 'busy')
      assert.equal(error.issues[0]?.value, draft?.id)
      assert.equal((await all(stage, c)).length, 1)
      await commit(stage, c, { do: 'drop-draft', id: draft?.id as string, epoch: 1 }, open('next', { sole: true }))
    },
  },
  {
    name: 'counts a draft whose lease ran out as open until it is claimed and ended',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const draft = { branch: 'main', parent: null, leaseSeconds: 0, at }
      await store.openDraft(workspace, c, { ...draft, id: 'old', body: { run: 1 } })
      await refused(store.openDraft(workspace, c, { ...draft, id: 'new', sole: true }), 'busy')
      const claimed = (await store.claimDrafts(workspace, 60)).find(({ id }) => id === 'old') as Draft
      assert.deepEqual([claimed.epoch, claimed.body], [2, { run: 1 }])
      const error = await refused(store.openDraft(workspace, c, { ...draft, id: 'new', sole: true }), 'busy')
      assert.equal(error.issues[0]?.value, 'old')
      await refused(commit(stage, c, { do: 'drop-draft', id: 'old', epoch: 1 }), 'fenced')
      await commit(stage, c, { do: 'drop-draft', id: 'old', epoch: 2 })
      await store.openDraft(workspace, c, { ...draft, id: 'new', sole: true })
      await store.openDraft(workspace, c, { ...draft, id: 'second' })
      await refused(store.openDraft(workspace, c, { ...draft, id: 'new', sole: true }), 'id_conflict')
    },
  },
  {
    name: 'renews the lease of a draft and leaves its words',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await commit(stage, c, open('d', { leaseSeconds: 0 }))
      await store.saveDraft(workspace, c, { id: 'd', epoch: 1, text: 'so far', body: [1], leaseSeconds: 0 })
      const { outcomes } = await commit(stage, c, { do: 'renew-draft', draft: { id: 'd', epoch: 1, leaseSeconds: 90 } })
      assert.deepEqual([(outcomes[0] as Draft).text, (outcomes[0] as Draft).body], ['so far', [1]])
      assert.deepEqual(await store.claimDrafts(workspace, 9), [])
    },
  },
  {
    name: 'refuses an empty commit, a step it does not know, an entry or a key twice, and the receipt of another',
    run: async (stage) => {
      const c = await begin(stage)
      const other = await begin(stage)
      const before = await look(stage, c)
      const receipt = { id: 'r', conversation: other, entry: null, at, body: 1 }
      const bad: readonly (readonly Step[])[] = [
        [],
        [{ do: 'drop-table' } as unknown as Step],
        [append([ask('a', { id: 'a' })]), append([ask('a', { id: 'a' })])],
        [append([ask('a')], { key: 'k' }), append([ask('b')], { key: 'k' })],
        [emit('fine'), { do: 'put-receipt', receipt }],
        [emit('fine'), emit('')],
        [emit('fine'), append([])],
        [count({ n: Number.NaN })],
        [count({ n: '1' as unknown as number })],
      ]
      for (const steps of bad) await refused(commit(stage, c, ...steps), 'invalid')
      assert.deepEqual(await look(stage, c), before)
    },
  },
]
