/** One number decides a world. `npm run simulate` runs a million operations; SIMULATION_SEED=… replays what failed. */
import { beforeAll, expect, test } from 'vitest'
import type { Step } from '../../src/store/contract/commit.js'
import { seed as today } from '../runs.js'
import { Broken } from './laws.js'
import { episode, type Mutant } from './world.js'

const operations = Number(process.env.SIMULATION_OPERATIONS ?? 20_000)
const replayed = process.env.SIMULATION_SEED
/** Operations on one fresh store. */
const each = 50

/** What is loaded on demand takes real time: after it a world is the same whether it is the first one or not. */
beforeAll(async () => {
  await episode(0, 30)
}, 60_000)

test(`${operations} operations on failing servers break no law (F-20)`, async () => {
  const totals = { operations: 0, calls: 0, crashes: 0, lost: 0, runs: 0 }
  const first = replayed === undefined ? today * 100_000 : Number(replayed)
  const episodes = replayed === undefined ? Math.ceil(operations / each) : 1
  for (let n = 0; n < episodes; n++) {
    const report = await episode(first + n, each).catch((error: unknown) => {
      throw new Error(`SIMULATION_SEED=${first + n}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      })
    })
    if (operations > 20_000 && n % 400 === 399) console.info(`${(n + 1) * each} operations, no law broken`)
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += report[name]
  }
  if (operations > 20_000) console.info(totals)
  expect(totals.runs).toBeGreaterThan(0)
}, 86_400_000)

test('the same number is the same world', async () => {
  expect(await episode(7, each)).toEqual(await episode(7, each))
})

const without =
  (drop: (step: Step) => boolean): Mutant =>
  (steps) => {
    const left = steps.filter((step) => !drop(step))
    return left.length > 0 ? left : steps
  }

const changed =
  (change: (step: Step) => Step): Mutant =>
  (steps) =>
    steps.map(change)

/** Mistakes that the code of runs and of their queue could make. */
const mutants: Readonly<Record<string, Mutant>> = {
  'two answers may be under way at once': changed((step) =>
    step.do === 'open-draft' ? { ...step, draft: { ...step.draft, sole: false } } : step,
  ),
  'what goes together is written apart': (steps) => (steps.length > 1 ? steps.map((step) => [step]) : steps),
  'the end of a run is not told': changed((step) =>
    step.do === 'emit' ? { ...step, events: step.events.filter(({ type }) => type !== 'run-ended') } : step,
  ),
  'the end of a run is told twice': changed((step) =>
    step.do === 'emit'
      ? { ...step, events: step.events.flatMap((event) => (event.type === 'run-ended' ? [event, event] : [event])) }
      : step,
  ),
  'a run keeps its place in line': without((step) => step.do === 'remove-record' && step.kind === 'queued'),
  'a run leaves no record': without((step) => step.do === 'put-record' && step.record.kind === 'run'),
}

test.each(Object.entries(mutants))(
  'a world in which %s is found out',
  async (_, mutant) => {
    let broken: unknown = null
    for (let seed = 1; seed <= 60 && broken === null; seed++)
      broken = await episode(seed, each, { mutant, mode: 'talk' }).then(
        () => null,
        (error: unknown) => error,
      )
    expect(broken).toBeInstanceOf(Broken)
  },
  300_000,
)
