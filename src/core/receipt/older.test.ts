import { expect, test } from 'vitest'
import { assemble } from '../window/assemble.js'
import { explain } from './explain.js'
import { upToDate } from './older.js'
import type { Receipt } from './receipt.js'

const messages = Array.from({ length: 60 }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `${i}: ${'a few words about the orders service '.repeat(8)}`,
}))

test('a receipt kept by an older version has the same messages and tokens, and can be explained', () => {
  const made = assemble({ messages, current: 'And now?' }, 'balanced', { model: 'gpt-4o', budget: 1_500 })
  if (!made.ok) throw new Error(made.error.message)
  const { request, ...older } = made.receipt
  expect(request.messages.sent).toBeLessThan(request.messages.of)
  const read = upToDate(older)
  expect(read.request.messages).toEqual(request.messages)
  expect(read.request).toMatchObject({ window: request.window, budget: request.budget })
  expect(Object.values(read.request.parts).reduce((sum, part) => sum + part, 0)).toBe(read.request.used)
  expect(explain(older as Receipt)).toContain(`${request.messages.sent} of ${request.messages.of} messages`)
})
