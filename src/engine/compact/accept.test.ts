import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { accept, looksFailed } from './accept.js'
import type { Brief, Said, Statement } from './contract.js'
import { extract } from './extract.js'
import { keepsOf } from './keep.js'
import { statementsIn, textOf } from './write.js'

const measure = { count: (text: string) => Math.ceil(text.length / 4), most: 2_000 }
const say = (id: string, voice: Said['voice'], text: string): Said => ({ id, voice, text, at: '2026-01-01T00:00:00Z' })

const talk: readonly Said[] = [
  say('m1', 'user', 'Hello! My name is Ada and I run the shop at https://shop.example/admin?x=1.'),
  say('m2', 'assistant', 'Nice to meet you, Ada. What can I do for you?'),
  say('m3', 'user', 'Please fix src/cart/total.ts: order ORD-4417 shows €1,249.50 instead of €1,049.50.'),
  say('m4', 'assistant', 'I found it. We decided to round after the discount, so I changed src/cart/total.ts.'),
  say('m5', 'tool', 'build 8f3a9c1d ok in 812 ms, 99412 modules'),
  say('m6', 'user', 'Good. The tax report is still open, remind me of it on 2026-03-01.'),
  say('m7', 'assistant', 'I will. Commit 4be2d11 has the change.'),
]
const brief: Brief = { previous: [], said: talk, words: 60 }

describe('what must not vanish', () => {
  test('specifics that a person said, and those said twice, must be kept; what only a tool printed need not', () => {
    const must = keepsOf(talk).must.map(({ text }) => text)
    expect(must).toEqual(
      expect.arrayContaining(['https://shop.example/admin?x=1', 'src/cart/total.ts', 'ORD-4417', '€1,249.50']),
    )
    expect(must).toContain('The tax report is still open, remind me of it on 2026-03-01.')
    expect(must.some((text) => text.includes('99412'))).toBe(false)
    expect(keepsOf(talk).nice.map(({ text }) => text)).toContain('4be2d11')
  })

  test('of a long message only what stands around the paste is what someone said', () => {
    const rows = Array.from({ length: 300 }, (_, n) => `src/row/${n}.ts ${10_000 + n} TODO`).join('\n')
    const said = [say('p1', 'user', `Look at src/first.ts please.\n${rows}\nand at src/last.ts too, it took 4711 ms.`)]
    const must = keepsOf(said).must.map(({ text }) => text)
    expect(must).toEqual(expect.arrayContaining(['src/first.ts', 'src/last.ts', '4711 ms']))
    expect(must).not.toContain('src/row/150.ts')
    expect(must.length).toBeLessThan(100)
    // once someone speaks of it, it counts
    const spoken = keepsOf([...said, say('p2', 'assistant', 'The culprit is src/row/150.ts.')])
    expect(spoken.must.map(({ text }) => text)).toContain('src/row/150.ts')
  })

  test('what a summariser left out is added to the letter, with its source', () => {
    const made = accept(
      brief,
      [{ section: 'decision', text: 'Rounding comes after the discount.', sources: ['m4'] }],
      measure,
    )
    if (!made.ok) throw new Error(made.cause)
    for (const { text } of keepsOf(talk).must) expect(made.text).toContain(text)
    expect(made.added).toBeGreaterThan(4)
    const order = made.statements.find(({ text }) => text.includes('ORD-4417'))
    expect(order?.sources).toContain('m3')
  })

  test('a summary that is over its limit with what must be kept is refused', () => {
    const made = accept(brief, [{ section: 'fact', text: 'Ada has a shop.', sources: ['m1'] }], {
      ...measure,
      most: 30,
    })
    expect(made).toEqual({ ok: false, cause: 'summary_too_large' })
  })

  test('what the summary before this one kept to the letter is kept by the next [L-16]', () => {
    const first = accept(brief, extract(brief), measure)
    if (!first.ok) throw new Error(first.cause)
    const next: Brief = {
      previous: first.statements,
      said: [say('m8', 'user', 'Thank you, that was all for today.')],
      words: 40,
    }
    const second = accept(next, [{ section: 'fact', text: 'Ada said thank you for today.', sources: ['m8'] }], measure)
    if (!second.ok) throw new Error(second.cause)
    for (const { text } of keepsOf(talk).must) expect(second.text).toContain(text)
  })
})

describe('what is no summary', () => {
  test.each([
    '',
    '   ',
    '…',
    'Error: 529 overloaded',
    "I'm sorry, I can't help with that.",
    'Rate limit reached',
    '{"error":{"type":"x"}}',
    'null',
  ])('the text of a failure is refused: %j [L-15]', (text) => {
    expect(looksFailed(text)).toBe(true)
    expect(accept(brief, [{ section: 'fact', text, sources: ['m1'] }], measure)).toEqual({
      ok: false,
      cause: 'summary_empty',
    })
  })

  test('a statement with nobody’s words is left out, one without a named source finds it', () => {
    const given: Statement[] = [
      { section: 'fact', text: 'The moon landing happened long ago.', sources: [] },
      { section: 'decision', text: 'Decided to round after the discount.', sources: [] },
    ]
    const made = accept(brief, given, measure)
    if (!made.ok) throw new Error(made.cause)
    expect(made.text).not.toContain('moon')
    expect(made.statements.find(({ text }) => text.includes('round after'))?.sources).toEqual(['m4'])
  })
})

describe('the extractive summary', () => {
  test('is made of sentences to the letter, each with its source, within its words', () => {
    const found = extract(brief)
    expect(found.length).toBeGreaterThan(2)
    for (const { text, sources } of found) {
      const source = talk.find(({ id }) => id === sources[0])
      expect(source?.text.replace(/\s+/g, ' ')).toContain(text)
    }
    expect(found.flatMap(({ text }) => text.split(/\s+/)).length).toBeLessThanOrEqual(60)
  })

  test('says the same for the same, and takes a history of thousands of sentences', () => {
    const said = Array.from({ length: 2_000 }, (_, at) =>
      say(`e${at}`, at % 2 ? 'assistant' : 'user', `Item ${at} costs ${at * 37} and ships from Lyon. We agreed on it.`),
    )
    const long: Brief = { previous: [], said, words: 200 }
    expect(extract(long)).toEqual(extract(long))
  })
})

test('text and statements are the same thing, whatever the statements say', () => {
  const statement = fc.record({
    section: fc.constantFrom('request', 'decision', 'fact', 'open', 'exact' as const),
    text: fc.string({ minLength: 1 }).map((text) => `x${text}`.replace(/\s+/g, ' ').trim()),
    sources: fc.array(fc.string(), { maxLength: 3 }),
  }) as fc.Arbitrary<Statement>
  fc.assert(
    fc.property(fc.array(statement, { maxLength: 12 }), (statements) => {
      const sorted = statementsIn(textOf(statements), [])
      expect(textOf(sorted)).toBe(textOf(statements))
      expect(sorted).toHaveLength(statements.length)
    }),
    { numRuns: runs },
  )
})

test('a checker that adds nothing is caught', () => {
  const careless = (given: readonly Statement[]): string => textOf(given)
  const text = careless([{ section: 'decision', text: 'Rounding comes after the discount.', sources: ['m4'] }])
  expect(keepsOf(talk).must.every((keep) => text.includes(keep.text))).toBe(false)
})
