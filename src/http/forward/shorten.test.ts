import { describe, expect, test } from 'vitest'
import type { Target } from '../../core/message/target.js'
import { check } from '../../core/rules/check.js'
import type { Asked } from '../kit/door.js'
import { openLimits } from './limits.js'
import { shorten } from './shorten.js'

const size = 5_000
/** Every other character is two in JSON. */
const text = (i: number): string => `round ${i} `.padEnd(size, 'x\n')
const rounds = Array.from({ length: 20 }, (_, i) => i)

const histories: Readonly<Record<string, Asked>> = {
  anthropic: {
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'Go' },
      ...rounds.flatMap((i) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command: 'x' } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: [{ type: 'text', text: text(i) }] }],
        },
      ]),
    ],
    tools: [{ name: 'Bash', input_schema: { type: 'object' } }],
  },
  'openai-chat': {
    model: 'gpt-4.1',
    messages: [
      { role: 'user', content: 'Go' },
      ...rounds.flatMap((i) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `t${i}`, type: 'function', function: { name: 'bash', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: `t${i}`, content: text(i) },
      ]),
    ],
    tools: [{ type: 'function', function: { name: 'bash', parameters: { type: 'object' } } }],
  },
  'openai-responses': {
    model: 'gpt-5.5',
    store: false,
    input: [
      { role: 'user', content: 'Go' },
      ...rounds.flatMap((i) => [
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Step' }] },
        { type: 'function_call', call_id: `t${i}`, name: 'exec', arguments: '{}' },
        { type: 'function_call_output', call_id: `t${i}`, output: text(i) },
      ]),
    ],
  },
  google: {
    contents: [
      { role: 'user', parts: [{ text: 'Go' }] },
      ...rounds.flatMap((i) => [
        { role: 'model', parts: [{ functionCall: { name: 'run', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'run', response: { output: text(i) } } }] },
      ]),
    ],
  },
}

describe.each(Object.keys(histories))('%s', (wire) => {
  const asked = histories[wire] as Asked
  const length = JSON.stringify(asked).length
  const cut = (excess: number) => shorten(wire as 'anthropic', asked, excess)

  test('the oldest results give way first and the newest stays whole [field report A]', () => {
    const made = JSON.stringify(cut(30_000)?.asked)
    expect(length - made.length).toBeGreaterThanOrEqual(30_000)
    for (const i of [19, 18, 12]) expect(made).toContain(JSON.stringify(text(i)))
    for (const i of [0, 1, 3]) expect(made).not.toContain(JSON.stringify(text(i)))
    expect(made).toContain('more characters of this old result were left out')
  })

  test('when results do not suffice whole steps go, and the newest result is still whole', () => {
    const made = cut(length - 11_000)
    expect(JSON.stringify(made?.asked)).toContain(JSON.stringify(text(19)))
    expect(JSON.stringify(made?.asked)).toContain('earlier steps were left out')
    expect(check(wire as Target, made?.asked).filter(({ rule }) => /tool|call|pair/.test(rule))).toEqual([])
  })

  test('what cannot be saved is not promised', () => {
    expect(cut(length)).toBeNull()
  })

  test('the same history is cut alike, and one more round moves nothing before the next step', () => {
    const limits = openLimits()
    const refusal = { status: 400, text: '{"error":{"message":"prompt is too long: 30000 tokens > 20000 maximum"}}' }
    const first = limits.after('s', wire as 'anthropic', asked, asked, refusal)
    const again = limits.before('s', wire as 'anthropic', asked)
    expect(again).toEqual(first)
    const field = Object.keys(asked).find((name) => Array.isArray(asked[name]) && name !== 'tools') ?? ''
    const list = asked[field] as readonly unknown[]
    const more = { ...asked, [field]: [...list, ...list.slice(1, 2)] }
    const next = limits.before('s', wire as 'anthropic', more)
    const [one, two] = [first, next].map((made) => JSON.stringify(made?.asked[field]).slice(0, -1))
    expect(two?.startsWith(one ?? 'x')).toBe(true)
  })
})

test('a refusal for another reason changes nothing', () => {
  const asked = histories.anthropic as Asked
  const told = { status: 400, text: 'max_tokens: must be greater than 0' }
  expect(openLimits().after('s', 'anthropic', asked, asked, told)).toBeNull()
})

test('the output of a shell stays a list and that of a computer a picture when old results give way', () => {
  const shell = (i: number) => [
    { type: 'shell_call', call_id: `s${i}`, action: { commands: ['ls'] } },
    {
      type: 'shell_call_output',
      call_id: `s${i}`,
      output: [{ stdout: text(i), stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    },
  ]
  const screen = { type: 'computer_screenshot', image_url: `data:image/png;base64,${'A'.repeat(size)}` }
  const input = [
    { role: 'user', content: 'Go' },
    { type: 'computer_call', call_id: 'c', action: { type: 'screenshot' } },
    { type: 'computer_call_output', call_id: 'c', output: screen },
    ...rounds.flatMap(shell),
  ]
  const made = shorten('openai-responses', { model: 'gpt-5.5', input }, 3 * size)
  const items = made?.asked.input as { readonly type: string; readonly output?: unknown }[]
  expect(items.find(({ type }) => type === 'computer_call_output')?.output).toEqual(screen)
  const outputs = items.flatMap((item) => (item.type === 'shell_call_output' ? [item.output] : []))
  expect(outputs).toHaveLength(rounds.length)
  for (const output of outputs) expect(output).toEqual([expect.objectContaining({ stdout: expect.any(String) })])
  expect(JSON.stringify(outputs[0])).toContain('more characters of this old result')
  expect(check('openai-responses', made?.asked)).toEqual([])
})
