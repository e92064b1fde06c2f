import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
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

test('a word that is remembered does not keep the text alive that it came from (F-19)', () => {
  setFlagsFromString('--expose-gc')
  const tidy = runInNewContext('gc') as () => void
  const used = (): number => {
    tidy()
    return process.memoryUsage().heapUsed
  }
  const filler = 'harbour '.repeat(20_000)
  const before = used()
  for (let n = 0; n < 100; n++) termsOf(wordsOf(`${filler} Serial${'q'.repeat(10)}${n} 漢`))
  // 100 texts of 320,000 bytes would be 32 MB
  expect(used() - before).toBeLessThan(10_000_000)
}, 60_000)
