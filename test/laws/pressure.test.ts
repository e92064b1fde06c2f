/** What fits is whole; what does not gives way in one order; and the room is used. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Assembled,
  assemble,
  type Counter,
  type Options,
  type Overrides,
  type PresetName,
  type WindowItem,
} from '../../src/index.js'
import { deep, runs } from '../runs.js'
import { type Row, type Work, works } from './agents.js'

/** Four characters a token: fast, and exact for the laws' purpose. */
const counter: Counter = { name: 'o200k_base', exact: true, count: (text) => Math.ceil(text.length / 4) }

type Good = Extract<Assembled, { ok: true }>

const settings = { numRuns: runs, ...(deep ? {} : { interruptAfterTimeLimit: 5_000 }) }

function tried({ turns, open }: Work, options: Options, preset: PresetName = 'balanced'): Assembled {
  return assemble({ messages: turns.flat(), ...(open ? null : { current: 'and now?' }) }, preset, {
    model: 'gpt-4o',
    target: 'openai-chat',
    counter,
    ...options,
  })
}

function windowOf(work: Work, options: Options, preset: PresetName = 'balanced'): Good {
  const made = tried(work, options, preset)
  if (!made.ok) throw new Error(made.error.message)
  return made
}

const sent = ({ rendered }: Good): readonly Row[] => JSON.parse(JSON.stringify(rendered)).messages
const all = Number.MAX_SAFE_INTEGER

const written = ({ turns, open }: Work): readonly unknown[] => [
  ...turns.flat(),
  ...(open ? [] : [{ role: 'user', content: 'and now?' }]),
]

/** Nothing is missing, shortened or added. */
const lossless = (work: Work, made: Good): boolean => JSON.stringify(sent(made)) === JSON.stringify(written(work))

describe('what fits is whole', () => {
  const presets: readonly [PresetName, Overrides][] = [
    ['balanced', {}],
    // its specification limits the number of messages, and cuts none
    ['session-window', { fit: { messages: null } }],
  ]

  test.each(presets)('to the token, under %s [P-28]', (preset, overrides) => {
    fc.assert(
      fc.property(works, (work) => {
        const whole = windowOf(work, { budget: all, overrides }, preset)
        expect(lossless(work, whole)).toBe(true)
        expect(whole.receipt.totals.kept).toBe(work.turns.flat().length)
        const { used } = whole.receipt.budget
        expect(lossless(work, windowOf(work, { budget: used, overrides }, preset))).toBe(true)
      }),
      settings,
    )
  })

  test('and the checker notices a window that shortens before it must [P-28]', () => {
    const work: Work = {
      turns: [[{ role: 'user', content: 'x'.repeat(900) }], [{ role: 'user', content: 'y' }]],
      open: true,
    }
    const clip = { when: 'always', user: { over: 500, head: 400, tail: 50, mark: '…' } } as const
    expect(lossless(work, windowOf(work, { budget: all, overrides: { clip } }))).toBe(false)
  })

  test('a fresh tool result of 20 KB reaches the model whole with 89,000 tokens free [P-28] [A-clipping]', () => {
    const work = agentAt(20_000)
    expect(lossless(work, windowOf(work, { budget: 100_000 }))).toBe(true)
  })

  test('an opener of 18 KB keeps its middle from turn to turn while there is room [P-28] [A-clipping]', () => {
    const rules = `# Rules\n${'Be kind and careful. '.repeat(450)}never delete precious.db\n${'Be brief. '.repeat(900)}`
    const turns = Array.from({ length: 9 }, (_, n) => [
      { role: 'user', content: n === 0 ? rules : `question ${n}` },
      { role: 'assistant', content: `answer ${n}` },
    ])
    for (let n = 1; n <= turns.length; n++)
      expect(
        lossless(
          { turns: turns.slice(0, n), open: false },
          windowOf({ turns: turns.slice(0, n), open: false }, { budget: 100_000 }),
        ),
      ).toBe(true)
  })

  test('old tool results are not shortened with 97 % of the window free [P-28] [A-clipping]', () => {
    const work: Work = { turns: Array.from({ length: 8 }, (_, n) => agentAt(1_500, n).turns[0] as Row[]), open: true }
    const made = windowOf(work, { budget: 200_000 })
    expect(lossless(work, made)).toBe(true)
    expect(made.receipt.budget.limit).toBeNull()
  })
})

