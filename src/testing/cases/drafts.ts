/** A message while it is streamed: one owner at a time, and one entry in the end. */
import assert from 'node:assert/strict'
import type { Draft } from '../../store/contract/draft.js'
import { add, all, ask, at, begin, type Case, codes, headOf, ids, refused, rest, type Stage, say } from './stage.js'

const open = (stage: Stage, c: string, id: string, leaseSeconds: number, parent: string | null = null) =>
  stage.store.openDraft(stage.workspace, c, { id, branch: 'main', parent, leaseSeconds, at })
const save = (stage: Stage, c: string, { id, epoch }: Pick<Draft, 'id' | 'epoch'>, text: string, leaseSeconds = 60) =>
  stage.store.saveDraft(stage.workspace, c, { id, epoch, text, body: { parts: [text] }, leaseSeconds })

export const drafts: readonly Case[] = [
  {
    name: 'keeps what was streamed so far',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const question = ask('a')
      await add(stage, c, [question])
      const draft = await open(stage, c, 'd', 60, question.id)
      const facts = { id: 'd', conversation: c, branch: 'main', parent: question.id, epoch: 1, at }
      assert.deepEqual(draft, { ...facts, text: '', body: null })
      const saved = await save(stage, c, draft, 'Hel\u{1f44b}')
      assert.deepEqual(saved, { ...facts, text: 'Hel\u{1f44b}', body: { parts: ['Hel\u{1f44b}'] } })
      assert.deepEqual(await store.drafts(workspace, c), [saved])
      assert.equal((await all(stage, c)).length, 1)
    },
  },
  {
    name: 'refuses a second draft with an id, and one under an entry that is not there',
    run: async (stage) => {
      const c = await begin(stage)
      await open(stage, c, 'd', 60)
      await refused(open(stage, c, 'd', 60), 'id_conflict')
      await refused(open(stage, c, 'e', 60, 'nowhere'), 'unknown_parent')
      await open(stage, await begin(stage), 'd', 60)
      const outcome = await codes([1, 2, 3].map(() => open(stage, c, 'f', 60)))
      assert.deepEqual(outcome.toSorted(), ['id_conflict', 'id_conflict', null])
    },
  },
  {
    name: 'makes a draft one entry, once',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const question = ask('a')
      await add(stage, c, [question])
      const draft = await open(stage, c, 'd', 60, question.id)
      await save(stage, c, draft, 'Hello')
      const promotion = { id: 'd', epoch: draft.epoch, entries: [say('Hello')], at }
      const first = await store.promoteDraft(workspace, c, promotion)
      assert.deepEqual([first.repeated, first.entries[0]?.parent], [false, question.id])
      const second = await store.promoteDraft(workspace, c, promotion)
      assert.deepEqual(second, { ...first, repeated: true })
      assert.deepEqual(await store.drafts(workspace, c), [])
      assert.deepEqual(ids(await all(stage, c)), [question.id, promotion.entries[0]?.id])
      assert.equal(await headOf(stage, c), promotion.entries[0]?.id)
      await refused(store.promoteDraft(workspace, c, { ...promotion, entries: [say('other')] }), 'not_found')
      await refused(save(stage, c, draft, 'more'), 'not_found')
    },
  },
  {
    name: 'makes a draft one entry when it is asked for ten times at once',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const { id, epoch } = await open(stage, c, 'd', 60)
      const promotion = { id, epoch, entries: [say('Hello'), ask('next')], at }
      const answers = await Promise.all(Array.from({ length: 10 }, () => store.promoteDraft(workspace, c, promotion)))
      assert.equal(answers.filter(({ repeated }) => !repeated).length, 1)
      assert.equal((await all(stage, c)).length, 2)
    },
  },
  {
    name: 'puts a draft behind what was appended to its branch meanwhile, and leaves nothing behind',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const question = ask('a')
      await add(stage, c, [question])
      const draft = await open(stage, c, 'd', 60, question.id)
      const [second, third] = [ask('b'), say('c')]
      await add(stage, c, [second])
      await add(stage, c, [third])
      const promotion = { id: 'd', epoch: draft.epoch, entries: [say('late'), ask('later')], at }
      const first = await store.promoteDraft(workspace, c, promotion)
      assert.deepEqual([first.repeated, first.entries[0]?.parent, first.entries[0]?.depth], [false, third.id, 3])
      const order = [question.id, second.id, third.id, ...ids(promotion.entries)]
      assert.deepEqual(ids(await store.path(workspace, c, first.head)), order)
      assert.equal(await headOf(stage, c), first.head)
      await add(stage, c, [say('end')])
      assert.deepEqual(await store.promoteDraft(workspace, c, promotion), { ...first, repeated: true })
      assert.deepEqual((await store.branches(workspace, c)).length, 1)
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 6 })
    },
  },
  {
    name: 'puts a draft from the beginning behind what others began with',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const { id, epoch } = await open(stage, c, 'd', 60)
      const question = ask('a')
      await add(stage, c, [question])
      const { entries } = await store.promoteDraft(workspace, c, { id, epoch, entries: [say('b')], at })
      assert.deepEqual([entries[0]?.parent, await headOf(stage, c)], [question.id, entries[0]?.id])
    },
  },
  {
    name: 'puts a draft whose branch went elsewhere on a branch of its own',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const [one, two, other] = [ask('a'), ask('b'), say('another way')]
      await add(stage, c, [one, two])
      for (const id of ['moved', 'back', 'removed', 'n'.repeat(198)]) await open(stage, c, id, 60, two.id)
      const promote = (id: string) => store.promoteDraft(workspace, c, { id, epoch: 1, entries: [say(id)], at })
      const parentAndHead = async (id: string, branch: string) => {
        const { entries, head } = await promote(id)
        assert.equal(await headOf(stage, c, branch), head)
        return entries[0]?.parent
      }
      await add(stage, c, [other], { from: one.id })
      assert.equal(await parentAndHead('moved', 'main-moved'), two.id)
      assert.equal(await headOf(stage, c), other.id)
      await store.setBranch(workspace, c, { name: 'main', head: one.id, expect: other.id, at })
      assert.equal(await parentAndHead('back', 'main-back'), two.id)
      assert.equal(await headOf(stage, c), one.id)
      await store.removeBranch(workspace, c, 'main')
      assert.equal(await parentAndHead('removed', 'main-removed'), two.id)
      assert.equal(await parentAndHead('n'.repeat(198), 'n'.repeat(198)), two.id)
      assert.equal(await headOf(stage, c), undefined)
      assert.deepEqual(await store.drafts(workspace, c), [])
      assert.deepEqual(await store.verify(workspace, c), { ok: true, entries: 7 })
    },
  },
  {
    name: 'keeps every append and every draft when they come at once',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const question = ask('a')
      await add(stage, c, [question])
      const names = ['d1', 'd2', 'd3', 'd4']
      for (const id of names) await open(stage, c, id, 60, question.id)
      await Promise.all(
        names.flatMap((id) => [
          store.promoteDraft(workspace, c, { id, epoch: 1, entries: [say(id, { id })], at }),
          add(stage, c, [ask(`after ${id}`)]),
        ]),
      )
      const path = await store.path(workspace, c, (await headOf(stage, c)) as string)
      assert.deepEqual(ids(path), ids(await all(stage, c)))
      assert.equal(path.length, 9)
    },
  },
  {
    name: 'keeps the draft when its entries are refused',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const { id, epoch } = await open(stage, c, 'd', 60)
      const bad = [say('Hello'), say('x', { tokens: 0.5 })]
      await refused(store.promoteDraft(workspace, c, { id, epoch, entries: bad, at }), 'invalid')
      await refused(store.promoteDraft(workspace, c, { id, epoch, entries: [], at }), 'invalid')
      assert.deepEqual(ids(await store.drafts(workspace, c)), ['d'])
      assert.deepEqual(await all(stage, c), [])
    },
  },
  {
    name: 'recovers a draft once: the first owner is fenced, and one entry comes of it',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      const first = await open(stage, c, 'd', 0)
      await save(stage, c, first, 'Hel', 0)
      await rest(20)
      const claimed = await store.claimDrafts(workspace, 60)
      assert.deepEqual(claimed, [{ ...first, text: 'Hel', body: { parts: ['Hel'] }, epoch: 2 }])
      const error = await refused(save(stage, c, first, 'Hello'), 'fenced')
      assert.equal(error.issues[0]?.value, 2)
      const promotion = { id: 'd', at, entries: [say('Hel')] }
      await refused(store.promoteDraft(workspace, c, { ...promotion, epoch: 1 }), 'fenced')
      assert.deepEqual(await all(stage, c), [])
      assert.equal((await save(stage, c, { id: 'd', epoch: 2 }, 'Hel')).epoch, 2)
      await store.promoteDraft(workspace, c, { ...promotion, epoch: 2 })
      assert.equal((await store.promoteDraft(workspace, c, { ...promotion, epoch: 2 })).repeated, true)
      assert.equal((await all(stage, c)).length, 1)
    },
  },
  {
    name: 'gives an abandoned draft to one of many callers, and a live one to none',
    run: async (stage) => {
      const { store, workspace } = stage
      const [one, two] = [await begin(stage, 'c-1'), await begin(stage, 'c-2')]
      for (const id of ['a', 'b', 'live']) await open(stage, one, id, id === 'live' ? 60 : 0)
      for (const id of ['a', 'saved']) await open(stage, two, id, 0)
      await save(stage, two, { id: 'saved', epoch: 1 }, 'on', 60)
      await rest(20)
      const claims = await Promise.all(Array.from({ length: 6 }, () => store.claimDrafts(workspace, 60)))
      const given = claims.flat().map(({ conversation, id, epoch }) => `${conversation} ${id} ${epoch}`)
      assert.deepEqual(given.toSorted(), ['c-1 a 2', 'c-1 b 2', 'c-2 a 2'])
      assert.deepEqual(await store.claimDrafts(workspace, 60), [])
    },
  },
  {
    name: 'gives a draft again when its second owner is gone too, each time with a higher epoch',
    run: async (stage) => {
      const { store, workspace } = stage
      await open(stage, await begin(stage), 'd', 0)
      for (const epoch of [2, 3, 4]) {
        await rest(5)
        assert.deepEqual(
          (await store.claimDrafts(workspace, 0)).map((draft) => draft.epoch),
          [epoch],
        )
      }
    },
  },
  {
    name: 'refuses a lease that is no time',
    run: async (stage) => {
      const { store, workspace } = stage
      const c = await begin(stage)
      await open(stage, c, 'd', 60)
      for (const seconds of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
        await refused(open(stage, c, 'e', seconds), 'invalid')
        await refused(save(stage, c, { id: 'd', epoch: 1 }, 'x', seconds), 'invalid')
        await refused(store.claimDrafts(workspace, seconds), 'invalid')
      }
    },
  },
]
