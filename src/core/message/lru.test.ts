import { expect, test } from 'vitest'
import { lru } from './lru.js'

test('what was not used for the longest time goes first', () => {
  const known = lru<number>(2)
  known.set('a', 1)
  known.set('b', 2)
  known.get('a')
  known.set('c', 3)
  expect(['a', 'b', 'c'].map((name) => known.get(name))).toEqual([1, undefined, 3])
})

test('what weighs much makes room for itself, and stays whatever it weighs', () => {
  const known = lru<string>(10, (value) => value.length)
  known.set('a', 'four')
  known.set('b', 'five5')
  known.set('b', 'seven77')
  expect(known.get('a')).toBeUndefined()
  known.set('c', 'much more than ten')
  expect([known.get('b'), known.get('c')]).toEqual([undefined, 'much more than ten'])
  known.set('d', 'six666')
  known.set('e', 'four')
  expect([known.get('c'), known.get('d'), known.get('e')]).toEqual([undefined, 'six666', 'four'])
})
