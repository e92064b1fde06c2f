import { expect, test } from 'vitest'
import type { ModelRequest, Models } from '../models/wire/contract.js'
import { memoryStore } from '../store/memory/store.js'
import { scriptedModel } from '../testing/scripted-model.js'
import type { RunsOptions } from './floor.js'
import { openRuns } from './runs.js'

const place = { workspace: 'w', conversation: 'c' } as const
const budget = 650
const isSummary = ({ window }: ModelRequest): boolean => (window.system ?? '').includes('minutes of a conversation')

/** Answers questions, and summaries as it is told to. */
function stage(summary: string | Error, more: Partial<RunsOptions> = {}) {
  const store = memoryStore()
  const turns = Array.from(
    { length: 200 },
    () => (request: ModelRequest) =>
      isSummary(request)
        ? summary
        : 'It is a good colour for the shelf by the window, and it can be sent any day of the week.',
  )
  const model = scriptedModel(turns)
  const models: Models = { usual: model.id, list: async () => [], find: async () => model }
  const runs = openRuns({ store, models, recaller: null, ...more })
  const say = async (message: string) => (await runs.start({ ...place, message, budget })).ended
  const summaries = async () => (await store.feed('w', 'c', 0, 1_000)).filter(({ body }) => body.kind === 'summary')
  /** It is written off the hot path. */
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const talk = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      await say(`What do you think of the colour of box ${turn}? Tell me more about it, there is no hurry at all.`)
      await settled()
    }
  }
  return { store, model, say, talk, summaries, settled }
}

const minutes = `request: What the user thinks of each box and its colour [M1]
decision: The colour is good for the shelf by the window [M2]
open: Box colours are still open [M3]
nonsense without a form`

test('the model that answers also keeps the minutes, and the next window has them [S4-F1]', async () => {
  const { model, talk, summaries, say } = stage(minutes)
  await talk(14)
  const [first] = await summaries()
  expect(first?.author).toBe(model.id)
  expect(first?.text).toContain('Decisions:\n- The colour is good for the shelf by the window')
  expect(first?.text).not.toContain('nonsense')
  const asked = model.requests.filter(isSummary)
  expect(asked[0]?.output).toBeGreaterThan(0)
  await say('And now?')
  const last = model.requests.filter((request) => !isSummary(request)).at(-1)
  expect(JSON.stringify(last?.window.items)).toContain('The colour is good for the shelf by the window')
})

test('a model that fails at it costs nothing but the summary [L-15]', async () => {
  const { talk, summaries, say } = stage(new Error('529 overloaded'))
  await talk(14)
  expect(await summaries()).toEqual([])
  expect((await say('And now?')).state).toBe('done')
})

test('nobody is asked when summaries are off, and no model when sentences are picked', async () => {
  const off = stage(minutes, { compaction: 'off' })
  await off.talk(14)
  expect([await off.summaries(), off.model.requests.filter(isSummary)]).toEqual([[], []])
  const picked = stage(minutes, { compaction: 'extractive' })
  await picked.talk(14)
  expect((await picked.summaries())[0]?.author).toBe('extractive')
  expect(picked.model.requests.filter(isSummary)).toEqual([])
})
