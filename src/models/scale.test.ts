import { expect, test } from 'vitest'
import { assemble } from '../core/window/assemble.js'
import { counterFor } from '../core/window/plan.js'
import { presets } from '../index.js'
import { rowOf } from '../runs/ask.js'
import { extractive } from './builtin/answer.js'
import { scaled } from './scale.js'
import type { Model } from './wire/contract.js'

const facts = { provider: 'x', family: 'claude', window: 9_000, output: 1_000, scale: 1, source: 'given' } as const
const model: Model = { ...extractive, id: 'x/some', facts: { ...facts, id: 'some' } }

test('what a provider counts more corrects the counts for that model, after three answers and in steps', () => {
  const ratios: number[] = []
  const scaleNow = (): number => scaled(model, ratios).facts.scale
  for (const drift of [1.12, 1.11]) scaled(model, ratios).learn?.(drift)
  expect(scaleNow()).toBe(1)
  scaled(model, ratios).learn?.(1.13)
  expect(scaleNow()).toBe(1.15)
  // what is counted with the correction is no drift any more
  for (let n = 0; n < 20; n++) scaled(model, ratios).learn?.(1.12 / scaleNow())
  expect(scaleNow()).toBe(1.15)
})

test('counts that were too high come down, as far as the highest of the newest answers and no further than half', () => {
  const ratios = [1, 1, 1]
  for (let n = 0; n < 8; n++) scaled(model, ratios).learn?.(0.7 / scaled(model, ratios).facts.scale)
  expect(scaled(model, ratios).facts.scale).toBe(0.7)
  for (let n = 0; n < 8; n++) scaled(model, ratios).learn?.(0.1)
  expect(scaled(model, ratios).facts.scale).toBe(0.5)
})

test('the window of a corrected model is counted by the correction, and its receipt names it', async () => {
  const messages = [{ role: 'user', content: 'word '.repeat(900) }]
  const used = async (corrected: Model) => {
    const options = { model: corrected.id, models: [rowOf(corrected)] }
    const made = assemble(messages, 'balanced', { ...options, ...(await counterFor(presets.balanced, options)) })
    if (!made.ok) throw new Error(made.error.message)
    return made.receipt
  }
  const [before, after] = [await used(model), await used(scaled(model, [1.2, 1.2, 1.2]))]
  expect(before.counter.name).toBe('claude by cl100k x1.265')
  expect(after.counter.name).toBe('claude by cl100k x1.518')
  expect(after.request.used / before.request.used).toBeCloseTo(1.2, 1)
})
