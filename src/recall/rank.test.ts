import { expect, test } from 'vitest'
import { cardOf } from './card.js'
import { createCatalogue } from './catalogue.js'
import { questionOf } from './query.js'
import { rank } from './rank.js'

/** Someone says where he lives, moves, and says it again. */
const told = [
  ['2024-01-10', 'I have my breakfast at a bakery on my street every day.'],
  ['2024-02-20', 'We have rain again.'],
  ['2024-03-15', 'The move is done, all boxes are unpacked.'],
  ['2024-04-20', 'We have sun at last.'],
  ['2024-05-10', 'I have my breakfast at a cafe on my street every day.'],
] as const

const chancesFor = (text: string): readonly number[] => {
  const catalogue = createCatalogue()
  for (const [depth, [day, said]] of told.entries()) {
    const entry = { seq: depth + 1, depth, contentHash: `${depth}`, at: `${day}T08:00:00Z`, tokens: 12, text: said }
    catalogue.add(...cardOf(entry, 'user', null))
  }
  return [...rank(catalogue, questionOf(text, [], Date.UTC(2024, 5, 1), null)).chances]
}

test.each([
  ['Where did I have breakfast before the move?', 0],
  ['Where did I have breakfast after the move?', 4],
  ['Where did I have breakfast before March 2024?', 0],
  ['Where did I have breakfast since April 2024?', 4],
  ['Where did I have breakfast two months after the move?', 4],
])('%s', (text, place) => {
  const chances = chancesFor(text)
  expect(chances.indexOf(Math.max(...chances.filter((_, at) => at !== 2)))).toBe(place)
  const without = chancesFor('Where did I have breakfast?')
  const lift = (at: number): number => (chances[at] as number) / (without[at] as number)
  expect(lift(place)).toBeGreaterThan(lift(4 - place))
})
