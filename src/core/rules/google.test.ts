import { expect, test } from 'vitest'
import { png } from '../../testing/torture/pictures.js'
import { check } from './check.js'
import { drop, type Loose, prove, set } from './proof.fixture.js'

const call = (name: string, id?: string): Loose => ({
  functionCall: { name, args: { city: 'Oslo' }, ...(id && { id }) },
})
const response = (name: string, id?: string): Loose => ({
  functionResponse: { name, response: { result: 'Rain' }, ...(id && { id }) },
})

const legal = (): Loose => ({
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  tools: [{ functionDeclarations: [{ name: 'weather' }, { name: 'tide' }] }, { googleSearch: {} }],
  contents: [
    {
      role: 'user',
      parts: [
        { text: 'Weather in both?' },
        {
          inlineData: {
            mimeType: 'image/png',
            data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          },
        },
        { fileData: { mimeType: 'image/png', fileUri: 'https://example.com/a.png' } },
      ],
    },
    {
      role: 'model',
      parts: [
        { text: 'Two calls.', thought: true },
        { ...call('weather', '1'), thoughtSignature: 'c2ln' },
        call('weather', '2'),
        call('tide'),
      ],
    },
    { role: 'user', parts: [response('tide'), response('weather', '2'), response('weather', '1')] },
    { role: 'model', parts: [{ text: '', thoughtSignature: 'c2ln' }, { text: 'Rain.' }] },
    { role: 'user', parts: [{ text: 'Thanks 👋' }] },
  ],
})

prove('google', legal, {
  'request.shape': [() => null, () => ({}), () => 'text'],
  'system.shape': [
    set('systemInstruction', 'Be brief.'),
    set('systemInstruction.parts', []),
    set('systemInstruction.parts', [{ inlineData: {} }]),
  ],
  'messages.empty': [() => ({ contents: [] }), () => []],
  'message.shape': (r) => void r.contents.push('hi'),
  'message.role': [set('contents[4].role', 'function'), set('contents[4].role', 'assistant')],
  'message.first': (r) => void r.contents.unshift({ role: 'model', parts: [{ text: 'Hello' }] }),
  'message.order': (r) => void r.contents.push({ role: 'user', parts: [{ text: 'Still there?' }] }),
  'message.last': (r) => void r.contents.pop(),
  'content.empty': [set('contents[4].parts', []), drop('contents[4].parts')],
  'content.shape': [
    set('contents[4].parts', 'hi'),
    set('contents[4].parts', ['hi']),
    set('contents[4].parts', [{ text: 7 }]),
  ],
  'text.blank': [
    set('contents[4].parts', [{ text: '' }]),
    set('contents[3].parts[1].text', ' \u200b'),
    set('systemInstruction.parts[0].text', '\n'),
  ],
  'model.blank': set('contents[3].parts[1].text', ''),
  'part.type': [
    set('contents[4].parts', [{}]),
    set('contents[4].parts', [call('weather')]),
    set('contents[3].parts', [response('weather')]),
    set('contents[4].parts[0].inlineData', {
      mimeType: 'image/png',
      data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    }),
  ],
  'part.source': [
    drop('contents[0].parts[1].inlineData.mimeType'),
    set('contents[0].parts[1].inlineData.data', ''),
    drop('contents[0].parts[2].fileData.fileUri'),
  ],
  'image.type': [
    set('contents[0].parts[1].inlineData.mimeType', 'image/jpeg'),
    set('contents[0].parts[1].inlineData.data', 'AAAA'),
  ],
  'image.bytes': set('contents[0].parts[1].inlineData.data', `${png()}${'A'.repeat(9_786_708)}`),
  'image.many': (r) => {
    for (let i = 0; i < 3_000; i++) r.contents[0].parts.push(r.contents[0].parts[1])
  },
  'thought.signature': set('contents[1].parts[1].thoughtSignature', ''),
  'tool.id': set('contents[1].parts[3].functionCall.id', ''),
  'tool.id.repeated': (r) => {
    r.contents[3].parts = [{ ...call('weather', '1'), thoughtSignature: 'c2ln' }]
    r.contents[4].parts = [response('weather', '1')]
  },
  'tool.name': [
    set('contents[3].parts', [call('1weather')]),
    set('contents[3].parts', [call('x'.repeat(65))]),
    set('contents[3].parts', [{ functionCall: null }]),
  ],
  'tool.input': set('contents[1].parts[1].functionCall.args', '{}'),
  'tool.output': [
    set('contents[2].parts[0].functionResponse.response', 'Rain'),
    drop('contents[2].parts[0].functionResponse.response'),
  ],
  'tool.result.missing': [
    (r) => void r.contents[2].parts.pop(),
    (r) => void r.contents[2].parts.shift(),
    set('contents[3].parts', [call('weather')]),
  ],
  'tool.result.orphan': [
    (r) => void r.contents[2].parts.push(response('weather')),
    (r) => void r.contents[2].parts.push(response('weather', '9')),
    (r) => void r.contents[4].parts.push(response('weather')),
  ],
  'tools.shape': [
    set('tools', {}),
    set('tools', ['weather']),
    set('tools[0].functionDeclarations[0].name', 'a b'),
    set('tools[0].functionDeclarations[0].name', 'tide'),
  ],
})

test('a response under another name breaks both halves', () => {
  const request = legal()
  request.contents[2].parts[0].functionResponse.name = 'moon'
  expect(check('google', request).map(({ rule }) => rule)).toEqual(['tool.result.orphan', 'tool.result.missing'])
})

test('a bare list and a run that ends on responses are legal', () => {
  expect(check('google', legal().contents)).toEqual([])
  expect(check('google', { contents: legal().contents.slice(0, 3) })).toEqual([])
})

test('responses without an id take the calls that no id claims', () => {
  const contents = legal().contents.slice(0, 3)
  contents[2].parts = [response('weather'), response('tide', '7'), response('weather', '2')]
  expect(check('google', { contents })).toEqual([])
})
