import { describe, expect, test } from 'vitest'
import { check } from './check.js'
import { drop, type Loose, prove, set } from './proof.fixture.js'

const use = (id: string): Loose => ({ type: 'tool_use', id, name: 'weather', input: { city: 'Oslo' } })
const result = (id: string): Loose => ({ type: 'tool_result', tool_use_id: id, content: 'Rain' })
const thinking = (): Loose => ({ type: 'thinking', thinking: 'Two calls.', signature: 'c2ln' })
const image = (): Loose => ({
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
})

const legal = (): Loose => ({
  model: 'claude-sonnet-4-5',
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'weather', input_schema: { type: 'object' } }],
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Weather in both?' },
        image(),
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'notes' } },
      ],
    },
    {
      role: 'assistant',
      content: [
        thinking(),
        {
          type: 'redacted_thinking',
          data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
        use('a'),
        use('b'),
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'b', is_error: true, content: [{ type: 'text', text: 'No net' }] },
        result('a'),
        { type: 'text', text: 'Go on' },
      ],
    },
    { role: 'assistant', content: 'Rain.' },
    { role: 'user', content: 'Thanks 👋' },
  ],
})

prove('anthropic', legal, {
  'request.shape': [() => null, () => ({}), () => 'text'],
  'system.shape': [set('system', { text: 'x' }), (r) => void r.system.push(image())],
  'messages.empty': [() => ({ messages: [] }), () => []],
  'message.shape': (r) => void r.messages.push(null),
  'message.role': (r) => void r.messages.push({ role: 'narrator', content: 'x' }),
  'message.first': (r) => void r.messages.unshift({ role: 'assistant', content: 'Hello' }),
  'message.order': [
    (r) => void r.messages.push({ role: 'user', content: 'Still there?' }),
    (r) => void r.messages.splice(3, 0, { role: 'assistant', content: 'Well.' }),
  ],
  'message.last': (r) => {
    r.messages.pop()
    r.model = 'claude-opus-4-6'
  },
  'content.empty': [set('messages[3].content', []), drop('messages[4].content')],
  'content.shape': [
    set('messages[4].content', 7),
    set('messages[4].content', ['hi']),
    set('messages[4].content', [{ type: 'text', text: null }]),
  ],
  'text.blank': [
    set('messages[4].content', ''),
    set('messages[3].content', [{ type: 'text', text: ' \u00a0' }]),
    set('system', [{ type: 'text', text: '\n' }]),
    set('messages[2].content[1].content', '\u200b'),
    set('system', ''),
  ],
  'part.type': [
    set('messages[3].content', [image()]),
    set('messages[4].content', [thinking()]),
    set('messages[4].content', [use('z')]),
    set('messages[2].content[1].content', [use('z')]),
  ],
  'part.source': [
    set('messages[0].content[1].source.media_type', 'image/svg+xml'),
    set('messages[0].content[2].source.url', 'a.png'),
    drop('messages[0].content[3].source'),
  ],
  'thinking.shape': [
    drop('messages[1].content[0].signature'),
    drop('messages[1].content[0].thinking'),
    set('messages[1].content[1].data', ''),
  ],
  'thinking.place': [
    (r) => void r.messages[1].content.unshift({ type: 'text', text: 'Let me see.' }),
    set('messages[3].content', [thinking()]),
  ],
  'tool.id': [
    set('messages[3].content', [use('functions.weather:0')]),
    set('messages[3].content', [use('x'.repeat(65))]),
    (r) => void r.messages[2].content.unshift(result('')),
  ],
  'tool.id.repeated': (r) => {
    r.messages[3].content = [use('a')]
    r.messages[4].content = [result('a')]
  },
  'tool.name': [set('messages[1].content[2].name', 'a.b'), set('messages[1].content[2].name', 'x'.repeat(129))],
  'tool.input': [set('messages[1].content[2].input', '{}'), set('messages[1].content[2].input', [])],
  'tool.result.missing': [(r) => void r.messages[2].content.shift(), set('messages[3].content', [use('c')])],
  'tool.result.orphan': [
    (r) => void r.messages[2].content.unshift(result('c')),
    set('messages[4].content', [result('a')]),
    (r) => void r.messages[0].content.unshift(result('a')),
  ],
  'tool.result.repeated': (r) => void r.messages[2].content.unshift(result('a')),
  'tool.result.place': (r) => void r.messages[2].content.reverse(),
  'tool.result.error': set('messages[2].content[0].is_error', 'yes'),
  'cache.many': (r) => {
    for (const block of r.messages[0].content) block.cache_control = { type: 'ephemeral' }
  },
  'tools.shape': [set('tools', 'x'), set('tools[0].name', 'a b'), (r) => void r.tools.push(r.tools[0])],
})

test('omitted thinking, interleaved thinking and server tools are legal', () => {
  const request = legal()
  request.messages[3].content = [
    { type: 'thinking', thinking: '', signature: 'c2ln' },
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'rain' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    thinking(),
    { type: 'text', text: 'Rain.' },
  ]
  expect(check('anthropic', request)).toEqual([])
})

test('a bare list, a text system and a run that ends on results are legal', () => {
  expect(check('anthropic', legal().messages)).toEqual([])
  expect(check('anthropic', { ...legal(), system: 'Be brief.', messages: legal().messages.slice(0, 3) })).toEqual([])
})

test('a call that ends the list is told as missing its result', () => {
  const messages = legal().messages.slice(0, 2)
  expect(check('anthropic', { messages }).map(({ rule }) => rule)).toEqual([
    'tool.result.missing',
    'tool.result.missing',
    'message.last',
  ])
})

describe('what newer models think by themselves', () => {
  const messages = [{ role: 'user', content: 'So?' }]
  const model = 'claude-sonnet-5'
  const rulesIn = (more: object): string[] =>
    check('anthropic', { model, max_tokens: 100, messages, ...more }).map(({ rule }) => rule)

  test('is on without being asked for, so that thinking may go back and its edits are taken', () => {
    const said = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'tool_use', id: 'a', name: 'look', input: {} },
    ]
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'Rain' }
    const loop = [...messages, { role: 'assistant', content: said }, { role: 'user', content: [result] }]
    expect(rulesIn({ messages: loop })).toEqual([])
    expect(rulesIn({ messages: loop, thinking: { type: 'disabled' } })).toEqual(['thinking.disabled'])
    expect(rulesIn({ messages: loop, model: 'claude-opus-4-8' })).toEqual(['thinking.disabled'])
    expect(rulesIn({ context_management: { edits: [{ type: 'clear_thinking_20251015' }] } })).toEqual([])
  })

  test('takes the usual sampling and no other, as the SDK’s own suite sends it', () => {
    expect(rulesIn({ temperature: 1, top_p: 1 })).toEqual([])
    expect(rulesIn({ temperature: 0.5 })).toEqual(['thinking.mode'])
  })
})
