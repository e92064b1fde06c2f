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
