import { describe, expect, test } from 'vitest'
import { accept, pending, said } from './accept.fixture.js'

describe('what an assistant says', () => {
  test('tool calls become calls whose arguments are parsed', () => {
    const decoded = accept({
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Paris"}' } },
        { id: 'call_2', type: 'custom', custom: { name: 'run_sql', input: 'select 1' } },
      ],
    })
    expect(decoded).toMatchObject({ dialect: 'openai-chat', role: 'assistant', results: [], lost: [] })
    expect(decoded.parts).toEqual([
      { type: 'call', id: 'call_1', name: 'get_weather', input: { city: 'Paris' }, outcome: pending },
      { type: 'call', id: 'call_2', name: 'run_sql', input: 'select 1', outcome: pending },
    ])
  })

  test('text comes before the calls it announces, reasoning before the text', () => {
    const decoded = accept({
      role: 'assistant',
      content: 'Let me look.',
      reasoning_content: 'They want weather.',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '' } }],
    })
    expect(decoded.parts).toEqual([
      { type: 'think', text: 'They want weather.' },
      said('Let me look.'),
      { type: 'call', id: 'c', name: 'look', input: {}, outcome: pending },
    ])
  })

  test('a legacy function call has no id', () => {
    const decoded = accept({ role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"a":1}' } })
    expect(decoded.parts).toEqual([{ type: 'call', id: '', name: 'f', input: { a: 1 }, outcome: pending }])
  })

  test('arguments that are not JSON are kept raw and noted', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"city": "Par' } }
    const decoded = accept({ role: 'assistant', content: null, tool_calls: [call] })
    expect(decoded.parts).toMatchObject([{ input: { _raw: '{"city": "Par' } }])
    expect(decoded.lost).toEqual([
      'tool_calls[0].function.arguments: the arguments are not valid JSON, kept as { _raw }',
    ])
  })

  test('a call without a name is lost, not refused', () => {
    const decoded = accept({ role: 'assistant', content: null, tool_calls: [{ id: 'c', function: {} }, 7] })
    expect(decoded.parts).toEqual([])
    expect(decoded.lost).toEqual([
      'tool_calls[0].function: a tool call without a name',
      'tool_calls[1]: a tool call is an object, not number',
    ])
  })

  test('a refusal is text', () => {
    expect(accept({ role: 'assistant', content: null, refusal: 'I cannot.' }).parts).toEqual([said('I cannot.')])
    const content = [{ type: 'refusal', refusal: 'No.' }]
    expect(accept({ role: 'assistant', content }).parts).toEqual([said('No.')])
  })

  test('audio is its transcript and a reference', () => {
    const audio = { id: 'audio_1', expires_at: 1, transcript: 'Hello' }
    expect(accept({ role: 'assistant', content: null, audio }).parts).toEqual([
      said('Hello'),
      { type: 'file', mediaType: 'audio/*', source: { kind: 'ref', id: 'audio_1' } },
    ])
  })

  test('LangChain calls are read, and not twice', () => {
    const decoded = accept({
      type: 'ai',
      content: [{ type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } }],
      tool_calls: [
        { id: 't1', name: 'f', args: { a: 1 }, type: 'tool_call' },
        { id: 't2', name: 'g', args: { b: 2 }, type: 'tool_call' },
      ],
    })
    expect(decoded.parts).toMatchObject([
      { id: 't1', name: 'f', input: { a: 1 } },
      { id: 't2', name: 'g', input: { b: 2 } },
    ])
  })
})

describe('what a user shows', () => {
  test.each([
    [
      'an image by address',
      { type: 'image_url', image_url: { url: 'https://x.io/a.png', detail: 'low' } },
      { type: 'file', mediaType: 'image/*', source: { kind: 'url', url: 'https://x.io/a.png' } },
    ],
    [
      'an image in a data URL',
      {
        type: 'image_url',
        image_url: {
          url: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      },
      {
        type: 'file',
        mediaType: 'image/png',
        source: {
          kind: 'data',
          base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
      },
    ],
    [
      'audio',
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'mp3' } },
      { type: 'file', mediaType: 'audio/mpeg', source: { kind: 'data', base64: 'UklGRg==' } },
    ],
    [
      'a file with its bytes',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', source: { kind: 'data', base64: 'JVBERi0=' } },
    ],
    [
      'an uploaded file',
      { type: 'file', file: { file_id: 'file-1' } },
      { type: 'file', mediaType: 'application/octet-stream', source: { kind: 'ref', id: 'file-1' } },
    ],
  ])('%s is a file part', (_, block, part) => {
    const decoded = accept({ role: 'user', content: [{ type: 'text', text: 'See' }, block] })
    expect(decoded.parts).toEqual([said('See'), part])
    expect(decoded).toMatchObject({ dialect: 'openai-chat', lost: [] })
  })

  test('an image without an address is lost', () => {
    const decoded = accept({ role: 'user', content: [{ type: 'image_url', image_url: {} }] })
    expect(decoded).toMatchObject({ parts: [], lost: ['content[0]: image_url block without content'] })
  })
})

describe('what a tool answers', () => {
  test.each([
    ['a string', '22 °C', [said('22 °C')]],
    [
      'text blocks',
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      [said('a'), said('b')],
    ],
    ['nothing', '', []],
    ['null', null, []],
  ])('%s', (_, content, output) => {
    const decoded = accept({ role: 'tool', tool_call_id: 'call_1', name: 'get_weather', content })
    expect(decoded).toMatchObject({ role: 'assistant', parts: [], lost: [] })
    expect(decoded).not.toHaveProperty('author')
    expect(decoded.results).toEqual([{ callId: 'call_1', name: 'get_weather', state: 'ok', output }])
  })

  test('a legacy function answers by name', () => {
    expect(accept({ role: 'function', name: 'f', content: '1' }).results).toEqual([
      { name: 'f', state: 'ok', output: [said('1')] },
    ])
  })

  test('a LangChain tool message may have failed', () => {
    const message = { type: 'tool', tool_call_id: 'c', content: 'boom', status: 'error' }
    expect(accept(message).results).toEqual([{ callId: 'c', state: 'error', output: [said('boom')] }])
  })
})
