import { describe, expect, test } from 'vitest'
import { accept, ok, pending, said } from './accept.fixture.js'

describe('UI messages', () => {
  test('an answer keeps the order of its parts; steps leave no trace', () => {
    const decoded = accept({
      id: 'm1',
      role: 'assistant',
      metadata: { model: 'claude-sonnet-4' },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.', state: 'done', providerMetadata: { anthropic: { signature: 'EqQB' } } },
        { type: 'text', text: 'Here.', state: 'done' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,iVBO', filename: 'a.png' },
      ],
    })
    expect(decoded).toMatchObject({ dialect: 'ai-sdk', id: 'm1', model: 'claude-sonnet-4', lost: [] })
    expect(decoded.parts).toEqual([
      { type: 'think', text: 'Hm.', signature: 'EqQB' },
      said('Here.'),
      { type: 'file', mediaType: 'image/png', name: 'a.png', source: { kind: 'data', base64: 'iVBO' } },
    ])
  })

  test.each([
    ['input-streaming', { input: undefined }, pending],
    ['input-available', {}, pending],
    ['approval-requested', { approval: { id: 'a' } }, pending],
    ['approval-responded', { approval: { id: 'a', approved: true } }, pending],
    ['output-available', { output: { temperature: 22 } }, ok('{"temperature":22}')],
    ['output-available', { output: [] }, ok('[]')],
    ['output-available', { output: 'mild' }, ok('mild')],
    ['output-error', { errorText: 'boom' }, { state: 'error', output: [said('boom')] }],
    [
      'output-denied',
      { approval: { id: 'a', approved: false, reason: 'too hot' } },
      { state: 'error', output: [said('too hot')] },
    ],
  ])('a tool in state %s', (state, rest, outcome) => {
    const tool = { toolCallId: 'c', input: { city: 'Paris' }, state, ...rest }
    const input = 'input' in rest ? {} : { city: 'Paris' }
    const parts = [
      { type: 'tool-get_weather', ...tool },
      { type: 'dynamic-tool', toolName: 'get_weather', ...tool },
      { type: 'tool-call', ...tool },
    ]
    const call = { type: 'call', id: 'c', name: 'get_weather', input, outcome }
    const decoded = accept({ id: 'm', role: 'assistant', parts })
    expect(decoded.parts).toEqual([call, call, { ...call, name: 'call' }])
    expect(decoded).toMatchObject({ dialect: 'ai-sdk', results: [], lost: [] })
  })

  test('an unknown state is pending, with a note', () => {
    const decoded = accept({ role: 'assistant', parts: [{ type: 'tool-f', toolCallId: 'c', state: 'new', input: {} }] })
    expect(decoded.parts).toMatchObject([{ outcome: pending }])
    expect(decoded.lost).toEqual(['parts[0]: unknown tool state, taken as pending'])
  })

  test('sources and data are lost, with a note each', () => {
    const parts = [
      { type: 'text', text: 'Hi' },
      { type: 'source-url', sourceId: 's', url: 'https://x.io' },
      { type: 'data-weather', data: {} },
    ]
    expect(accept({ role: 'assistant', parts }).lost).toEqual([
      'parts[1]: source-url parts are not kept',
      'parts[2]: data-weather parts are not kept',
    ])
  })

  test('parts speak for a message that repeats its text as content', () => {
    const invocation = { state: 'result', toolCallId: 'c', toolName: 'f', args: { a: 1 }, result: { b: 2 } }
    const parts = [
      { type: 'tool-invocation', toolInvocation: invocation },
      { type: 'text', text: 'Hi' },
    ]
    const call = { type: 'call', id: 'c', name: 'f', input: { a: 1 }, outcome: ok('{"b":2}') }
    const message = { id: 'm', role: 'assistant', content: 'Hi', toolInvocations: [invocation] }
    expect(accept({ ...message, parts }).parts).toEqual([call, said('Hi')])
    expect(accept(message).parts).toEqual([said('Hi'), call])
  })

  test("a proof of Gemini's stands before the call that it signs", () => {
    const callProviderMetadata = { google: { thoughtSignature: 'AbC' } }
    const tool = { type: 'tool-f', toolCallId: 'c', state: 'input-available', input: {}, callProviderMetadata }
    expect(accept({ role: 'assistant', parts: [tool] }).parts).toMatchObject([
      { type: 'think', text: '', signature: 'AbC' },
      { type: 'call', name: 'f' },
    ])
  })
})

