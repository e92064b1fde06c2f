import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differing } from '../../web/chat/differing.js'
import { runs } from '../runs.js'

const split = (text: string): string[] => text.split(' ')

test('the words that only one side has are named', () => {
  expect(differing(split('we go to Kyoto in May'), split('we go to Osaka and Nara in May'))).toEqual([[3], [3, 4, 5]])
  expect(differing(split('the same'), split('the same'))).toEqual([[], []])
  expect(differing([], split('all new'))).toEqual([[], [0, 1]])
})

test('without them both sides are the same, however long they are', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 })
  fc.assert(
    fc.property(words, words, (one, other) => {
      const [left, right] = differing(one, other).map((places) => new Set(places))
      expect(one.filter((_, at) => !left?.has(at))).toEqual(other.filter((_, at) => !right?.has(at)))
    }),
    { numRuns: runs },
  )
  const long = (word: string): string[] => ['same', ...Array.from({ length: 4_000 }, () => word), 'end']
  expect(differing(long('x'), long('y')).map(({ length }) => length)).toEqual([4_000, 4_000])
})
