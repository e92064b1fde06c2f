import { expect, test } from 'vitest'
import { questionOf, subjectOf } from './query.js'

const asked = 'List the order in which I mentioned hiking and pottery across our conversations'

test('words of the asking count less than what is asked about', () => {
  const { terms } = questionOf(asked, [], Number.NaN, null)
  expect(terms.get('hike')).toBe(1)
  expect(terms.get('potteri')).toBe(1)
  expect(terms.get('convers')).toBeLessThan(1)
})

test('the subject of a question leaves the asking out, unless nothing else is left', () => {
  expect(subjectOf(asked)).toContain('hiking')
  expect(subjectOf(asked)).not.toMatch(/order|conversations/)
  expect(subjectOf('What did you say?')).toContain('what')
  expect(subjectOf('Mention one')).toBe('Mention one')
})

test('what the asker said and what the assistant said are told apart, and a request is neither', () => {
  const read = (text: string) => {
    const { told, yours } = questionOf(text, [], Number.NaN, null)
    return { told, yours }
  }
  expect(read('Can you list the order in which I brought up my plans?')).toEqual({ told: true, yours: false })
  expect(read('How many times did I mention a dog?')).toEqual({ told: true, yours: false })
  expect(read('Which restaurant did you recommend?')).toEqual({ told: false, yours: true })
  expect(read('Can you remind me what you suggested when I asked for a name?')).toEqual({ told: false, yours: true })
  expect(read('Which tools would you suggest for my app?')).toEqual({ told: false, yours: false })
})

test('terms that stand side by side are pairs, without the words of the asking', () => {
  const { pairs } = questionOf('Did I mention the account lockout across our sessions?', [], Number.NaN, null)
  expect(pairs).toEqual([['account', 'lockout']])
})
