import fc from 'fast-check'
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { inPieces } from './pieces.js'

const asText = { disallowedSpecial: new Set<string>() }
const tables = { o200k, cl100k }

/** Where the rules differ from each other, and where a sign beyond ASCII has a say. */
const signs = [
  ...[
    "abxyz ABXYZ '",
    "'s'S'll'LL'Ve'rE'm'D't'x",
    ' \n\r\t\v\f/()[]{}.,;:!?-_"`',
    '0123456789１²',
    '\u0000\u0001\u001c\u007f',
  ],
  ...['éàßǅʰªЖд你ｱ', '\u0301\u00a0\u2028\ufeff', '“—”…'].flatMap((one) => [one, `${one} a'A1\n`]),
].flatMap((one) => [...one])
const texts = fc.array(fc.tuple(fc.constantFrom(...signs, ...'aeiou stnr '), fc.constantFrom(1, 1, 1, 2, 5)), {
  maxLength: 60,
})

test.each(['o200k', 'cl100k'] as const)('a text is counted piece by piece as %s counts the whole', (table) => {
  const whole = (text: string): number => tables[table](text, asText)
  const count = inPieces(table, whole)
  const same = (list: readonly (readonly [string, number])[]): void => {
    const text = list.map(([sign, times]) => sign.repeat(times)).join('')
    // what was counted once is remembered
    expect([text, count(text), count(text)]).toEqual([text, whole(text), whole(text)])
  }
  fc.assert(fc.property(texts, same), { numRuns: runs * 5 })
})

test('a word that comes again is not counted again', () => {
  const asked: string[] = []
  const count = inPieces('o200k', (text) => asked.push(text) && o200k(text, asText))
  const text = "We'll see what the server says, and what it doesn't."
  expect([count(text), count(text)]).toEqual([o200k(text), o200k(text)])
  expect(asked.filter((piece) => piece === ' what')).toHaveLength(1)
})
