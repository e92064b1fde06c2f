import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { ownShare, shareAfter } from './allowance.js'

const span = 6

test('a turn may have what the turns before it leave, and its own part whatever they took', () => {
  const allowance = { budget: 9_000, span }
  expect(ownShare(allowance)).toBe(600)
  expect(shareAfter([], allowance)).toBe(3_600)
  expect(shareAfter([500, 100], allowance)).toBe(3_000)
  expect(shareAfter([3_000], allowance)).toBe(600)
  expect(shareAfter([90_000], allowance)).toBe(600)
})

test('it looks no further back than it must', () => {
  function* turns(): Generator<number> {
    yield 4_000
    throw new Error('one turn is enough')
  }
  expect(shareAfter(turns(), { budget: 9_000, span })).toBe(600)
})

test('with a bigger budget all turns together never gain more than the budget does [P-12]', () => {
  const sizes = fc.array(fc.nat(20_000), { minLength: 1, maxLength: span })
  const total = (turns: readonly number[], budget: number): number =>
    turns.reduce((sum, size, at) => sum + Math.min(size, shareAfter(turns.slice(at + 1), { budget, span })), 0)
  fc.assert(
    fc.property(
      sizes,
      fc.integer({ min: 100, max: 200_000 }),
      fc.integer({ min: 1, max: 5_000 }),
      (turns, budget, more) => {
        const gained = total(turns, budget + more) - total(turns, budget)
        expect(gained).toBeGreaterThanOrEqual(-1e-6)
        expect(gained).toBeLessThanOrEqual(more + 1e-6)
      },
    ),
    { numRuns: runs },
  )
})
