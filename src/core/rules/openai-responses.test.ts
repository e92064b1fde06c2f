import { expect, test } from 'vitest'
import { check } from './check.js'
import { drop, type Loose, prove, set } from './proof.fixture.js'

const call = (id: string): Loose => ({
  type: 'function_call',
  call_id: id,
  name: 'weather',
  arguments: '{"city":"Oslo"}',
})
const output = (id: string): Loose => ({ type: 'function_call_output', call_id: id, output: 'Rain' })

const legal = (): Loose => ({
  instructions: 'Be brief.',
  tools: [{ type: 'function', name: 'weather', parameters: {} }, { type: 'web_search' }],
  input: [
    { role: 'developer', content: 'No jokes.' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Weather in both?' },
        {
          type: 'input_image',
          detail: 'auto',
          image_url:
            'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        },
        { type: 'input_file', file_id: 'file_1' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [],
      encrypted_content:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    { ...call('a'), id: 'fc_1' },
    call('b'),
    output('b'),
    { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'Sun' }] },
    { type: 'custom_tool_call', call_id: 'c', name: 'shell', input: 'ls' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'file' },
    { type: 'reasoning', id: 'rs_2', summary: [{ type: 'summary_text', text: 'Done' }] },
    {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      status: 'completed',
      content: [
        { type: 'output_text', text: 'Rain', annotations: [] },
        { type: 'refusal', refusal: 'No more.' },
      ],
    },
    { type: 'web_search_call', id: 'ws_1', status: 'completed' },
    { role: 'assistant', content: 'Sun tomorrow.' },
    { role: 'user', content: 'Thanks 👋' },
  ],
})

prove('openai-responses', legal, {
  'request.shape': [() => null, () => ({}), () => ({ input: 7 }), () => 'text'],
  'messages.empty': [() => ({ input: [] }), () => []],
  'item.shape': [(r) => void r.input.splice(1, 0, 'hi'), (r) => void r.input.splice(1, 0, {})],
  'item.id': [
    set('input[10].id', ''),
    set('input[10].id', `msg_${'x'.repeat(61)}`),
    set('input[9].id', 'item_1'),
    set('input[3].id', 'call 1'),
  ],
  'item.id.repeated': set('input[9].id', 'rs_1'),
  'message.role': [set('input[1].role', 'tool'), drop('input[1].role')],
  'message.last': [(r) => void r.input.pop(), (r) => void r.input.push({ role: 'system', content: 'x' })],
  'instructions.shape': set('instructions', ['Be brief.']),
  'content.empty': [set('input[1].content', []), drop('input[1].content'), set('input[6].output', [])],
  'content.shape': [set('input[1].content', {}), set('input[1].content', ['hi']), set('input[6].output', { temp: 3 })],
  'text.blank': [
    set('input[13].content', ' '),
    set('instructions', ''),
    set('input[10].content[0].text', '\u200b'),
    set('input[5].output', ''),
    () => ({ input: '\n' }),
  ],
  'part.type': [
    set('input[10].content[0].type', 'input_text'),
    set('input[1].content[0].type', 'output_text'),
    set('input[1].content[0].type', 'text'),
  ],
  'part.source': [drop('input[1].content[1].image_url'), drop('input[1].content[2].file_id')],
  'reasoning.shape': [drop('input[2].summary'), drop('input[9].id')],
  'reasoning.alone': [
    (r) => void r.input.splice(10, 3),
    (r) => void r.input.splice(5, 0, { type: 'reasoning', id: 'rs_3', summary: [] }),
  ],
  'tool.id': [
    (r) => void r.input.splice(13, 0, call('x'.repeat(65)), output('x'.repeat(65))),
    (r) => void r.input.splice(13, 0, call('')),
    (r) => void r.input.splice(13, 0, { type: 'function_call_output', output: 'x' }),
  ],
  'tool.id.repeated': (r) => void r.input.splice(13, 0, call('a'), output('a')),
  'tool.name': [set('input[3].name', 'get.weather'), drop('input[7].name')],
  'tool.arguments': [set('input[3].arguments', '{'), set('input[3].arguments', {}), drop('input[7].input')],
  'tool.result.missing': (r) => void r.input.splice(5, 1),
  'tool.result.orphan': (r) => void r.input.splice(4, 1),
  'tool.result.repeated': (r) => void r.input.splice(13, 0, output('a')),
  'tools.shape': [set('tools', {}), drop('tools[0].name'), (r) => void r.tools.push(r.tools[0])],
})

test('an output before its call breaks both halves', () => {
  const request = {
    input: [{ role: 'user', content: 'go' }, output('a'), call('a'), { role: 'user', content: 'and?' }],
  }
  expect(check('openai-responses', request).map(({ rule }) => rule)).toEqual([
    'tool.result.orphan',
    'tool.result.missing',
  ])
})

test('a text, a bare list and several reasoning items before one call are legal', () => {
  expect(check('openai-responses', { input: 'Hello' })).toEqual([])
  expect(check('openai-responses', legal().input)).toEqual([])
  const request = legal()
  request.input.splice(2, 0, { type: 'reasoning', id: 'rs_0', summary: [] })
  expect(check('openai-responses', request)).toEqual([])
})
