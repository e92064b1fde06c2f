import { expect, test } from 'vitest'
import { asksPast } from './asks.js'
import { questionOf } from './query.js'

const asked = (text: string, goesOn: number, needed = 0) =>
  asksPast(questionOf(text, [], Number.NaN, null), goesOn, needed)

test('a question that does not go on with the talk asks about the past alone', () => {
  expect(asked('What is the name of the dog that my sister has?', 0.01)).toBe('alone')
  expect(asked('What is the name of the dog that my sister has?', 0.2)).toBe('past')
  expect(asked('What is the name of the dog that my sister has?', 0.9)).toBe('past')
})

test('the newest turn is not cut when it may hold what is asked for', () => {
  expect(asked('What is the name of the dog that my sister has?', 0.01, 0.5)).toBe('past')
})

test('what goes on or is no question has the usual share', () => {
  expect(asked('And the second one?', 0.9)).toBe('usual')
  expect(asked('Write the next chapter about my sister and her dog.', 0.01)).toBe('usual')
})
