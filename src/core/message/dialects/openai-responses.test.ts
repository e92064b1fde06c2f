import { describe, expect, test } from 'vitest'
import { accept, ok, pending, said } from './accept.fixture.js'
import { decode } from './decode.js'

test('a message keeps its id and its blocks', () => {
  const decoded = accept({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [
      { type: 'output_text', text: 'Hello', annotations: [], logprobs: [] },
      { type: 'refusal', refusal: 'But no.' },
    ],
  })
  expect(decoded).toMatchObject({ dialect: 'openai-responses', role: 'assistant', id: 'msg_1', lost: [] })
  expect(decoded.parts).toEqual([said('Hello'), said('But no.')])
})

test('an easy message is a string with a role', () => {
  expect(accept({ type: 'message', role: 'developer', content: 'Be brief.' })).toMatchObject({
    dialect: 'openai-responses',
    role: 'system',
    parts: [said('Be brief.')],
  })
})

test.each([
  [
    { type: 'input_image', detail: 'auto', image_url: 'https://x.io/a.png' },
    { type: 'file', mediaType: 'image/*', source: { kind: 'url', url: 'https://x.io/a.png' } },
  ],
  [
    { type: 'input_image', detail: 'auto', file_id: 'file-1' },
    { type: 'file', mediaType: 'image/*', source: { kind: 'ref', id: 'file-1' } },
  ],
  [
    { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    { type: 'file', mediaType: 'application/pdf', name: 'a.pdf', source: { kind: 'data', base64: 'JVBERi0=' } },
  ],
  [
    { type: 'input_file', file_url: 'https://x.io/a.pdf' },
    { type: 'file', mediaType: 'application/octet-stream', source: { kind: 'url', url: 'https://x.io/a.pdf' } },
  ],
])('%j is a file part', (block, part) => {
  const content = [{ type: 'input_text', text: 'See' }, block]
  expect(accept({ role: 'user', content }).parts).toEqual([said('See'), part])
})

describe('calls', () => {
  test.each([
    [
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'f', arguments: '{"a":1}', status: 'completed' },
      { id: 'call_1', name: 'f', input: { a: 1 }, outcome: pending },
    ],
    [
      { type: 'custom_tool_call', id: 'ct_1', call_id: 'call_2', name: 'sql', input: 'select 1' },
      { id: 'call_2', name: 'sql', input: 'select 1', outcome: pending },
    ],
    [
      {
        type: 'local_shell_call',
        id: 'ls',
        call_id: 'call_3',
        action: { type: 'exec', command: ['ls'], env: {} },
        status: 'completed',
      },
      {
        id: 'call_3',
        name: 'local_shell_call',
        input: { action: { type: 'exec', command: ['ls'], env: {} } },
        outcome: pending,
      },
    ],
    [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'tea' } },
      { id: 'ws_1', name: 'web_search_call', input: { action: { type: 'search', query: 'tea' } }, outcome: ok() },
    ],
    [
      {
        type: 'mcp_call',
        id: 'mcp_1',
        name: 'roll',
        server_label: 'dice',
        arguments: '{"n":2}',
        output: '7',
        error: null,
      },
      { id: 'mcp_1', name: 'roll', input: { n: 2 }, outcome: ok('7') },
    ],
    [
      {
        type: 'mcp_call',
        id: 'mcp_2',
        name: 'roll',
        server_label: 'dice',
        arguments: '{}',
        output: null,
        error: 'down',
      },
      { id: 'mcp_2', name: 'roll', input: {}, outcome: { state: 'error', output: [said('down')] } },
    ],
    [
      { type: 'file_search_call', id: 'fs_1', queries: ['tea'], status: 'in_progress', results: null },
      { id: 'fs_1', name: 'file_search_call', input: { queries: ['tea'] }, outcome: pending },
    ],
    [
      {
        type: 'image_generation_call',
        id: 'ig_1',
        status: 'completed',
        result: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      },
      {
        id: 'ig_1',
        name: 'image_generation_call',
        input: {},
        outcome: {
          state: 'ok',
          output: [
            {
              type: 'file',
              mediaType: 'image/png',
              source: {
                kind: 'data',
                base64:
                  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
              },
            },
          ],
        },
      },
    ],
  ])('%j', (item, call) => {
    const decoded = accept(item)
    expect(decoded).toMatchObject({
      dialect: 'openai-responses',
      role: 'assistant',
      id: item.id,
      results: [],
      lost: [],
    })
    expect(decoded.parts).toEqual([{ type: 'call', ...call }])
  })
})

describe('outputs', () => {
  test.each([
    [{ type: 'function_call_output', call_id: 'c', output: '{"ok":true}' }, [said('{"ok":true}')]],
    [{ type: 'custom_tool_call_output', call_id: 'c', output: 'done' }, [said('done')]],
    [
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', file_id: 'f' },
        ],
      },
      [said('a'), { type: 'file', mediaType: 'image/*', source: { kind: 'ref', id: 'f' } }],
    ],
    [
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: 'https://x.io/s.png' },
      },
      [{ type: 'file', mediaType: 'image/*', source: { kind: 'url', url: 'https://x.io/s.png' } }],
    ],
    [
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
      [said('[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}]')],
    ],
    [{ type: 'function_call_result', callId: 'c', output: { type: 'text', text: 'agents' } }, [said('agents')]],
  ])('%j', (item, output) => {
    const decoded = accept(item)
    expect(decoded.parts).toEqual([])
    expect(decoded.results).toEqual([{ callId: 'c', state: 'ok', output }])
  })
})

describe('reasoning', () => {
  test('summary, sealed content and id make one part', () => {
    const item = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'First.' },
        { type: 'summary_text', text: 'Second.' },
      ],
      encrypted_content: 'gAAA',
    }
    expect(accept(item).parts).toEqual([{ type: 'think', text: 'First.\n\nSecond.', sealed: 'gAAA', id: 'rs_1' }])
  })

  test('the reasoning itself stands before its summary', () => {
    const content = [{ type: 'reasoning_text', text: 'All of it.' }]
    expect(accept({ type: 'reasoning', id: 'rs', summary: [], content }).parts).toEqual([
      { type: 'think', text: 'All of it.', id: 'rs' },
    ])
  })
})

test.each(['item_reference', 'compaction', 'mcp_list_tools', 'text'])(
  'an item of type %s is refused by name',
  (type) => {
    expect(decode({ type, id: 'x' })).toMatchObject({ ok: false, code: 'bad_content', field: 'type', value: type })
  },
)

test('a request for approval is a call, and the verdict is its result', () => {
  const asked = { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'db', name: 'drop', arguments: '{"t":1}' }
  const input = { server: 'db', tool: 'drop', arguments: { t: 1 } }
  const pending = { state: 'pending' }
  expect(accept(asked).parts).toEqual([
    { type: 'call', id: 'mcpr_1', name: 'mcp_approval_request', input, outcome: pending },
  ])
  const verdict = (more: object) =>
    accept({ type: 'mcp_approval_response', approval_request_id: 'mcpr_1', ...more }).results
  expect(verdict({ approve: true })).toEqual([{ callId: 'mcpr_1', state: 'ok', output: [said('approved')] }])
  expect(verdict({ approve: false, reason: 'no' })).toEqual([
    { callId: 'mcpr_1', state: 'ok', output: [said('denied: no')] },
  ])
})
