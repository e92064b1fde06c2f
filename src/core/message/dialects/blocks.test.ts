import { describe, expect, test } from 'vitest'
import { accept, pending, said } from './accept.fixture.js'

test('an answer keeps the order of its blocks', () => {
  const decoded = accept({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-4',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
      { type: 'redacted_thinking', data: 'EmwK' },
      { type: 'text', text: 'I will look.', citations: null },
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
    ],
    stop_reason: 'tool_use',
  })
  expect(decoded).toMatchObject({
    dialect: 'anthropic',
    role: 'assistant',
    id: 'msg_1',
    model: 'claude-opus-4',
    lost: [],
  })
  expect(decoded.parts).toEqual([
    { type: 'think', text: 'Hm.', signature: 'EqQB' },
    { type: 'think', text: '', sealed: 'EmwK' },
    said('I will look.'),
    { type: 'call', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' }, outcome: pending },
  ])
})

test('an answer of text alone is told from one of Responses', () => {
  const content = [{ type: 'text', text: 'Hi' }]
  expect(accept({ type: 'message', role: 'assistant', content })).toMatchObject({ dialect: 'anthropic' })
})

describe('results', () => {
  const resultOf = (block: object) => accept({ role: 'user', content: [block] }).results

  test.each([
    ['a string', '15 °C', [said('15 °C')]],
    ['nothing', undefined, []],
    ['an empty list', [], []],
    [
      'blocks',
      [
        { type: 'text', text: 'See' },
        { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: '/9j/' } },
      ],
      [said('See'), { type: 'file', mediaType: 'image/jpeg', source: { kind: 'data', base64: '/9j/' } }],
    ],
    [
      'a block of a kind we do not know, as its JSON',
      [
        { type: 'text', text: 'a' },
        { type: 'tool_reference', tool_name: 't' },
      ],
      [said('a'), said('{"type":"tool_reference","tool_name":"t"}')],
    ],
  ])('%s', (_, content, output) => {
    expect(resultOf({ type: 'tool_result', tool_use_id: 'toolu_1', content })).toEqual([
      { callId: 'toolu_1', state: 'ok', output },
    ])
  })

  test('an error is an error', () => {
    expect(resultOf({ type: 'tool_result', tool_use_id: 't', is_error: true, content: 'boom' })).toEqual([
      { callId: 't', state: 'error', output: [said('boom')] },
    ])
  })

  test('parallel results keep their order beside the text', () => {
    const content = [
      { type: 'tool_result', tool_use_id: 'a', content: '1' },
      { type: 'tool_result', tool_use_id: 'b', content: '2' },
      { type: 'text', text: 'Go on' },
    ]
    const decoded = accept({ role: 'user', content })
    expect(decoded.role).toBe('user')
    expect(decoded.results.map((result) => result.callId)).toEqual(['a', 'b'])
    expect(decoded.parts).toEqual([said('Go on')])
  })

  test('a web search is a call and a result in one message; what is sealed is left out', () => {
    const decoded = accept({
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'tea' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 'srvtoolu_1',
          content: [
            { type: 'web_search_result', url: 'https://x.io', title: 'Tea', encrypted_content: 'Eo', page_age: null },
          ],
        },
        { type: 'text', text: 'Tea it is.' },
      ],
    })
    expect(decoded.parts).toMatchObject([{ type: 'call', id: 'srvtoolu_1', name: 'web_search' }, said('Tea it is.')])
    expect(decoded.results).toEqual([
      {
        callId: 'srvtoolu_1',
        name: 'web_search',
        state: 'ok',
        output: [said('{"type":"web_search_result","url":"https://x.io","title":"Tea","page_age":null}')],
      },
    ])
    expect(decoded.lost).toEqual(['content[1].content[0].encrypted_content: sealed for the provider, left out'])
  })

  test('a web search that failed is an error', () => {
    const content = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
    expect(resultOf({ type: 'web_search_tool_result', tool_use_id: 's', content })).toMatchObject([{ state: 'error' }])
  })
})

describe('files', () => {
  test.each([
    [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } },
      { mediaType: 'image/png', source: { kind: 'data', base64: 'iVBO' } },
    ],
    [
      { type: 'image', source: { type: 'url', url: 'https://x.io/a.png' } },
      { mediaType: 'image/*', source: { kind: 'url', url: 'https://x.io/a.png' } },
    ],
    [
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      { mediaType: 'image/*', source: { kind: 'ref', id: 'file_1' } },
    ],
    [
      { type: 'document', title: 'Plan', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' } },
      { mediaType: 'application/pdf', name: 'Plan', source: { kind: 'data', base64: 'JVBE' } },
    ],
    [
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Once' } },
      { mediaType: 'text/plain', source: { kind: 'text', text: 'Once' } },
    ],
    [
      {
        type: 'document',
        source: {
          type: 'content',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      },
      { mediaType: 'text/plain', source: { kind: 'text', text: 'a\nb' } },
    ],
    [
      { type: 'document', source: { type: 'url', url: 'https://x.io/a.pdf' } },
      { mediaType: 'application/pdf', source: { kind: 'url', url: 'https://x.io/a.pdf' } },
    ],
  ])('%j', (block, part) => {
    const decoded = accept({ role: 'user', content: [block] })
    expect(decoded.parts).toEqual([{ type: 'file', ...part }])
    expect(decoded).toMatchObject({ dialect: 'anthropic', lost: [] })
  })
})
