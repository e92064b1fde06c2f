import { describe, expect, test } from 'vitest'
import { charsPer4 } from '../../src/core/tokens/charsPer4.js'
import { check, counters, presets } from '../../src/index.js'
import { applyContextWindow, policyFrom } from '../../src/recipes/index.js'
import { alternating, build, sent, times } from './specs.fixture.js'

const marker = { role: 'system', content: '[Earlier messages truncated]' }
const chat = (count: number, size: number) =>
  alternating(count, (index) => `${index} `.padEnd(size, 'x')).map(({ role, content }) => ({ role, content }))
const tokens = (messages: readonly object[]): number =>
  messages.reduce((sum, message) => sum + charsPer4.count((message as { content: string }).content), 0)

test('the window fits the tokens that are left after the reserve [S4-5]', () => {
  for (const size of [40, 100, 333, 2_000])
    for (const [max, reserved] of [
      [6_000, 4_500],
      [5_000, 1_000],
      [1_000, 0],
      [4_756, 4_500],
    ] as const) {
      const window = applyContextWindow(chat(100, size), max, reserved)
      expect(tokens(window)).toBeLessThanOrEqual(max - reserved)
      expect(window.length).toBeGreaterThan(1)
    }
})

test('4,500 are reserved when nothing else is said [S4-5]', () => {
  const messages = chat(100, 200)
  expect(applyContextWindow(messages, 6_000)).toEqual(applyContextWindow(messages, 6_000, 4_500))
})

test("the preset's 6,000 are the budget of the history and are not reduced again [S4-5]", () => {
  const { receipt } = build(chat(100, 2_000), 'session-window')
  expect(receipt.budget.tokens).toBe(6_000)
  expect(receipt.budget.used).toBeLessThanOrEqual(6_000)
  expect(receipt.budget.used).toBeGreaterThan(5_000)
  const literal = build(chat(100, 2_000), 'session-window', { compat: 'literal' })
  expect(literal.receipt.budget.tokens).toBe(1_500)
})

test("500, 2,000 and 2,000 tokens are reserved from a model's window [S4-6]", () => {
  expect(presets['session-window'].fit.reserve).toEqual({ system: 500, tools: 2_000, response: 2_000 })
  const { receipt } = build(chat(100, 2_000), 'session-window', {
    overrides: { fit: { tokens: 8_000, covers: 'request' } },
  })
  expect(receipt.budget).toMatchObject({
    tokens: 3_500,
    reserve: { system: 500, tools: 2_000, response: 2_000 },
  })
  expect(receipt.budget.used).toBeLessThanOrEqual(3_500)
})

describe('what stays', () => {
  test('is the first message and the last ones; the oldest between them go [S4-7]', () => {
    const messages = chat(40, 400)
    const window = applyContextWindow(messages, 1_000, 0)
    const kept = window.length - 2
    expect(window).toEqual([messages[0], marker, ...messages.slice(-kept)])
    expect(kept).toBeGreaterThan(5)
  })

  test('is the opener even when it lies before the messages that are loaded [S4-7]', () => {
    const messages = chat(200, 20)
    const { items } = build(messages, 'session-window')
    expect(items[0]).toMatchObject({ index: 0, text: messages[0]?.content })
    expect(items[1]).toMatchObject({ fate: 'marker', text: marker.content })
    expect(items.slice(2).map(({ index }) => index)).toEqual(times(50, (index) => index + 150))
  })

  test('is a leading system message too [S4-7]', () => {
    const messages = [{ role: 'system', content: 'You are kind.' }, ...chat(60, 400)]
    const window = applyContextWindow(messages, 1_000, 0)
    expect(window.slice(0, 2)).toEqual([messages[0], marker])
    expect(window.at(-1)).toEqual(messages.at(-1))
  })

  test('is the most recent, without a hole [S4-10]', () => {
    const messages = chat(100, 150)
    const { items } = build(messages, 'session-window', { budget: 700 })
    const tail = items.slice(2).map(({ index }) => index)
    expect(tail).toEqual(times(tail.length, (index) => 100 - tail.length + index))
    expect(tail.length).toBeGreaterThan(10)
  })
})

