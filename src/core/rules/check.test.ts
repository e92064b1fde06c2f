import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { targets } from '../message/target.js'
import { check } from './check.js'
import { rules } from './rules.js'

const lists = ['messages', 'input', 'contents'] as const
const words = fc.constantFrom(
  'user',
  'assistant',
  'tool',
  'model',
  'system',
  'text',
  'tool_use',
  'tool_result',
  'thinking',
  'image',
  'function_call',
  'function_call_output',
  'reasoning',
  'message',
  'tool-call',
  'tool-result',
  'a',
  '',
  '__proto__',
)
const keys = fc.constantFrom(
  'role',
  'type',
  'content',
  'text',
  'parts',
  'id',
  'call_id',
  'name',
  'input',
  'output',
  'arguments',
  'tool_calls',
  'tool_call_id',
  'tool_use_id',
  'functionCall',
  'functionResponse',
  'toolCallId',
  'toolName',
  'source',
  'summary',
)
const alike = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    words,
    fc.constantFrom<unknown>(null, 0, true, undefined),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
  ),
})).value

describe.each(targets)('%s', (target) => {
  const names = new Set(rules[target].map(({ rule }) => rule))

  function holds(request: unknown): void {
    const found = check(target, request)
    for (const { rule } of found) expect(names).toContain(rule)
  }

  test('names no rule twice', () => {
    expect(names.size).toBe(rules[target].length)
  })

  test('never throws, whatever the request is', () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
    })
    fc.assert(fc.property(anything, holds), { numRuns: 2 * runs })
  })

  test('never throws on requests that look almost right', () => {
    fc.assert(
      fc.property(fc.constantFrom(...lists), fc.array(alike, { maxLength: 5 }), (key, list) => {
        holds({ [key]: list })
        holds(list)
      }),
      { numRuns: 2 * runs },
    )
  })

  test('never throws on hostile objects', () => {
    const trapped = new Proxy([], {
      get() {
        throw new Error('no')
      },
    })
    const endless: unknown = new Proxy(
      {},
      {
        get: () => endless,
        ownKeys: () => ['a', 'b'],
        getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
      },
    )
    for (const hostile of [trapped, endless, new Array(2 ** 32 - 1), { messages: trapped }, globalThis, check]) {
      expect(check(target, hostile).length).toBeGreaterThan(0)
    }
  })

  test('comes to an end on twenty thousand messages', () => {
    const message = { role: 'user', content: [{ type: 'text', text: 'x'.repeat(1000) }], parts: [{ text: 'x' }] }
    const request = { messages: Array(20_000).fill(message), input: [], contents: Array(20_000).fill(message) }
    expect(Array.isArray(check(target, request))).toBe(true)
  })
})

test('a violation is well formed even when the request is not', () => {
  const [violation] = check('messages', { messages: [{ role: 'user', content: 'hi', 'bad \ud800': 1 }] })
  expect(violation).toEqual({
    rule: 'string.malformed',
    path: 'messages[0]["bad \\ud800"]',
    message: 'the key has a lone surrogate',
  })
})

test('a request keeps its own __proto__ field out of the judge', () => {
  expect(
    check('messages', JSON.parse('{"__proto__": {"messages": [{"role": "user", "content": "hi"}]}}')),
  ).toMatchObject([{ rule: 'request.shape' }])
})

/** The first bytes of a PNG of one pixel, as base64. */
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('requests that used to pass and are refused (B13)', () => {
  const rulesOf = (...given: Parameters<typeof check>): string[] => check(...given).map(({ rule }) => rule)

  test('a call of the current turn without its signature, at Gemini 3', () => {
    const contents = [
      { role: 'user', parts: [{ text: 'How is the weather?' }] },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { sky: 'blue' } } }] },
    ]
    expect(rulesOf('google', { contents }, { model: 'gemini-3-pro-preview' })).toContain('thought.missing')
    expect(rulesOf('google', { contents }, { model: 'gemini-2.5-pro' })).not.toContain('thought.missing')
  })

  test('more than 128 calls in one message', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        id: `call_${n}`,
        type: 'function',
        function: { name: 'look', arguments: '{}' },
      }))
    const request = (count: number) => ({
      messages: [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', tool_calls: calls(count) },
        ...calls(count).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
      ],
    })
    expect(rulesOf('openai-chat', request(129))).toContain('tool.calls.many')
    expect(rulesOf('openai-chat', request(128))).toEqual([])
  })

  test('a PNG that is labelled as a JPEG', () => {
    const request = (media_type: string) => ({
      max_tokens: 10,
      messages: [
        { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type, data: onePixel } }] },
      ],
    })
    expect(rulesOf('anthropic', request('image/jpeg'))).toContain('image.type')
    expect(rulesOf('anthropic', request('image/png'))).not.toContain('image.type')
  })
})
