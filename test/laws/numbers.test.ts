/** One set of numbers: what the receipt says of the request is what goes over the wire, to the token. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Assembled, assemble, counters, type Options, type PresetName } from '../../src/index.js'
import { deep, runs } from '../runs.js'
import { wireTokens } from './account.js'
import { type Work, works } from './agents.js'

const exact = await counters.exact('gpt-4o')
const older = await counters.exact('gpt-4')

/** Wires and families whose tokenizer can be had. */
const wires = [
  { target: 'openai-chat', model: 'gpt-4o', counter: exact, family: 'o200k' },
  { target: 'openai-chat', model: 'gpt-4', counter: older, family: 'cl100k' },
  { target: 'openai-responses', model: 'gpt-4o', counter: exact, family: 'o200k' },
  { target: 'openai-responses', model: 'gpt-4', counter: older, family: 'cl100k' },
  // their own tokenizers are not public; what is proved is that the frames are those of the wire
  { target: 'anthropic', model: 'claude-sonnet-4-5', counter: exact, family: 'claude' },
  { target: 'google', model: 'gemini-2.5-pro', counter: exact, family: 'gemini' },
] as const
const settings = { numRuns: runs, ...(deep ? {} : { interruptAfterTimeLimit: 5_000 }) }

type Good = Extract<Assembled, { ok: true }>

const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string', description: 'Where it is' } } },
    },
  },
]

/** Pictures are billed by their size, which is not in the text. */
const plain = works.filter(({ turns }) => !turns.flat().some(({ content }) => Array.isArray(content)))

const asked = fc.record({
  work: plain,
  budget: fc.integer({ min: 2_000, max: 60_000 }),
  policy: fc.constantFrom<PresetName>('balanced', 'session-window'),
  system: fc.option(fc.constant('You are brief and careful.'), { nil: undefined }),
  hasTools: fc.boolean(),
  caches: fc.boolean(),
})

type Asked = typeof asked extends fc.Arbitrary<infer T> ? T : never

function made(
  { work: { turns, open }, budget, policy, system, hasTools, caches }: Asked,
  more: Options = {},
): Good | null {
  const result = assemble(
    {
      messages: turns.flat(),
      ...(open ? null : { current: 'and now?' }),
      ...(system === undefined ? null : { system }),
      ...(hasTools && { tools }),
    },
    policy,
    { model: 'gpt-4o', target: 'openai-chat', counter: exact, budget, ...(caches ? null : { caching: null }), ...more },
  )
  return result.ok ? result : null
}

const sum = (list: readonly number[]): number => list.reduce((one, other) => one + other, 0)

describe('the numbers of a receipt', () => {
  test.each(wires)('are those of a request on the wire of $target for $family, to the token [P-31]', (wire) => {
    const { family, ...options } = wire
    fc.assert(
      fc.property(asked, (given) => {
        // a schema has another form on each wire
        const window = made({ ...given, hasTools: given.hasTools && options.target === 'openai-chat' }, options)
        if (window) expect(window.receipt.request.used).toBe(wireTokens(window.rendered, options.counter, family))
      }),
      settings,
    )
  })

  test('add up: parts to the whole, messages to their part, and what is free to the budget [P-31]', () => {
    fc.assert(
      fc.property(asked, (given) => {
        const window = made(given)
        if (!window) return
        const { request, lines, totals, current } = window.receipt
        expect(sum(Object.values(request.parts))).toBe(request.used)
        expect(request.budget).toBe(given.budget)
        expect((request.free ?? 0) + request.used).toBe(given.budget)
        expect(sum(request.each.map(([, sent]) => sent))).toBe(request.parts.history)
        expect(request.tokens.sent).toBe(request.parts.history + request.parts.current)
        expect(request.messages.of).toBe(given.work.turns.flat().length + (current ? 1 : 0))
        expect(request.messages.sent).toBe(request.each.length + (current ? 1 : 0))
        expect(request.messages.sent + totals.dropped).toBe(request.messages.of)
        for (const [index, sent, whole] of request.each) {
          const line = lines.find(({ from, to }) => from <= index && index <= to)
          expect(line?.fate).not.toBe('dropped')
          expect(sent).toBeLessThanOrEqual(whole + 30)
        }
      }),
      settings,
    )
  })

  test('count 55 of 56 messages as sent when 55 were, not 43, field finding D-1 [P-31]', () => {
    const long = (n: number): string => `message ${n} ${'with many words in it '.repeat(12)}`
    const messages = Array.from({ length: 56 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: long(n),
    }))
    for (let budget = 4_000; budget > 1_000; budget -= 150) {
      const window = assemble({ messages, current: 'and now?' }, 'balanced', {
        model: 'gpt-4o',
        counter: exact,
        budget,
      })
      if (!window.ok) continue
      const spoken = window.items.filter(({ index, fate }) => index !== null || fate === 'current').length
      expect(window.receipt.request.messages).toEqual({ sent: spoken, of: 57 })
    }
  })

  test('have one denominator: window, budget and use are of the same request, field finding D-2 [P-31]', () => {
    const window = made({
      work: { turns: [[{ role: 'user', content: 'hi' }]], open: true },
      budget: 4_000,
      policy: 'balanced',
      system: 'You are brief and careful.',
      hasTools: true,
      caches: true,
    } as Asked)
    expect(window?.receipt.request).toMatchObject({ window: 128_000, budget: 4_000 })
    expect(window?.receipt.request.used).toBe(wireTokens((window as Good).rendered, exact))
  })

  test('tool schemas count what the provider counts, not their JSON, field finding D-3 [P-31]', () => {
    const window = made({
      work: { turns: [[{ role: 'user', content: 'hi' }]], open: true },
      budget: 4_000,
      policy: 'balanced',
      system: undefined,
      hasTools: true,
      caches: true,
    } as Asked)
    const counted = window?.receipt.request.parts.tools ?? 0
    expect(counted).toBeGreaterThan(20)
    expect(counted).toBeLessThan(exact.count(JSON.stringify(tools)) * 1.5)
  })
})

test('the checker notices a window whose numbers are not those of the wire [P-31]', () => {
  const work: Work = { turns: [[{ role: 'user', content: 'hello there' }]], open: true }
  const window = made({
    work,
    budget: 4_000,
    policy: 'balanced',
    system: undefined,
    hasTools: false,
    caches: true,
  } as Asked)
  const more = { messages: [{ role: 'user', content: 'hello there, friend' }] }
  expect(window?.receipt.request.used).not.toBe(wireTokens(more, exact))
})
