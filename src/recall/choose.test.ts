import { expect, test } from 'vitest'
import { cardOf } from './card.js'
import { choose, type Offer } from './choose.js'

/** Each has a hash of its own, unless it says the same as another. */
const offer = (author: string, chance: number, tokens: number, same = author): Offer => {
  const contentHash = Buffer.from(same).toString('hex')
  const [card] = cardOf({ seq: 1, depth: 0, contentHash, at: '', tokens, text: '', author }, 'user', null)
  return { card, place: 0, chance }
}
const ids = (offers: readonly Offer[]): string[] => offers.map(({ card }) => card.author)

test('of two that are as likely the shorter comes first', () => {
  expect(ids(choose([offer('long', 0.5, 400), offer('short', 0.5, 20)], 1_000))).toEqual(['short', 'long'])
})

test('the likelier comes first when both are as long', () => {
  expect(ids(choose([offer('no', 0.01, 50), offer('yes', 0.6, 50)], 1_000))).toEqual(['yes', 'no'])
})

test('the same words are offered once', () => {
  expect(ids(choose([offer('one', 0.5, 20, 'same'), offer('two', 0.4, 20, 'same')], 1_000))).toEqual(['one'])
})

test('what would fill the room alone comes last', () => {
  expect(ids(choose([offer('book', 0.99, 950), offer('line', 0.01, 20)], 1_000))).toEqual(['line', 'book'])
})
