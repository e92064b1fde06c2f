import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { pinned, runs } from '../runs.js'
import { type Step, scripts } from './operations.js'
import { everything, outcome } from './outcome.js'
import { type Contestant, type Field, field } from './stores.js'

const numRuns = Math.max(1, Math.ceil(runs / 20))

describe('the same operations', () => {
  let stores: Field

  beforeAll(async () => {
    stores = await field()
    for (const reason of stores.absent) process.stderr.write(`not compared, ${reason}\n`)
  })
  afterAll(() => stores.end())

  test('give the same reads and the same refusals on every store [P-25]', async () => {
    await fc.assert(
      fc.asyncProperty(scripts, (steps) => compare(stores.contestants, steps)),
      { numRuns },
    )
  })
})

describe('the comparison', () => {
  const differs = (broken: (store: Store) => Partial<Store>) => {
    const [sound, other] = [memoryStore(), memoryStore()]
    const field = [
      { name: 'sound', store: sound },
      { name: 'broken', store: { ...other, ...broken(other) } },
    ]
    return expect(
      fc.assert(
        fc.asyncProperty(scripts, (steps) => compare(field, steps)),
        { ...pinned, endOnFailure: true },
      ),
    ).rejects.toThrow()
  }

  test('finds a store whose windows are an entry short', () =>
    differs((store) => ({
      window: async (...given) => {
        const found = await store.window(...given)
        return found.entries.length > 3 ? { ...found, entries: found.entries.slice(1) } : found
      },
    })))

  test('finds a store that takes any expectation', () =>
    differs((store) => ({
      append: (workspace, conversation, batch, { expect: _, ...options }) =>
        store.append(workspace, conversation, batch, options),
    })))
})

/** Fails at the first step whose outcome is not the same on all of them. */
async function compare(contestants: readonly Contestant[], steps: readonly Step[]): Promise<void> {
  const prefix = `${randomUUID()} `
  for (const [i, step] of steps.entries()) {
    const outcomes: string[] = []
    for (const { store } of contestants) outcomes.push(await outcome(step.run(store, prefix)))
    agree(contestants, outcomes, `step ${i}, ${step}`)
  }
  const reads = await Promise.all(contestants.map(({ store }) => everything(store, prefix)))
  for (const i of reads[0]?.keys() ?? [])
    agree(
      contestants,
      reads.map((lines) => lines[i] ?? 'nothing'),
      'at the end',
    )
}

function agree(contestants: readonly Contestant[], outcomes: readonly string[], where: string): void {
  const [first] = outcomes
  if (first?.includes('CRASH')) throw new Error(`${where}:\n${first}`)
  for (const [i, other] of outcomes.entries())
    if (other !== first) expect(`${where}: ${other}`, contestants[i]?.name).toBe(`${where}: ${first}`)
}
