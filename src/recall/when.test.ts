import { expect, test } from 'vitest'
import { nearness, timeSpansIn } from './when.js'

const now = Date.UTC(2024, 5, 19, 12) // a Wednesday
const day = (text: string): number => Date.parse(`${text}T12:00:00Z`)
const best = (text: string, at: string): number =>
  nearness(
    day(at),
    timeSpansIn(text, now, () => [2023, 2024]),
  )

test.each([
  ['who came on May 3, 2023?', '2023-05-03'],
  ['who came on 3 May 2023?', '2023-05-03'],
  ['who came on the 3rd of May?', '2024-05-03'],
  ['what happened on 2024-02-29?', '2024-02-29'],
  ['what did I buy last May?', '2024-05-20'],
  ['what did I buy last August?', '2023-08-20'],
  ['what did I buy in March 2023?', '2023-03-11'],
  ['where was I in 2023?', '2023-11-30'],
  ['what did I say two weeks ago?', '2024-06-05'],
  ['what did I say 5 days ago?', '2024-06-14'],
  ['what did we plan last week?', '2024-06-12'],
  ['what did we do on Monday?', '2024-06-17'],
  ['who called yesterday?', '2024-06-18'],
])('%s speaks of %s', (text, at) => {
  expect(best(text, at)).toBe(1)
})

test('the farther from the time, the less near', () => {
  expect(best('on May 3, 2023', '2023-05-05')).toBeLessThan(1)
  expect(best('on May 3, 2023', '2023-05-20')).toBeLessThan(best('on May 3, 2023', '2023-05-05'))
})

test.each(['it may rain', 'they march on', 'I have 3 cats', 'what about the second one?'])(
  '%s speaks of no time',
  (text) => {
    expect(timeSpansIn(text, now, () => [2024])).toEqual([])
  },
)

test.each([
  ['what did I say before May 2023?', '2023-04-02', '2023-06-02'],
  ['what did I say until 3 May 2023?', '2023-04-02', '2023-06-02'],
  ['what did I say since March 2024?', '2024-05-20', '2024-01-20'],
  ['what did I say after 2023?', '2024-01-20', '2023-06-02'],
  ['what did I do the week before 2024-03-20?', '2024-03-15', '2024-03-25'],
  ['what did I do two weeks before 20 March 2024?', '2024-03-06', '2024-03-20'],
  ['what did I do two weeks after 20 March 2024?', '2024-04-04', '2024-03-20'],
])('%s speaks rather of %s than of %s', (text, at, other) => {
  expect(best(text, at)).toBeGreaterThan(best(text, other) + 0.2)
})
