/** What a window has shortened stays as it is from turn to turn, so that the prefix of the request does. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Assembled, assemble, createMemo } from '../../src/index.js'
import { deep, runs } from '../runs.js'

/** A question, so many calls with a result of so many lines, an answer. */
function turn(n: number, calls: number, lines: number): readonly object[] {
  const ids = Array.from({ length: calls }, (_, i) => `call-${n}-${i}`)
  return [
    { role: 'user', content: `question ${n} about this and that` },
    {
      role: 'assistant',
      content: null,
      tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'look', arguments: '{"q":1}' } })),
    },
    ...ids.map((id, i) => ({
      role: 'tool',
      tool_call_id: id,
      content: Array.from({ length: lines + i }, (_, line) => `${id}: line ${line} of the log says so`).join('\n'),
    })),
    { role: 'assistant', content: `answer ${n}: ${'so and so '.repeat(20)}` },
  ]
}

const turns = Array.from({ length: 60 }, (_, n) => turn(n, 1 + (n % 3), 4 + ((n * 7) % 23)))

type Good = Extract<Assembled, { ok: true }>

function grow(budget: (n: number) => number, ask: (n: number) => string = (n) => `and ${n}?`): readonly Good[] {
  return turns.map((_, n) => {
    const made = assemble({ messages: turns.slice(0, n).flat(), current: ask(n) }, 'balanced', { budget: budget(n) })
    if (!made.ok) throw new Error(made.error.message)
    return made
  })
}

/** The forms that each result had, one after another, in the windows that left something out. */
function formsOf(windows: readonly Good[]): readonly string[][] {
  const forms = new Map<string, string[]>()
  for (const { items } of windows.filter(({ receipt }) => receipt.budget.limit !== null))
    for (const part of items.flatMap((item) => item.parts)) {
      if (part.type !== 'call') continue
      const known = forms.get(part.id) ?? []
      const form = JSON.stringify(part.outcome)
      if (known.at(-1) !== form) known.push(form)
      forms.set(part.id, known)
    }
  return [...forms.values()]
}

/** A result is as it was told first, and then shortened for good. */
const restless = (windows: readonly Good[]): number => formsOf(windows).filter((forms) => forms.length > 2).length

/** The share of a request that the one before began with, in the mean of those that leave something out. */
function reused(windows: readonly Good[]): number {
  const shares = windows.slice(1).flatMap((window, n) => {
    if (window.receipt.totals.dropped === 0) return []
    const [before, now] = [windows[n] as Good, window].map(({ rendered }) => JSON.stringify(rendered))
    let same = 0
    while (same < (now as string).length && now?.[same] === before?.[same]) same++
    return [same / (now as string).length]
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

describe('in a talk full of tools', () => {
  test('a result is shortened once at most while it stands in the window [P-18]', () => {
    const windows = grow(() => 6_000)
    expect(formsOf(windows).length).toBeGreaterThan(50)
    expect(restless(windows)).toBe(0)
  })

  test('the checker notices results that change with every turn [P-18]', () => {
    expect(restless(grow((n) => (n % 2 === 0 ? 6_000 : 40_000)))).toBeGreaterThan(20)
  })

  test('most of a request is the beginning of the one before, at the prices of a provider that caches [P-18]', () => {
    expect(reused(grow(() => 8_000))).toBeGreaterThan(0.55)
    expect(reused(grow((n) => (n % 2 === 0 ? 8_000 : 6_000)))).toBeLessThan(0.4)
  })
})

test('an opener over its share is the same however long the message to answer is, within a step [P-18]', () => {
  const opener = { role: 'user', content: 'the document says this and that. '.repeat(400) }
  const openers = new Set(
    [1, 3, 6, 9].map((words) => {
      const messages = [opener, { role: 'assistant', content: 'I see.' }, ...turns.flat()]
      const made = assemble({ messages, current: 'why so? '.repeat(words) }, 'balanced', { budget: 6_000 })
      if (!made.ok) throw new Error(made.error.message)
      return made.items[0]?.text
    }),
  )
  expect(openers.size).toBe(1)
  expect([...openers][0]).toContain('characters omitted')
})

test('a bigger budget never keeps less, however fat the results are [P-12]', () => {
  const talks = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom(1, 6, 20, 90, 300)), {
    minLength: 3,
    maxLength: 20,
  })
  const budgets = fc.tuple(fc.integer({ min: 800, max: 7_000 }), fc.constantFrom(1, 7, 40, 200))
  fc.assert(
    fc.property(talks, budgets, (shapes, [first, step]) => {
      const messages = shapes.flatMap(([calls, lines], n) => (calls > 0 ? turn(n, calls, lines) : turn(n, 1, 1)))
      const memo = createMemo()
      let before: readonly (number | null)[] = []
      for (let budget = first; budget < first + 15 * step; budget += step) {
        const made = assemble({ messages, current: 'and now?' }, 'balanced', { budget, memo })
        if (!made.ok) continue
        const kept = made.items.map(({ index }) => index)
        expect(before.filter((index) => !kept.includes(index))).toEqual([])
        before = kept.filter((index) => index !== null)
      }
    }),
    { numRuns: runs, ...(deep ? {} : { interruptAfterTimeLimit: 15_000 }) },
  )
})
