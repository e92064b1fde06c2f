/** What must not vanish is told apart from what looks like it, and a summary that loses one of them is caught. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { accept } from './accept.js'
import type { Brief, Said, Statement } from './contract.js'
import { type Keep, keepsOf, missingFrom } from './keep.js'

const say = (id: string, voice: Said['voice'], text: string): Said => ({ id, voice, text, at: '' })
const measure = { count: (text: string) => Math.ceil(text.length / 4), most: 4_000 }

/** One of each kind, with a lookalike that holds it as a part. */
const lookalikes: readonly (readonly [Keep['kind'], string, string])[] = [
  ['number', '412', '4127'],
  ['number', '1,049', '1,049.50'],
  ['number', '12:30', '12:30:45'],
  ['id', 'ORD-44', 'ORD-441'],
  ['id', '4be2d11', '4be2d11f'],
  ['path', 'src/cart', 'src/cart/total.ts'],
  ['path', 'cart/total.ts', 'src/cart/total.ts'],
  ['path', 'src/total.ts', 'src/total.tsx'],
  ['url', 'https://shop.example/a', 'https://shop.example/a/b'],
  ['url', 'https://shop.example/a', 'https://shop.example/a?x=1'],
  ['name', 'Ada', 'Adam'],
]

describe('a specific', () => {
  test.each(lookalikes)('of the kind %s, %s, is not there where only %s is', (kind, text, lookalike) => {
    const keep: Keep = { kind, text, source: 'm1' }
    expect(missingFrom(`We spoke of ${lookalike} then.`, [keep])).toEqual([keep])
    expect(missingFrom(`We spoke of ${lookalike}, and of ${text}.`, [keep])).toEqual([])
  })

  test.each(['(412)', '"412"', '412; 99', '412.', '€412,', '412'])('is there in %s', (text) => {
    expect(missingFrom(text, [{ kind: 'number', text: '412', source: 'm1' }])).toEqual([])
  })

  test('that a line break splits is kept as one', () => {
    const must = keepsOf([say('m1', 'user', 'It took 250\nms.')]).must.map(({ text }) => text)
    expect(must).toEqual(['250 ms'])
  })
})

const specifics: fc.Arbitrary<readonly string[]> = fc
  .uniqueArray(fc.integer({ min: 100, max: 99_999 }), { minLength: 1, maxLength: 6 })
  .map((numbers) =>
    numbers.flatMap((n) => [
      `${n} ms`,
      `ORD-${n}`,
      `src/part${n}/index.ts`,
      `https://shop.example/${n}?x=1`,
      `The report ${n} is still open.`,
    ]),
  )

/** Each message of the user has one of them; the name is said in two. */
const talkOf = (found: readonly string[]): readonly Said[] => [
  ...found.map((one, at) => say(`m${at}`, 'user', /open/.test(one) ? one : `About ${one} we spoke, said Grace.`)),
  say('a', 'assistant', 'Yes, and thank you, Grace, for the words about it.'),
]

const wholeOf = (said: readonly Said[]): readonly Statement[] =>
  said.map(({ id, text }): Statement => ({ section: 'fact', text, sources: [id] }))

test('a summary that loses any one of them, a name or an open question is caught and mended [P-23]', () => {
  fc.assert(
    fc.property(specifics, fc.nat(), (found, place) => {
      const said = talkOf(found)
      const { must } = keepsOf(said)
      expect(must.map(({ text }) => text)).toEqual(expect.arrayContaining([...found, 'Grace']))
      const lost = must[place % must.length] as Keep
      // the mutant: a sound summary without this one
      const mutant = wholeOf(said).map((one) => ({ ...one, text: one.text.replaceAll(lost.text, 'that') }))
      const text = mutant.map((one) => one.text).join('\n')
      expect(missingFrom(text, must)).toContainEqual(lost)
      const brief: Brief = { previous: [], said, words: 60 }
      const made = accept(brief, mutant, measure)
      if (!made.ok) throw new Error(made.cause)
      expect(missingFrom(made.text, must)).toEqual([])
      expect(made.added).toBeGreaterThan(0)
    }),
    { numRuns: runs },
  )
})

test('a check that looks for parts of words would not catch it', () => {
  const careless = (text: string, keeps: readonly Keep[]): boolean => keeps.every((keep) => text.includes(keep.text))
  const fooled = lookalikes.filter(([kind, text, other]) => careless(other, [{ kind, text, source: '' }]))
  expect(fooled).toEqual(lookalikes)
})

test('a summary is refused when what must be kept does not fit, never taken without it', () => {
  fc.assert(
    fc.property(specifics, fc.integer({ min: 1, max: 300 }), (found, most) => {
      const said = talkOf(found)
      const made = accept({ previous: [], said, words: 60 }, wholeOf(said), { ...measure, most })
      if (!made.ok) expect(made.cause).toBe('summary_too_large')
      else {
        expect(missingFrom(made.text, keepsOf(said).must)).toEqual([])
        expect(measure.count(made.text)).toBeLessThanOrEqual(most)
      }
    }),
    { numRuns: runs },
  )
})
