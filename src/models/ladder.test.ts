import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../test/runs.js'
import { ladder } from './ladder.js'

const numbers = (size: number) => Array.from({ length: size }, (_, at) => at)
const sizes = (size: number): (readonly [string, number])[] => {
  const out: (readonly [string, number])[] = []
  for (let attempt = 0; ; attempt++) {
    const rung = ladder(numbers(size), attempt)
    if (!rung) return out
    out.push([rung.name, rung.kept.length])
  }
}

test('a long history goes full, half, quarter, 5, 2, none', () => {
  expect(sizes(100)).toEqual([
    ['full', 100],
    ['half', 50],
    ['quarter', 25],
    ['last-5', 5],
    ['last-2', 2],
    ['none', 0],
  ])
})

test('steps that would not make it shorter are passed over', () => {
  expect(sizes(8)).toEqual([
    ['full', 8],
    ['half', 4],
    ['quarter', 2],
    ['none', 0],
  ])
  expect(sizes(3)).toEqual([
    ['full', 3],
    ['half', 2],
    ['quarter', 1],
    ['none', 0],
  ])
  expect(sizes(1)).toEqual([
    ['full', 1],
    ['none', 0],
  ])
  expect(sizes(0)).toEqual([['full', 0]])
})

test('every step keeps the newest, in order, and fewer than the one before', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(7), (size, attempt) => {
      const history = numbers(size)
      const rung = ladder(history, attempt)
      if (!rung) return
      expect(rung.kept).toEqual(history.slice(rung.dropped))
      expect(rung.kept.length + rung.dropped).toBe(size)
      const before = attempt > 0 && ladder(history, attempt - 1)
      if (before) expect(rung.kept.length).toBeLessThan(before.kept.length)
    }),
    { numRuns: runs },
  )
})
