import { expect, test } from 'vitest'
import { check } from './check.js'
import { drop, type Loose, prove, set } from './proof.fixture.js'

const call = (id: string, name = 'weather', args = '{"city":"Oslo"}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const result = (id: string, content: Loose = 'Rain') => ({ role: 'tool', tool_call_id: id, content })

const legal = (): Loose => ({
  tools: [{ type: 'function', function: { name: 'weather', parameters: {} } }],
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'developer', content: [{ type: 'text', text: 'No jokes.' }] },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'Weather in both?' },
        {
          type: 'image_url',
          image_url: {
            url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          },
        },
        {
          type: 'input_audio',
          input_audio: {
            data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            format: 'wav',
          },
        },
        { type: 'file', file: { file_id: 'file_1' } },
      ],
    },
    { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
    result('b'),
    result('a', [{ type: 'text', text: 'Sun' }]),
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Rain' },
        { type: 'refusal', refusal: 'No more.' },
      ],
    },
    { role: 'user', content: 'Thanks 👋' },
  ],
})

prove('openai-chat', legal, {
  'request.shape': [() => null, () => ({}), () => 'text'],
  'messages.empty': [() => ({ messages: [] }), () => []],
  'message.shape': (r) => void r.messages.splice(1, 0, 'hi'),
  'message.role': [set('messages[0].role', 'robot'), drop('messages[0].role')],
  'message.name': [set('messages[2].name', 'Ann B'), set('messages[2].name', 'x'.repeat(65))],
  'message.last': (r) => void r.messages.pop(),
  'content.empty': [set('messages[2].content', []), set('messages[7].content', null), drop('messages[6].content')],
  'content.shape': [
    set('messages[7].content', 7),
    set('messages[7].content', ['hi']),
    set('messages[7].content', [{ type: 'text' }]),
  ],
  'text.blank': [
    set('messages[7].content', ''),
    set('messages[7].content', ' \u00a0\u200b'),
    set('messages[5].content[0].text', '\n'),
  ],
  'part.type': [
    (r) => set('messages[1].content', [r.messages[2].content[1]])(r),
    (r) => set('messages[6].content', [r.messages[2].content[1]])(r),
    set('messages[7].content', [{ type: 'toString' }]),
  ],
  'part.source': [
    set('messages[2].content[1].image_url', {}),
    set('messages[2].content[2].input_audio.format', 'ogg'),
    set('messages[2].content[3].file', {}),
  ],
  'tool.calls': [
    set('messages[6].tool_calls', []),
    set('messages[7].tool_calls', [call('c')]),
    drop('messages[3].tool_calls[0].type'),
  ],
  'tool.id': [
    (r) =>
      void r.messages.splice(3, 3, { role: 'assistant', tool_calls: [call('x'.repeat(41))] }, result('x'.repeat(41))),
    (r) => void r.messages.splice(3, 3, { role: 'assistant', tool_calls: [call('')] }),
  ],
  'tool.id.repeated': (r) => void r.messages.splice(6, 0, { role: 'assistant', tool_calls: [call('a')] }, result('a')),
  'tool.name': [
    set('messages[3].tool_calls[0].function.name', 'get weather'),
    set('messages[3].tool_calls[0].function.name', 'x'.repeat(65)),
  ],
  'tool.arguments': [
    set('messages[3].tool_calls[0].function.arguments', '{"city":'),
    set('messages[3].tool_calls[0].function.arguments', { city: 'Oslo' }),
    set('messages[3].tool_calls[0].function.arguments', ''),
  ],
  'tool.result.missing': (r) => void r.messages.splice(4, 1),
  'tool.result.orphan': [
    (r) => void r.messages.splice(6, 0, result('c')),
    (r) => void r.messages.splice(2, 0, result('a')),
  ],
  'tool.result.repeated': (r) => void r.messages.splice(6, 0, result('a')),
  'tools.shape': [
    set('tools', []),
    set('tools[0].function.name', 'a b'),
    (r) => void r.tools.push(r.tools[0]),
    set('tools', 'weather'),
  ],
})

test('a message between a call and its result breaks both halves', () => {
  const request = legal()
  request.messages.splice(4, 0, { role: 'user', content: 'wait' })
  expect(check('openai-chat', request).map(({ rule, path }) => `${rule} ${path}`)).toEqual([
    'tool.result.missing messages[3].tool_calls[0]',
    'tool.result.missing messages[3].tool_calls[1]',
    'tool.result.orphan messages[5]',
    'tool.result.orphan messages[6]',
  ])
})

test('a bare list, a legacy function call and a run that ends on a tool are legal', () => {
  expect(check('openai-chat', legal().messages)).toEqual([])
  expect(check('openai-chat', legal().messages.slice(0, 6))).toEqual([])
  const old = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
    { role: 'function', name: 'f', content: 'ok' },
  ]
  expect(check('openai-chat', { messages: old })).toEqual([])
})

test('eight parallel calls are legal in any order of results', () => {
  const ids = [...'abcdefgh']
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', tool_calls: ids.map((id) => call(id)) },
    ...ids.toReversed().map((id) => result(id)),
  ]
  expect(check('openai-chat', { messages })).toEqual([])
})

test('instructions alone are taken by OpenAI, whose own suites send them, and not by servers with a template', () => {
  const messages = [{ role: 'developer', content: 'Write a poem.' }]
  expect(check('openai-chat', { model: 'gpt-5.4', messages })).toEqual([])
  const found = check('openai-chat', { messages: [{ role: 'system', content: 'Go.' }] }, { model: 'vllm/qwen3.6' })
  expect(found.map(({ rule }) => rule)).toEqual(['qwen.user'])
})
