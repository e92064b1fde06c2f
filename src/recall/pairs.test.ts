import { expect, test } from 'vitest'
import { holds, pairOf, pairsOf } from './pairs.js'

test('words are a pair when they stand side by side, in that order', () => {
  const pairs = pairsOf(['add', 'account', 'lockout', 'to', 'login'])
  expect(holds(pairs, pairOf('account', 'lockout'))).toBe(true)
  expect(holds(pairs, pairOf('to', 'login'))).toBe(true)
  expect(holds(pairs, pairOf('lockout', 'account'))).toBe(false)
  expect(holds(pairs, pairOf('account', 'login'))).toBe(false)
})

test('one word has no pair, and where two words meet matters', () => {
  expect(pairsOf(['alone'])).toHaveLength(0)
  expect(holds(pairsOf([]), pairOf('a', 'b'))).toBe(false)
  expect(pairOf('ab', 'c')).not.toBe(pairOf('a', 'bc'))
})
