import { expect, test } from 'vitest'
import { check } from './check.js'
import { prove } from './proof.fixture.js'

const legal = `
💬 CONVERSATION HISTORY (Leading to This Task):

The orchestrator had the following conversation before creating this task.

[1] 👤 User (10:00:00):
    Fix the bug

    [3] 👤 User (10:00:00):

[2] 🤖 Assistant (unknown time) [TRUNCATED]:
    Looking ... (truncated)

📊 History metadata: 2 messages, 1 truncated (user messages kept concise)
`
const change = (from: string, to: string) => () => ({ prompt: legal.replace(from, to) })

prove('text-numbered', () => ({ prompt: legal }), {
  'request.shape': [() => null, () => ({}), () => ({ prompt: [] })],
  'text.blank': [() => '\n', () => ({ prompt: '' })],
  'history.count': [change('[2] 🤖', '[3] 🤖'), change('\n[1] 👤', '\n[2] 👤'), change('[2] 🤖', '[1] 🤖')],
  'history.indent': [change('    Looking', 'Looking'), change('\n    [3] 👤', '\n[3 👤'), change('    Fix', '   Fix')],
  'history.turn': [
    change('    Looking ... (truncated)', ''),
    change('    Fix the bug\n\n    [3] 👤 User (10:00:00):', ''),
  ],
})

test('a message alone, a bare section and a message after the footer are legal', () => {
  expect(check('text-numbered', 'Fix [1] and [3] please')).toEqual([])
  expect(check('text-numbered', '[1] User (10:00:00):\n    Hi\n')).toEqual([])
  expect(check('text-numbered', `${legal}\n${'='.repeat(80)}\n\n[9] User (x):\nnow`)).toEqual([])
})