test('a marker stands where messages were dropped, and nowhere else [S4-8]', () => {
  for (let size = 10; size < 400; size += 13) {
    const messages = chat(50, size)
    const window = applyContextWindow(messages, 1_000, 0)
    const marks = window.filter((message) => 'content' in message && message.content === marker.content)
    expect(marks).toHaveLength(window.length - marks.length < 50 ? 1 : 0)
  }
})

test('the marker survives for every provider [S4-8]', () => {
  for (const target of ['openai-chat', 'openai-responses', 'anthropic', 'google', 'ai-sdk', 'messages'] as const) {
    const { rendered } = build({ messages: chat(100, 400), current: 'and now?' }, 'session-window', { target })
    expect(JSON.stringify(rendered)).toContain('[Earlier messages truncated]')
    expect(check(target, rendered)).toEqual([])
  }
})

test('a conversation of 100 messages is cut until it fits [S4-9]', () => {
  const messages = chat(100, 800)
  const window = applyContextWindow(messages, 6_000, 4_500)
  expect(window.length).toBeLessThan(100)
  expect(tokens(window)).toBeLessThanOrEqual(1_500)
  expect(window).toContainEqual(marker)
  expect(window.at(-1)).toEqual(messages.at(-1))
})

describe('counting', () => {
  test('takes four chars for a token [S4-11]', () => {
    expect(['', 'abc', 'abcd', 'abcdefg', 'x'.repeat(400), '漢字漢字'].map(charsPer4.count)).toEqual([
      0, 0, 1, 1, 100, 1,
    ])
    expect(build(chat(4, 100), 'session-window').receipt.counter).toEqual({ name: 'chars/4', exact: false })
  })

  test('can be done by another counter [S4-11]', () => {
    const perChar = { name: 'one per char', exact: false, count: (text: string) => text.length }
    const messages = chat(100, 40)
    const window = applyContextWindow(messages, 1_000, 0, { counter: perChar })
    expect(window.length).toBeLessThan(applyContextWindow(messages, 1_000, 0).length)
    expect(build(messages, 'session-window', { counter: perChar }).receipt.counter.name).toBe('one per char')
  })

  test.each(['o200k', 'cl100k'])('can be done by the real tokenizer %s [S4-F4]', async (family) => {
    const counter = await counters.exact(family)
    expect(counter).toMatchObject({ exact: true, name: `${family}_base` })
    expect(counter.count('hello world')).toBe(2)
    const messages = chat(100, 400).map((message) => ({
      ...message,
      content: message.content.replaceAll('xx', 'word '),
    }))
    const { receipt, rendered } = build({ messages, current: 'and now?' }, 'session-window', { counter, budget: 2_000 })
    expect(receipt.counter).toEqual({ name: `${family}_base`, exact: true })
    expect(receipt.budget.used).toBeLessThanOrEqual(2_000)
    const said = sent({ rendered } as never).reduce((sum, { content }) => sum + counter.count(content), 0)
    expect(said).toBeLessThanOrEqual(receipt.budget.used)
  })
})

describe('settings', () => {
  test('the number of messages is 50 by default and at least 1 [S4-12]', () => {
    expect(presets['session-window'].fit.messages).toBe(50)
    const policy = policyFrom({ conversation_max_history_messages: '7' })
    expect(policy).toMatchObject({ name: 'session-window', fit: { messages: 7, tokens: 6_000 } })
    const { items } = build(chat(30, 20), policy)
    expect(items.filter(({ fate, index }) => fate === 'kept' && index !== 0)).toHaveLength(7)
    for (const value of ['0', '-3', 'many', '1.5'])
      expect(() => policyFrom({ conversation_max_history_messages: value })).toThrow(
        `conversation_max_history_messages must be a whole number, 1 or more, got '${value}'`,
      )
  })

  test('the tokens are 6,000 by default and at least 500 [S4-13]', () => {
    expect(presets['session-window'].fit.tokens).toBe(6_000)
    const policy = policyFrom({ conversation_max_context_tokens: 500 })
    const { receipt } = build(chat(50, 200), policy)
    expect(receipt.budget.tokens).toBe(500)
    expect(receipt.budget.used).toBeLessThanOrEqual(500)
    for (const value of ['499', '0', ' ', 'x'])
      expect(() => policyFrom({ conversation_max_context_tokens: value })).toThrow(
        'conversation_max_context_tokens must be a whole number, 500 or more',
      )
  })

  test('the strategy is truncate by default; summarize warns and truncates until there is a summariser [S4-14]', () => {
    expect(presets['session-window'].strategy).toBe('truncate')
    const policy = policyFrom({ CONVERSATION_CONTEXT_STRATEGY: 'summarize' })
    expect(policy).toMatchObject({ name: 'session-window', strategy: 'summarize' })
    const messages = chat(100, 400)
    const summarised = build(messages, policy)
    expect(summarised.warnings).toMatchObject([{ code: 'policy.strategy', value: 'summarize' }])
    expect(summarised.rendered).toEqual(build(messages, 'session-window').rendered)
    expect(build(messages, 'session-window').warnings).toEqual([])
    expect(() => policyFrom({ conversation_context_strategy: 'forget' })).toThrow(
      "conversation_context_strategy must be 'truncate' or 'summarize', got 'forget'",
    )
  })
})

