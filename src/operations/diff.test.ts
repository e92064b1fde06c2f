import { expect, test } from 'vitest'
import type { Receipt } from '../core/receipt/receipt.js'
import { assemble } from '../core/window/assemble.js'
import { diff } from './diff.js'

const turns = Array.from({ length: 40 }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `turn ${i}: ${'words '.repeat(60)}`,
}))

function receiptOf(messages: readonly unknown[], budget: number): Receipt {
  const made = assemble({ messages }, 'balanced', { budget })
  if (!made.ok) throw new Error(made.error.message)
  return made.receipt
}

test('a receipt does not differ from itself', () => {
  const receipt = receiptOf(turns, 2_000)
  expect(diff(receipt, receipt)).toEqual({ same: true, facts: [], messages: [] })
})

test('what a smaller budget leaves out is told as runs of messages, and nothing else is', () => {
  const [wide, narrow] = [receiptOf(turns, 20_000), receiptOf(turns, 2_000)]
  const { same, facts, messages } = diff(wide, narrow)
  expect(same).toBe(false)
  expect(facts).toContainEqual({ field: 'budget', before: wide.budget.tokens, after: narrow.budget.tokens })
  const changed = messages.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  expect(changed).toBeGreaterThanOrEqual(narrow.totals.dropped)
  for (const { before, after } of messages) expect(before).not.toEqual(after)
})

test('messages that only one window knew have no fate in the other', () => {
  const { messages } = diff(receiptOf(turns.slice(0, 4), 20_000), receiptOf(turns.slice(0, 6), 20_000))
  expect(messages).toEqual([{ from: 4, to: 5, before: null, after: { fate: 'kept', rule: expect.any(String) } }])
})
