import { expect, test } from 'vitest'
import { stem } from './stem.js'
import { termsOf, wordsOf } from './words.js'

test.each([
  ['relational', 'relat'],
  ['relating', 'relat'],
  ['ponies', 'poni'],
  ['caresses', 'caress'],
  ['agreed', 'agre'],
  ['hopping', 'hop'],
  ['hoping', 'hope'],
  ['happy', 'happi'],
  ['adjustment', 'adjust'],
  ['controlling', 'control'],
  ['sky', 'sky'],
  ['x86', 'x86'],
])('the stem of %s is %s', (word, expected) => {
  expect(stem(word)).toBe(expected)
})

test('forms of a word are one term, and words that say nothing are none', () => {
  expect(termsOf(wordsOf('What did she paint? Painted paintings, painting!'))).toEqual(Array(4).fill('paint'))
})

test('accents and case do not matter', () => {
  expect(wordsOf('Café CRÈME')).toEqual(['cafe', 'creme'])
})

test('scripts without spaces are compared by pairs', () => {
  expect(wordsOf('東京都')).toEqual(['東京', '京都'])
})
