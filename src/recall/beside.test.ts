import { expect, test } from 'vitest'
import { beside, eventsIn } from './beside.js'

test.each([
  ['what did I do before ', { way: -1, many: null, unit: undefined }],
  ['who came the week before ', { way: -1, many: null, unit: 'week' }],
  ['who came two weeks after ', { way: 1, many: 'two', unit: 'week' }],
  ['what changed since the ', { way: 1, many: null, unit: undefined }],
])('%s', (words, side) => {
  expect(beside(words)).toEqual(side)
})

test.each(['who came on ', 'I saw it before. On ', ''])('%s puts it on no side', (words) => {
  expect(beside(words)).toBeNull()
})

test.each([
  ['Where did I live before the move?', -1, 'the move'],
  ['What did Melanie do after the road trip to relax?', 1, 'the road trip'],
  ['After I changed jobs, who was my manager?', 1, 'I changed jobs'],
  ['How many events were there before my wedding?', -1, 'my wedding'],
])('%s', (text, way, words) => {
  expect(eventsIn(text)).toMatchObject([{ way, words }])
})

test.each([
  'Have I done this before?',
  'What came before 2023?',
  'What do you follow?',
  'How many are there after adding both?',
])('%s names no event', (text) => {
  expect(eventsIn(text)).toEqual([])
})