/** A turn with one call whose result has so many characters, not answered yet. */
const agentAt = (chars: number, n = 0): Work => ({
  turns: [
    [
      { role: 'user', content: `look ${n}` },
      {
        role: 'assistant',
        content: 'looking',
        tool_calls: [{ id: `call_${n}`, type: 'function', function: { name: 'read_file', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: `call_${n}`, content: `row ${n} of a table\n`.repeat(chars / 16).slice(0, chars) },
    ],
  ],
  open: true,
})

const contentOf = ({ content }: Row): string => (typeof content === 'string' ? content : JSON.stringify(content))

/** The results of the newest calls, which no later call follows. */
function newestResults({ turns }: Work): readonly Row[] {
  const list = turns.at(-1) ?? []
  const last = list.findLastIndex((row) => 'tool_calls' in row)
  return last < 0 ? [] : list.slice(last + 1).filter(({ role }) => role === 'tool')
}

/** What must stand beside them: the opener, the newest user message, the calls, what follows, and markers. */
function needOf(work: Work, budget: number): number {
  const list = work.turns.at(-1) ?? []
  const last = list.findLastIndex((row) => 'tool_calls' in row)
  const least = [list[0] as Row, ...list.slice(last)]
  const alone = windowOf({ turns: [least], open: work.open }, { budget: all }).receipt.budget.used
  const opener = counter.count(contentOf(work.turns[0]?.[0] as Row)) + 60
  return alone + Math.min(opener, budget / 4) + 120
}

const budgets = fc.integer({ min: 8_000, max: 60_000 })

/** A picture is there or not, and cannot fill what is left. */
const plain = works.filter(({ turns }) => !turns.flat().some(({ content }) => Array.isArray(content)))

const resultsIn = ({ parts }: WindowItem): string[] =>
  parts.flatMap((part) =>
    part.type === 'call' && part.outcome.state === 'ok'
      ? [part.outcome.output.map((one) => (one.type === 'text' ? one.text : '')).join('')]
      : [],
  )

describe('what does not fit gives way in one order', () => {
  test('the newest results are whole as long as they can be [P-29]', () => {
    fc.assert(
      fc.property(plain, budgets, (work, budget) => {
        const newest = newestResults(work)
        if (newest.length === 0 || needOf(work, budget) > budget) return
        const rows = sent(windowOf(work, { budget })).map(contentOf)
        for (const result of newest) expect(rows).toContain(contentOf(result))
      }),
      settings,
    )
  })

  test('results become quotes from the oldest on, and no turn goes before they all are [P-29]', () => {
    fc.assert(
      fc.property(plain, budgets, fc.boolean(), (work, budget, caches) => {
        const made = tried(work, { budget, ...(caches ? null : { caching: null }) })
        if (!made.ok) return
        const { items, receipt } = made
        const newest = items.findLast(({ role, index }) => role === 'user' && index !== null)?.index ?? 0
        const old = items.filter(({ index }) => index !== null && index < newest).map(resultsIn)
        const isCut = (results: readonly string[]): boolean =>
          results.some((text) => text.includes(' characters omitted'))
        const whole = old.findIndex((results) => !isCut(results) && results.some((text) => text.length > 200))
        if (whole < 0) return
        expect(old.slice(whole).filter(isCut)).toEqual([])
        expect(receipt.totals.dropped).toBe(0)
      }),
      settings,
    )
  })

  test('over budget the newest result is whole, not 250 characters with 14,000 tokens free [P-29] [A-squeezing]', () => {
    const rounds = Array.from({ length: 60 }, (_, n) => agentAt(5_200, n).turns[0]?.slice(1) as Row[])
    for (const count of [10, 30, 60]) {
      const work: Work = { turns: [[{ role: 'user', content: 'go on' }, ...rounds.slice(0, count).flat()]], open: true }
      const made = windowOf(work, { budget: 16_000 })
      expect(contentOf(sent(made).at(-1) as Row)).toBe(contentOf(rounds[count - 1]?.[1] as Row))
      expect(made.receipt.budget.used).toBeGreaterThan((Math.min(16_000, count * 1_300) * 2) / 3 - 200)
    }
  })
})

describe('the room is used', () => {
  const shareOf = ({ receipt: { budget } }: Good): number => budget.used / (budget.tokens ?? 1)
  const isAll = ({ receipt: { budget } }: Good): boolean => budget.limit === null

  test('by two thirds at least where a provider caches [P-30]', () => {
    fc.assert(
      fc.property(plain, budgets, (work, budget) => {
        const made = tried(work, { budget })
        if (made.ok && !isAll(made)) expect(shareOf(made)).toBeGreaterThan(0.66)
      }),
      settings,
    )
  })

  test('by 95 % where none does [P-30]', () => {
    fc.assert(
      fc.property(plain, budgets, (work, budget) => {
        const made = tried(work, { budget, caching: null })
        if (made.ok && !isAll(made)) expect(shareOf(made)).toBeGreaterThan(0.95)
      }),
      settings,
    )
  })
})

test('the last words of an old turn are cut to the room that is left, where nothing is cached [P-30]', () => {
  const said = (role: string, chars: number): Row => ({
    role,
    content: `${role} says this. `.repeat(chars / 10).slice(0, chars),
  })
  const turns = [
    [said('user', 700), said('assistant', 20)],
    [said('user', 10), said('assistant', 1_700)],
    [said('user', 1_000), said('assistant', 29_600)],
  ]
  const made = windowOf({ turns, open: false }, { budget: 8_300, caching: null })
  expect(made.receipt.lines.filter(({ fate }) => fate === 'clipped').map(({ from }) => from)).toContain(3)
  expect(made.receipt.budget.used).toBeGreaterThan(8_300 * 0.98)
})

test('the words of an opener with a picture are whole with 8,000 tokens and with one more [P-12]', () => {
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const words = 'what was said there. '.repeat(50).slice(0, 1_000)
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } }
  const opener: Row = { role: 'user', content: [{ type: 'text', text: words }, picture] }
  const newest = agentAt(16_000).turns[0] as Row[]
  const work: Work = { turns: [[opener, { role: 'assistant', content: 'I see it.' }], newest], open: true }
  const whole = windowOf(work, { budget: all }).receipt.budget.used
  for (let budget = whole - 400; budget <= whole; budget += 9)
    expect(windowOf(work, { budget, caching: null }).items[0]?.text.length).toBe(1_000)
})

test('a bigger budget keeps no less of any message, its results included [P-12]', () => {
  fc.assert(
    fc.property(works, fc.array(budgets, { minLength: 3, maxLength: 6 }), fc.boolean(), (work, some, caches) => {
      let before = new Map<string, number>()
      for (const budget of [...some].sort((one, other) => one - other)) {
        const made = tried(work, { budget, ...(caches ? null : { caching: null }) })
        if (!made.ok) {
          expect(before.size).toBe(0)
          continue
        }
        const sizes = new Map<string, number>()
        for (const { index, text, parts } of made.items) {
          if (index === null) continue
          sizes.set(`${index}`, text.length)
          for (const part of parts)
            if (part.type === 'call' && part.outcome.state === 'ok')
              sizes.set(
                part.id,
                part.outcome.output.reduce((sum, one) => sum + (one.type === 'text' ? one.text.length : 1), 0),
              )
        }
        for (const [name, size] of before)
          expect(`${name}: ${(sizes.get(name) ?? -1) >= size || sizes.get(name)}`).toBe(`${name}: true`)
        before = sizes
      }
    }),
    settings,
  )
})
