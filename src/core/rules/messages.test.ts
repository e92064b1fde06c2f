import { expect, test } from 'vitest'
import { check } from './check.js'
import { drop, type Loose, prove, set } from './proof.fixture.js'

const legal = (): Loose => ({
  system: 'Be brief.',
  messages: [
    { role: 'system', content: '[Earlier messages truncated]' },
    { role: 'user', content: 'Hello 👋' },
    { role: 'assistant', content: 'Hi' },
  ],
})

prove('messages', legal, {
  'request.shape': [() => null, () => ({}), () => 'text', () => ({ messages: {} })],
  'system.shape': set('system', []),
  'messages.empty': [() => ({ messages: [] }), () => []],
  'message.shape': (r) => void r.messages.push('hi'),
  'message.role': [set('messages[1].role', 'tool'), drop('messages[1].role')],
  'content.shape': [set('messages[1].content', ['hi']), drop('messages[1].content')],
  'text.blank': [set('messages[1].content', '\u200b \n'), set('system', ' ')],
})

test('a bare list is legal', () => {
  expect(check('messages', legal().messages)).toEqual([])
})