describe('model messages', () => {
  test('an answer holds calls, reasoning and files', () => {
    const decoded = accept({
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: '',
          providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAA' } },
        },
        { type: 'text', text: 'Look:' },
        { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { a: 1 } },
        { type: 'tool-call', toolCallId: 'd', toolName: 'g', args: { b: 2 } },
      ],
    })
    expect(decoded).toMatchObject({ dialect: 'ai-sdk', lost: [] })
    expect(decoded.parts).toEqual([
      { type: 'think', text: '', sealed: 'gAAA', id: 'rs_1' },
      said('Look:'),
      { type: 'call', id: 'c', name: 'f', input: { a: 1 }, outcome: pending },
      { type: 'call', id: 'd', name: 'g', input: { b: 2 }, outcome: pending },
    ])
  })

  test.each([
    [{ output: { type: 'text', value: 'mild' } }, 'ok', [said('mild')]],
    [{ output: { type: 'json', value: { t: 22 } } }, 'ok', [said('{"t":22}')]],
    [{ output: { type: 'json', value: [] } }, 'ok', [said('[]')]],
    [{ output: { type: 'error-text', value: 'boom' } }, 'error', [said('boom')]],
    [{ output: { type: 'error-json', value: { code: 1 } } }, 'error', [said('{"code":1}')]],
    [{ output: { type: 'execution-denied', reason: 'no' } }, 'error', [said('no')]],
    [{ output: { type: 'execution-denied' } }, 'error', [said('Tool execution was denied.')]],
    [
      {
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'See' },
            { type: 'media', data: 'iVBO', mediaType: 'image/png' },
            { type: 'file-url', url: 'https://x.io/a' },
            { type: 'image-file-id', fileId: { openai: 'file-1' } },
          ],
        },
      },
      'ok',
      [
        said('See'),
        { type: 'file', mediaType: 'image/png', source: { kind: 'data', base64: 'iVBO' } },
        { type: 'file', mediaType: 'application/octet-stream', source: { kind: 'url', url: 'https://x.io/a' } },
        { type: 'file', mediaType: 'image/*', source: { kind: 'ref', id: 'file-1' } },
      ],
    ],
    [{ result: { t: 22 } }, 'ok', [said('{"t":22}')]],
    [{ result: 'boom', isError: true }, 'error', [said('boom')]],
  ])('a result %j', (rest, state, output) => {
    const content = [{ type: 'tool-result', toolCallId: 'c', toolName: 'f', ...rest }]
    const decoded = accept({ role: 'tool', content })
    expect(decoded).toMatchObject({ dialect: 'ai-sdk', role: 'assistant', parts: [], lost: [] })
    expect(decoded.results).toEqual([{ callId: 'c', name: 'f', state, output }])
  })

  test.each([
    [
      'base64',
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      {
        kind: 'data',
        base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
      'image/png',
    ],
    ['a URL', new URL('https://x.io/a.png'), { kind: 'url', url: 'https://x.io/a.png' }, 'image/*'],
    ['bytes', new Uint8Array([0xff, 0xd8, 0xff]), { kind: 'data', base64: '/9j/' }, 'image/jpeg'],
    ['a buffer', new Uint8Array([0xff, 0xd8, 0xff]).buffer, { kind: 'data', base64: '/9j/' }, 'image/jpeg'],
  ])('an image as %s', (_, image, source, mediaType) => {
    expect(accept({ role: 'user', content: [{ type: 'image', image }] }).parts).toEqual([
      { type: 'file', mediaType, source },
    ])
  })

  test.each([
    ['base64', 'JVBE', { kind: 'data', base64: 'JVBE' }],
    ['tagged data', { type: 'data', data: 'JVBE' }, { kind: 'data', base64: 'JVBE' }],
    ['tagged text', { type: 'text', text: 'Once' }, { kind: 'text', text: 'Once' }],
    ['a reference', { type: 'reference', reference: { openai: 'file-1' } }, { kind: 'ref', id: 'file-1' }],
  ])('a file as %s', (_, data, source) => {
    const content = [{ type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data }]
    expect(accept({ role: 'user', content }).parts).toEqual([
      { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', source },
    ])
  })
})
