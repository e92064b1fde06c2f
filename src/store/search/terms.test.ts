import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { isWellFormed } from '../../core/message/text.js'
import { instantOf } from '../shared/instant.js'
import { quotes } from './quote.js'
import { snippetOf } from './snippet.js'
import { isSought, searchTerms, soughtIn, tokens } from './terms.js'

const numRuns = runs
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('tea', 'Téa', '東京', '東', 'ข้าว', ' ', '.', '\u{1f600}', 'ﬁ', '½', 'ガ', 'ｶﾞ'), {
      maxLength: 40,
    })
    .map((all) => all.join('')),
)

describe('the terms of a text', () => {
  test.each([
    ['Tea-time, 2 o’clock', 'tea time 2 o clock'],
    ['CRÈME Brûlée', 'creme brulee'],
    ['ﬁne ①②', 'fine 12'],
    ['1½', '11 2'],
    ['Ёж', 'ёж'],
    ['Throughline™ x²', 'throughline x2'],
    ['東京都', '東 東京 京 京都 都'],
    ['東', '東'],
    ['ｶﾞｷﾞ', 'ガ ガギ ギ'],
    ['葛\u{e0100}城', '葛 葛城 城'],
    ['ab東c', 'ab 東 c'],
    ['㈠二', '一 一二 二'],
    ['\u0301 ! \u{1f600}', ''],
    ['x'.repeat(99), 'x'.repeat(64)],
  ])('of %j are %j', (text, terms) => {
    expect([...searchTerms(text)].join(' ')).toBe(terms)
  })

  test('have no space, quotation mark, backslash or NUL in them, and no half of a character', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const term of searchTerms(text)) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]{1,}$/u)
      }),
      { numRuns },
    )
  })

  test('stand where they are said to stand', () => {
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0
        for (const { from, to, term } of tokens(text)) {
          expect(from).toBeGreaterThanOrEqual(last)
          expect([...searchTerms(text.slice(from, to))]).toContain(term)
          last = from
        }
      }),
      { numRuns },
    )
  })

  test('are bounded for one entry', () => {
    const many = Array.from({ length: 200_000 }, (_, i) => `word${i}`).join(' ')
    expect(searchTerms(many).size).toBeLessThan(70_000)
  })

  test('answer any query that is a piece of the text, cut between words', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const terms = [...searchTerms(text)]
        for (const sought of soughtIn(text)) expect(terms.some((term) => isSought(sought, term))).toBe(true)
      }),
      { numRuns },
    )
  })
})

test('the last word of a query is a beginning, unless it is of a script without spaces', () => {
  expect(soughtIn('Green TE')).toEqual([
    { term: 'green', prefix: false },
    { term: 'te', prefix: true },
  ])
  expect(soughtIn('te 東京都')).toEqual([
    { term: 'te', prefix: false },
    { term: '東京', prefix: false },
    { term: '京都', prefix: false },
  ])
  expect(soughtIn('東')).toEqual([{ term: '東', prefix: false }])
  expect(soughtIn('a a a')).toEqual([
    { term: 'a', prefix: false },
    { term: 'a', prefix: true },
  ])
})

test('a snippet is a stretch of the text with whole characters, and its marks are words that were sought', () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const text = `${one.repeat(9)} ${other}`
      const sought = soughtIn(other)
      const { snippet, marks } = snippetOf(text, sought)
      expect(text.includes(snippet)).toBe(true)
      expect(Array.from(snippet).length).toBeLessThanOrEqual(240)
      if (isWellFormed(text)) expect(isWellFormed(snippet)).toBe(true)
      expect(marks.length > 0).toBe(sought.length > 0)
      let last = -1
      for (const [from, to] of marks) {
        expect(from > last && to > from && to <= snippet.length).toBe(true)
        last = to
      }
    }),
    { numRuns },
  )
})

test.each([
  ['2026-01-01T00:00:00Z', 1_767_225_600_000],
  ['2026-01-01', 1_767_225_600_000],
  ['2026-01-01T01:00:00.000+01:00', 1_767_225_600_000],
  ['2025-12-31 23:00-0100', 1_767_225_600_000],
  ['2026-01-01T00:00', 1_767_225_600_000],
  ['2026-13-01', null],
  ['Jan 1 2026', null],
  ['', null],
])('%j is the instant %j on every machine', (at, instant) => {
  expect(instantOf(at)).toBe(instant)
})

test.each([
  ['the whole text in a sentence', { a: ['He said: open sesame!'] }, 'open sesame', true],
  ['a key', { 'open sesame': 1 }, 'open sesame', true],
  ['a part of a word', { state: 'again' }, 'a', false],
  ['a word of its own', 'a b', 'a', true],
  ['nothing', { a: '' }, '  ', false],
  ['signs', 'x!y', '!', true],
])('a document quotes %s', (_, document, text, expected) => {
  expect(quotes(document, text)).toBe(expected)
})
