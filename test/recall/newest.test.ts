/** A long newest turn gives way to what is recalled for a question about the past alone. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assemble } from '../../src/index.js'
import { runs } from '../runs.js'

const words = (count: number, of = 'word'): string => Array.from({ length: count }, (_, n) => `${of}${n}`).join(' ')

const recalled = (text: string) => ({
  id: 'm2',
  role: 'user' as const,
  text,
  place: 2,
  score: 0.9,
  reason: 'its words',
})

const historyOf = (asked: string, answered: string) => [
  { id: 'm0', role: 'user', content: 'Let us begin.' },
  { id: 'm1', role: 'assistant', content: 'Gladly.' },
  { id: 'm2', role: 'user', content: words(300, 'old') },
  { id: 'm3', role: 'assistant', content: words(300, 'reply') },
  { id: 'm4', role: 'user', content: asked },
  { id: 'm5', role: 'assistant', content: answered },
]

function made(asked: string, answered: string, share: 'past' | 'alone', budget = 2_000) {
  const built = assemble(
    {
      messages: historyOf(asked, answered),
      current: 'What was it?',
      recall: { items: [recalled(words(300, 'old'))], share },
    },
    'balanced',
    { budget },
  )
  if (!built.ok) throw new Error(built.error.message)
  const of = (id: string) => built.items.find((item) => item.id === id)
  return { ...built, asked: of('m4'), answered: of('m5'), quoted: built.receipt.recall?.items ?? [] }
}

describe('the newest turn', () => {
  test('is whole beside what is recalled, and cut when the past alone is asked about', () => {
    const whole = made('Write it.', words(250), 'past')
    expect(whole.answered?.fate).toBe('kept')
    const short = made('Write it.', words(250), 'alone')
    expect(short.asked?.fate).toBe('kept')
    expect(short.answered?.fate).toBe('clipped')
    expect(short.answered?.text).toMatch(/^word0 .*\[… [\d,]+ characters omitted …\].* word249$/s)
    expect(short.quoted).toMatchObject([{ id: 'm2' }])
    expect(short.receipt.recall?.tokens).toBeGreaterThan(whole.receipt.recall?.tokens ?? 0)
    expect(short.receipt.lines.find(({ from }) => from === 5)).toMatchObject({ fate: 'clipped', rule: 'fit.oversize' })
  })

  test('stays whole when it is short', () => {
    expect(made('Write it.', words(30), 'alone').answered?.fate).toBe('kept')
  })

  test('keeps some of the answer when its question is long', () => {
    const { asked, answered } = made(words(500, 'ask'), words(500), 'alone')
    expect(asked?.fate).toBe('clipped')
    expect(answered?.fate).toBe('clipped')
    expect(answered?.tokens).toBeGreaterThan(40)
  })

  test('never takes a window over its budget, and is there whenever it would be whole', () => {
    const size = fc.integer({ min: 1, max: 900 })
    fc.assert(
      fc.property(size, size, fc.integer({ min: 400, max: 4_000 }), (asked, answered, budget) => {
        const window = made(words(asked), words(answered), 'alone', budget)
        expect(window.receipt.budget.used).toBeLessThanOrEqual(budget)
        const whole = made(words(asked), words(answered), 'past', budget)
        if (whole.asked ?? whole.answered) expect(window.asked ?? window.answered).toBeDefined()
      }),
      { numRuns: runs },
    )
  })
})
