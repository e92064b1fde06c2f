/** Stores that commit in part, count events wrongly, or lose what was added. */

import type { Appended } from '../../../src/store/contract/append.js'
import type { Committed, Step } from '../../../src/store/contract/commit.js'
import type { StoredEvent } from '../../../src/store/contract/event.js'
import type { StoredRecord } from '../../../src/store/contract/record.js'
import type { Store } from '../../../src/store/contract/store.js'
import { type Mutant, stored } from './mutant.js'

/** Each step by itself. */
async function oneByOne(store: Store, w: string, c: string, steps: readonly Step[]): Promise<Committed> {
  const outcomes: Committed['outcomes'][number][] = []
  for (const step of steps) outcomes.push((await store.commit(w, c, [step])).outcomes[0] ?? null)
  return { outcomes, repeated: false }
}

const without = (steps: readonly Step[], kind: Step['do']): readonly Step[] => steps.filter((step) => step.do !== kind)

/** The events of a commit, changed. */
const told = (done: Committed, change: (event: StoredEvent) => StoredEvent): Committed => ({
  ...done,
  outcomes: done.outcomes.map((one) => (Array.isArray(one) ? one.map(change) : one)),
})

export const committing: readonly Mutant[] = [
  {
    name: 'commits the steps before one that is refused',
    by: 'commits nothing at all with a record that has moved',
    wrong: ({ store }) => ({ commit: (w, c, steps) => oneByOne(store, w, c, steps) }),
  },
  {
    name: 'emits the events of a commit that is refused',
    by: 'commits nothing at all with a save of a fenced owner',
    wrong: ({ store }) => ({
      commit: (w, c, steps) =>
        store.commit(w, c, steps).catch(async (error) => {
          const emits = steps.filter((step) => step.do === 'emit')
          if (emits.length > 0 && error.code === 'fenced') await store.commit(w, c, emits)
          throw error
        }),
    }),
  },
  {
    name: 'emits again when a commit is repeated',
    by: 'takes a commit whose append was made before for a repetition, and writes nothing of it',
    wrong: ({ store }) => ({
      async commit(w, c, steps) {
        const done = await store.commit(w, c, steps)
        const emits = steps.filter((step) => step.do === 'emit')
        if (done.repeated && emits.length > 0) await store.commit(w, c, emits)
        return done
      },
    }),
  },
  {
    name: 'refuses the retry of a commit whose other steps are no longer possible',
    by: 'takes a commit whose append was made before for a repetition, and writes nothing of it',
    wrong: ({ store }) => ({
      async commit(w, c, steps) {
        const first = steps.find((step) => step.do === 'put-record')
        if (first) await store.commit(w, c, [first]).then(() => store.removeRecord(w, 'run', first.record.id))
        return store.commit(w, c, steps)
      },
    }),
  },
  {
    name: 'does not know a draft that became its entries',
    by: 'takes a commit whose draft became its entries before for a repetition',
    wrong: ({ store }) => ({
      async commit(w, c, steps) {
        const done = await store.commit(w, c, steps)
        const promotes = steps.some((step) => step.do === 'promote-draft')
        return promotes && done.repeated ? store.commit(w, c, without(steps, 'promote-draft')) : done
      },
    }),
  },
  {
    name: 'does its steps in another order',
    by: 'sees in each step what those before it wrote',
    wrong: ({ store }) => ({ commit: (w, c, steps) => store.commit(w, c, steps.toReversed()) }),
  },
  {
    name: 'takes an empty commit',
    by: 'refuses an empty commit, a step it does not know, an entry or a key twice, and the receipt of another',
    wrong: ({ store }) => ({
      commit: async (w, c, steps) => (steps.length ? store.commit(w, c, steps) : { outcomes: [], repeated: false }),
    }),
  },
  {
    name: 'mixes the events of two commits',
    by: 'keeps the commits of many writers whole, and loses none',
    wrong: ({ store }) => ({
      async commit(w, c, steps) {
        const done = await store.commit(w, c, without(steps, 'emit'))
        const outcomes = [...done.outcomes]
        for (const step of steps) {
          if (step.do !== 'emit') continue
          const events: StoredEvent[] = []
          for (const event of step.events) {
            await new Promise((wake) => setImmediate(wake))
            const { outcomes } = await store.commit(w, c, [{ ...step, events: [event] }])
            events.push(...(outcomes[0] as readonly StoredEvent[]))
          }
          outcomes.push(events)
        }
        return { ...done, outcomes }
      },
    }),
  },
  {
    name: 'loses one of two additions at once',
    by: 'adds numbers from everywhere at once, and loses none',
    wrong: ({ store }) => ({
      async commit(w, c, steps) {
        const [step] = steps
        if (step?.do !== 'add-record') return store.commit(w, c, steps)
        const known = (await store.getRecord(w, 'count', step.record.id))?.body as Record<string, number> | undefined
        await new Promise((wake) => setImmediate(wake))
        const body = { ...known }
        for (const [name, number] of Object.entries(step.record.numbers)) body[name] = (body[name] ?? 0) + number
        const outcomes = [await store.putRecord(w, { ...step.record, body })]
        return { outcomes, repeated: false }
      },
    }),
  },
  {
    name: 'gives a sum to the conversation that added first',
    by: 'adds numbers from everywhere at once, and loses none',
    wrong: ({ store }) => ({
      async commit(w, c, steps) {
        const done = await store.commit(w, c, steps)
        for (const one of done.outcomes.filter(isRecord)) {
          await store.removeRecord(w, one.kind, one.id)
          await store.putRecord(w, { kind: one.kind, id: one.id, body: one.body, conversation: c, at: one.updatedAt })
        }
        return done
      },
    }),
  },
  {
    name: 'adds numbers to words',
    by: 'adds no numbers to what is none',
    wrong: ({ store }) => ({
      commit: (w, c, steps) =>
        store.commit(w, c, steps).catch((error) => {
          if (error.code !== 'invalid') throw error
          return { outcomes: [null], repeated: false }
        }),
    }),
  },
  {
    name: 'opens a second draft although the first must be alone',
    by: 'gives one of many writers the only draft of a conversation, and tells the others which it is',
    wrong: ({ store }) => ({
      commit: (w, c, steps) =>
        store.commit(
          w,
          c,
          steps.map((step) => (step.do === 'open-draft' ? { ...step, draft: { ...step.draft, sole: false } } : step)),
        ),
    }),
  },
  {
    name: 'takes a draft whose lease ran out for ended',
    by: 'counts a draft whose lease ran out as open until it is claimed and ended',
    wrong: (sound) => ({
      async openDraft(w, c, draft) {
        const drafts = stored(sound, w, c)?.drafts
        for (const [id, { until }] of drafts ?? [])
          if (draft.sole && until <= performance.now() / 1_000) drafts?.delete(id)
        return sound.store.openDraft(w, c, draft)
      },
    }),
  },
  {
    name: 'forgets what a draft carries from the start',
    by: 'counts a draft whose lease ran out as open until it is claimed and ended',
    wrong: ({ store }) => ({ openDraft: (w, c, { body: _, ...draft }) => store.openDraft(w, c, draft) }),
  },
  {
    name: 'renews no lease',
    by: 'renews the lease of a draft and leaves its words',
    wrong: (sound) => ({
      async commit(w, c, steps) {
        const done = await sound.store.commit(w, c, steps)
        for (const draft of stored(sound, w, c)?.drafts.values() ?? []) draft.until = 0
        return done
      },
    }),
  },
  {
    name: 'counts events from zero',
    by: 'numbers events from one, without a gap, and gives those behind a number',
    wrong: ({ store }) => ({
      async events(...a) {
        const page = await store.events(...a)
        return { ...page, events: page.events.map((event) => ({ ...event, number: event.number - 1 })) }
      },
    }),
  },
  {
    name: 'leaves a gap in the numbers after a refusal',
    by: 'commits nothing at all with a draft that must be alone',
    wrong: (sound) => ({
      commit: (w, c, steps) =>
        sound.store.commit(w, c, steps).catch((error) => {
          const room = stored(sound, w, c)
          if (room) room.newest++
          throw error
        }),
    }),
  },
  {
    name: 'counts anew after events were trimmed',
    by: 'forgets events up to a number, and the numbers go on',
    wrong: (sound) => ({
      async trimEvents(w, c, upTo) {
        await sound.store.trimEvents(w, c, upTo)
        const room = stored(sound, w, c)
        if (room) room.newest = room.events.length
      },
    }),
  },
  {
    name: 'gives the event a reader has already',
    by: 'numbers events from one, without a gap, and gives those behind a number',
    wrong: ({ store }) => ({ events: (w, c, after, limit) => store.events(w, c, Math.max(0, after - 1), limit) }),
  },
  {
    name: 'skips events that come while it is read',
    by: 'shows a reader every event once and in order while four writers emit',
    wrong: ({ store }) => {
      let reads = 0
      return {
        async events(w, c, after, limit) {
          return store.events(w, c, ++reads % 5 === 4 ? after + 1 : after, limit)
        },
      }
    },
  },
  {
    name: 'answers with other numbers than it stored',
    by: 'commits steps of every kind in their order, and says what became of each',
    wrong: ({ store }) => ({
      commit: async (...a) => told(await store.commit(...a), (event) => ({ ...event, number: event.number + 1 })),
    }),
  },
  {
    name: 'wakes nobody',
    by: 'wakes those who watch a conversation once its events can be read',
    wrong: () => ({ watch: () => () => {} }),
  },
  {
    name: 'wakes those who have gone',
    by: 'wakes those who watch a conversation once its events can be read',
    wrong: ({ store }) => ({
      watch: (...a) => {
        store.watch(...a)
        return () => {}
      },
    }),
  },
  {
    name: 'says of a commit that was made before that it is new',
    by: 'makes one commit of the same one asked for ten times at once',
    wrong: ({ store }) => ({ commit: async (...a) => ({ ...(await store.commit(...a)), repeated: false }) }),
  },
  {
    name: 'forgets the answer of an append that was made before',
    by: 'takes a commit whose append was made before for a repetition, and writes nothing of it',
    wrong: ({ store }) => ({
      async commit(...a) {
        const done = await store.commit(...a)
        return done.repeated ? { ...done, outcomes: done.outcomes.map(() => null as Appended | null) } : done
      },
    }),
  },
]

const isRecord = (one: Committed['outcomes'][number]): one is StoredRecord =>
  typeof one === 'object' && one !== null && 'revision' in one
