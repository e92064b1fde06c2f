import { expect, test } from 'vitest'
import { holds, pairsOf } from './pairs.js'

test('words are a pair when they stand side by side, in that order', () => {
  const pairs = pairsOf(['add', 'account', 'lockout', 'to', 'login'])
  expect(holds(pairs, 'account', 'lockout')).toBe(true)
  expect(holds(pairs, 'to', 'login')).toBe(true)
  expect(holds(pairs, 'lockout', 'account')).toBe(false)
  expect(holds(pairs, 'account', 'login')).toBe(false)
})

test('one word has no pair, and where two words meet matters', () => {
  expect(holds(pairsOf(['alone']), 'alone', 'alone')).toBe(false)
  expect(holds(pairsOf([]), 'a', 'b')).toBe(false)
  expect(holds(pairsOf(['ab', 'c']), 'a', 'bc')).toBe(false)
})

test('in a long text few pairs are taken for others', () => {
  const terms = Array.from({ length: 500 }, (_, at) => `word${at}`)
  const pairs = pairsOf(terms)
  expect(terms.slice(1).every((term, at) => holds(pairs, terms[at] as string, term))).toBe(true)
  expect(terms.slice(2).filter((term, at) => holds(pairs, terms[at] as string, term)).length).toBeLessThan(75)
})
