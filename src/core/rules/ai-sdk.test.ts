import { expect, test } from 'vitest'
import { check } from './check.js'
import { drop, type Loose, prove, set } from './proof.fixture.js'

const call = (id: string, rest: Loose = {}): Loose => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: 'weather',
  input: { city: 'Oslo' },
  ...rest,
})
const result = (id: string, output: Loose = { type: 'text', value: 'Rain' }): Loose => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'weather',
  output,
})

const legal = (): Loose => ({
  system: 'Be brief.',
  messages: [
    { role: 'system', content: 'No jokes.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Weather in both?' },
        { type: 'image', image: 'https://example.com/a.png' },
        {
          type: 'file',
          data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          mediaType: 'application/pdf',
        },
      ],
    },
    {
      role: 'assistant',
      content: [
        {
          type: 'reasoning',
          text: '',
          providerOptions: {
            anthropic: {
              redactedData:
                'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          },
        },
        { type: 'reasoning', text: 'Two calls.' },
        { type: 'text', text: 'Looking.' },
        call('a'),
        call('b'),
        call('s', { providerExecuted: true }),
        result('s', { type: 'json', value: null }),
      ],
    },
    { role: 'tool', content: [result('b', { type: 'error-text', value: 'No net' })] },
    {
      role: 'tool',
      content: [
        result('a', {
          type: 'content',
          value: [
            { type: 'text', text: 'Sun' },
            {
              type: 'media',
              data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
              mediaType: 'image/png',
            },
          ],
        }),
      ],
    },
    { role: 'assistant', content: 'Rain.' },
    { role: 'user', content: 'Thanks 👋' },
  ],
})

prove('ai-sdk', legal, {
  'request.shape': [() => null, () => ({}), () => 'text'],
  'system.shape': [set('system', ['x']), set('messages[0].content', [{ type: 'text', text: 'x' }])],
  'messages.empty': [() => ({ messages: [] }), () => []],
  'message.shape': (r) => void r.messages.push(7),
  'message.role': [set('messages[0].role', 'developer'), drop('messages[0].role')],
  'message.last': (r) => void r.messages.pop(),
  'content.empty': [set('messages[6].content', []), drop('messages[6].content'), drop('messages[0].content')],
  'content.shape': [
    set('messages[6].content', {}),
    set('messages[6].content', ['hi']),
    (r) => void r.messages.splice(5, 0, { role: 'tool', content: 'Rain' }),
    set('messages[3].content[0].output.value', 7),
  ],
  'text.blank': [
    set('messages[6].content', ' '),
    set('system', ''),
    set('messages[2].content[1].text', ''),
    set('messages[3].content[0].output.value', '\u200b'),
  ],
  'part.type': [
    set('messages[6].content', [call('z')]),
    (r) => void r.messages[2].content.push({ type: 'image', image: 'https://example.com/a.png' }),
    (r) => void r.messages[4].content.push({ type: 'text', text: 'x' }),
  ],
  'part.source': [drop('messages[1].content[1].image'), drop('messages[1].content[2].mediaType')],
  'tool.id': [(r) => void r.messages[2].content.push(call('')), (r) => void r.messages[4].content.push(result(''))],
  'tool.id.repeated': (r) => {
    r.messages.push({ role: 'assistant', content: [call('a')] }, { role: 'tool', content: [result('a')] })
  },
  'tool.name': [set('messages[2].content[3].toolName', ''), drop('messages[3].content[0].toolName')],
  'tool.input': drop('messages[2].content[3].input'),
  'tool.output': [
    set('messages[3].content[0].output', 'Rain'),
    set('messages[3].content[0].output', { type: 'html', value: 'Rain' }),
    set('messages[3].content[0].output', { type: 'json' }),
    set('messages[3].content[0].output', { type: 'content', value: 'Rain' }),
    drop('messages[4].content[0].output.value[1].data'),
  ],
  'tool.result.missing': [(r) => void r.messages.splice(3, 1), set('messages[5].content', [call('c')])],
  'tool.result.orphan': [
    (r) => void r.messages[4].content.push(result('c')),
    (r) => void r.messages.splice(2, 0, { role: 'tool', content: [result('a')] }),
    set('messages[5].content', [result('b')]),
  ],
  'tool.result.repeated': [
    (r) => void r.messages[4].content.push(result('a')),
    (r) => void r.messages[2].content.push(result('s')),
  ],
  'tool.result.name': set('messages[3].content[0].toolName', 'tide'),
})

test('an approval stands for the result of its call, and may come with it', () => {
  const messages = [
    { role: 'user', content: 'Delete it' },
    { role: 'assistant', content: [call('a'), { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }] },
    { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'p', approved: true }] },
  ]
  expect(check('ai-sdk', { messages })).toEqual([])
  const denied = result('a', { type: 'execution-denied', reason: 'No' })
  expect(check('ai-sdk', [...messages, { role: 'tool', content: [denied] }])).toEqual([])
})

test('a bare list and a run that ends on tools are legal', () => {
  expect(check('ai-sdk', legal().messages)).toEqual([])
  expect(check('ai-sdk', legal().messages.slice(0, 5))).toEqual([])
})
