import { expect, test } from 'vitest'
import { accept, pending, said } from './accept.fixture.js'

test('an answer holds thoughts, text, calls and files', () => {
  const decoded = accept({
    role: 'model',
    parts: [
      { text: 'Hm.', thought: true, thoughtSignature: 'AbC' },
      { text: 'Here.' },
      { functionCall: { id: 'c1', name: 'get_weather', args: { city: 'Paris' } } },
      { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
      { fileData: { mimeType: 'video/mp4', fileUri: 'gs://bucket/a.mp4' } },
    ],
  })
  expect(decoded).toMatchObject({ dialect: 'google', role: 'assistant', results: [], lost: [] })
  expect(decoded.parts).toEqual([
    { type: 'think', text: 'Hm.', signature: 'AbC' },
    said('Here.'),
    { type: 'call', id: 'c1', name: 'get_weather', input: { city: 'Paris' }, outcome: pending },
    { type: 'file', mediaType: 'image/png', source: { kind: 'data', base64: 'iVBO' } },
    { type: 'file', mediaType: 'video/mp4', source: { kind: 'url', url: 'gs://bucket/a.mp4' } },
  ])
})

test('a call without an id has the id empty; its proof stands before it', () => {
  const parts = [{ functionCall: { name: 'f' }, thoughtSignature: 'AbC' }]
  expect(accept({ role: 'model', parts }).parts).toEqual([
    { type: 'think', text: '', signature: 'AbC' },
    { type: 'call', id: '', name: 'f', input: {}, outcome: pending },
  ])
})

test.each([
  ['an object', { temperature: 22 }, 'ok', [said('{"temperature":22}')]],
  ['an output', { output: 'mild' }, 'ok', [said('mild')]],
  ['an error', { error: 'boom' }, 'error', [said('boom')]],
  ['an error beside other things', { error: null, t: 1 }, 'ok', [said('{"error":null,"t":1}')]],
])('a response: %s', (_, response, state, output) => {
  for (const role of ['user', 'function']) {
    const decoded = accept({ role, parts: [{ functionResponse: { name: 'f', response } }] })
    expect(decoded).toMatchObject({ dialect: 'google', parts: [], lost: [] })
    expect(decoded.results).toEqual([{ name: 'f', state, output }])
  }
})

test('snake case is read as well', () => {
  const parts = [
    { inline_data: { mime_type: 'image/png', data: 'iVBO' } },
    { function_response: { name: 'f', response: {} } },
  ]
  const decoded = accept({ role: 'user', parts })
  expect(decoded.parts).toMatchObject([{ type: 'file', mediaType: 'image/png' }])
  expect(decoded.results).toMatchObject([{ name: 'f' }])
})

test('code that the model ran is a call and a result', () => {
  const decoded = accept({
    role: 'model',
    parts: [
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1\n' } },
    ],
  })
  expect(decoded.parts).toMatchObject([{ name: 'code_execution', input: { language: 'PYTHON', code: 'print(1)' } }])
  expect(decoded.results).toEqual([{ name: 'code_execution', state: 'ok', output: [said('1\n')] }])
})

test('a part of an unknown kind is lost', () => {
  expect(accept({ role: 'model', parts: [{ hologram: {} }] }).lost).toEqual(['parts[0]: a block without a type'])
})