test('a single turn is what it was without a history [S4-17]', () => {
  const { rendered, receipt } = build({ messages: [], current: 'hello', system: 'Be kind.' }, 'session-window')
  expect(rendered).toEqual({
    messages: [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'hello' },
    ],
  })
  expect(receipt.warnings).toEqual([])
  const [only] = chat(1, 30)
  expect(applyContextWindow([only as object], 6_000)).toEqual([only])
})

describe('histories of all lengths', () => {
  test('a short one is unchanged, fields and all [S4-18]', () => {
    const messages = chat(6, 100).map((message, id) => ({ ...message, id: `m${id}`, metadata: { trace: id } }))
    const window = applyContextWindow(messages, 6_000)
    expect(window).toEqual(messages)
    expect(window[0]).toBe(messages[0])
  })

  test('a long one is cut [S4-18]', () => {
    expect(applyContextWindow(chat(500, 100), 6_000).length).toBeLessThan(100)
  })

  test('an empty one stays empty [S4-18]', () => {
    expect(applyContextWindow([], 6_000)).toEqual([])
  })

  test('a single message comes back [S4-18]', () => {
    expect(applyContextWindow(chat(1, 10), 6_000)).toEqual(chat(1, 10))
    expect(applyContextWindow(chat(1, 100_000), 6_000)).toEqual(chat(1, 100_000))
  })

  test('a newest message that is alone too long is shortened, and the list is within the budget [S4-18]', () => {
    const messages = [...chat(4, 100), { role: 'user', content: 'y'.repeat(50_000) }]
    const window = applyContextWindow(messages, 6_000)
    expect(tokens(window)).toBeLessThanOrEqual(1_500)
    expect((window.at(-1) as { content: string }).content).toMatch(/^y+\n\[… [\d,]+ characters omitted …\]\ny+$/)
  })

  test('an opener that is alone too long does not push out the newest [S4-18]', () => {
    const messages = [{ role: 'user', content: 'y'.repeat(50_000) }, ...chat(10, 100)]
    const window = applyContextWindow(messages, 6_000)
    expect(tokens(window)).toBeLessThanOrEqual(1_500)
    expect(window.at(-1)).toEqual(messages.at(-1))
    expect((window[0] as { content: string }).content.startsWith('yyy')).toBe(true)
  })

  test('tool calls come back with their results [S4-18]', () => {
    const step = (index: number) => [
      { role: 'user', content: `question ${index} `.padEnd(200, 'x') },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: `c${index}`, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
      { role: 'tool', tool_call_id: `c${index}`, content: `result ${index} `.padEnd(200, 'y') },
      { role: 'assistant', content: `answer ${index}` },
    ]
    const messages = times(30, step).flat()
    for (const max of [600, 700, 800, 1_000, 2_000]) {
      const window = applyContextWindow<object>(messages, max, 0) as {
        role: string
        tool_calls?: { id: string }[]
        tool_call_id?: string
      }[]
      const calls = window.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id))
      const results = window.flatMap(({ tool_call_id }) => (tool_call_id ? [tool_call_id] : []))
      expect(results).toEqual(calls)
      expect(window.length).toBeGreaterThan(4)
    }
  })
})
