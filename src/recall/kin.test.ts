import { expect, test } from 'vitest'
import { kinOf } from './kin.js'
import { tableEmbedder } from './table.js'
import { termOf } from './words.js'

test('a word has kin of like meaning, by their terms, and is none of them', async () => {
  const { kin } = await tableEmbedder()
  const found = kin?.('children') ?? new Map()
  expect(found.has(termOf('kids'))).toBe(true)
  expect(found.has(termOf('tax'))).toBe(false)
  expect(found.has(termOf('children'))).toBe(false)
})

test('a word that says nothing or is not known whole has no kin', async () => {
  const { kin } = await tableEmbedder()
  expect(kin?.('the').size).toBe(0)
  expect(kin?.('zzyzxqqt').size).toBe(0)
})

test('how like two words are is the cosine of their rows', () => {
  const words = new Map(['dog', 'hound', 'bread', '##s'].map((word, row) => [word, row]))
  const rows = new Int8Array(4 * 32)
  rows.set(Array(32).fill(3), 0)
  rows.set([...Array(30).fill(9), 0, 0], 32)
  rows.set(Array(32).fill(-3), 64)
  rows.set(Array(32).fill(3), 96)
  const found = kinOf(words, 32, rows)('dog')
  expect([...found.keys()]).toEqual(['hound'])
  expect(found.get('hound')).toBeCloseTo(Math.sqrt(30 / 32), 6)
})
