import { expect, test } from 'vitest'
import { assemble } from '../../index.js'

test('the lost hotel and its booking code come first, and numbers out of a table never', () => {
  const table = Array.from({ length: 30 }, (_, n) => `${1_000 + n},${n * 7},${n * 13}.50,AB${n}00`).join('\n')
  const messages = [
    { role: 'user', content: 'Let us plan the trip.' },
    {
      role: 'assistant',
      content: 'We stay at the Hotel Miramar, booking code QX7-4481, and the notes are in trips/lisbon.md.',
    },
    { role: 'user', content: `Here are the costs:\n${table}` },
    { role: 'assistant', content: 'Noted.' },
    ...Array.from({ length: 12 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `and then ${'some more words about nothing at all '.repeat(20)}`,
    })),
  ]
  const made = assemble({ messages, current: 'And now?' }, 'balanced', { model: 'gpt-4o', budget: 700, risks: true })
  if (!made.ok) throw new Error(made.error.message)
  const found = (made.receipt.risks ?? []).map(({ text }) => text)
  expect(found.slice(0, 2).sort()).toEqual(['Hotel Miramar', 'QX7-4481'])
  expect(found).toContain('trips/lisbon.md')
  expect(found.filter((text) => /^[\d,.]+$/.test(text) || /^AB\d/.test(text))).toEqual([])
})
