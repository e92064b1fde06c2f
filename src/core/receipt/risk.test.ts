import { expect, test } from 'vitest'
import { assemble } from '../../index.js'
import type { Line } from './receipt.js'
import { risksOf } from './risk.js'

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

test('a code without a hyphen and a decision are details, a row of single digits is none', () => {
  const said = [
    { role: 'user', content: 'Our code is QX7R2P. We decided not to rent a car. Not 0,0,0 nor SHOUTED words.' },
    { role: 'assistant', content: 'Decision: we fly on Friday.' },
  ]
  const found = risksOf(said, [line(0, 1, 'dropped')], '', 'And now?')
  expect(found.map(({ kind, text }) => [kind, text])).toEqual([
    ['decision', 'Decision: we fly on Friday'],
    ['decision', 'We decided not to rent a car'],
    ['reference', 'QX7R2P'],
  ])
})

const line = (from: number, to: number, fate: Line['fate']): Line => ({
  ...{ from, to, fate, stage: 'fit', rule: 'over_tokens', tokens: null, chars: null, restore: null },
})

const csv = `train,leaves,fare_yen\n${Array.from({ length: 40 }, (_, i) => `Rapid ${i},0${i % 9}:${10 + i},${720 + i}`).join('\n')}`
const talk = [
  { role: 'user', content: 'Which trains are there?' },
  { role: 'tool', tool_call_id: 'c1', content: csv },
  {
    role: 'assistant',
    content: 'Held: **Sora Higashiyama**, garden side, reference **KY-20417**. Seven nights are €826.',
  },
  { role: 'user', content: 'Thanks.' },
]
const question = { role: 'user', content: 'Where do we sleep, and what is the reference?' }

test('the lost hotel comes first, and the debris of a table is no detail (field report D)', () => {
  const found = risksOf(talk, [line(0, 2, 'dropped'), line(3, 3, 'kept')], '"Thanks."', question)
  expect(found.slice(0, 2).map(({ text }) => text)).toEqual(['Sora Higashiyama', 'KY-20417'])
  expect(found).toContainEqual({ kind: 'amount', text: '€826', message: 2 })
  expect(found.filter(({ message }) => message === 1)).toEqual([])
})

test('what the request still says is not missing', () => {
  const sent = 'We sleep at Sora Higashiyama, reference KY-20417.'
  const found = risksOf(talk, [line(0, 2, 'summarised'), line(3, 3, 'kept')], sent, question)
  expect(found.map(({ text }) => text)).toEqual(['€826'])
})

test('a path that a tool printed is a detail', () => {
  const printed = [{ role: 'tool', tool_call_id: 'c1', content: 'failed in /srv/app/login.test.ts, line 12' }]
  expect(risksOf(printed, [line(0, 0, 'dropped')], '', 'What failed?')).toEqual([
    { kind: 'path', text: '/srv/app/login.test.ts', message: 0 },
  ])
})
