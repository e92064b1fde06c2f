import { expect, test } from 'vitest'
import { assemble, explain } from '../../index.js'
import type { PresetName } from '../policy/presets/index.js'

const talk = Array.from({ length: 200 }, (_, n) => ({
  role: n % 2 === 0 ? 'user' : 'assistant',
  content: `Message ${n}: ${'so and so '.repeat(8)}`,
}))

const stepOf = (count: number, policy: PresetName = 'balanced') => {
  const made = assemble({ messages: talk.slice(0, count), current: 'And now?' }, policy, { budget: 1_500 })
  if (!made.ok) throw new Error(made.error.message)
  return { ...made.receipt, said: explain(made.receipt) }
}

test('the receipt says what the next step of the cut saves and costs', () => {
  const { room, budget, said } = stepOf(160)
  expect(room?.next?.saves).toBeGreaterThan(100)
  expect((room?.next?.saves ?? 0) + (room?.next?.costs ?? 0)).toBeLessThanOrEqual(budget.tokens ?? 0)
  expect(room?.next?.after).toBeLessThan(room?.next?.saves ?? 0)
  expect(said).toContain('The next step frees about')
})

test('the step that comes is about as large as the receipt before it said', () => {
  const used = Array.from({ length: 20 }, (_, at) => stepOf(140 + 2 * at))
  const falls = used.flatMap((now, at) => {
    const before = used[at - 1]
    return before && now.budget.used < before.budget.used - 100
      ? [{ before, fall: before.budget.used - now.budget.used }]
      : []
  })
  expect(falls.length).toBeGreaterThan(0)
  for (const { before, fall } of falls) {
    expect(fall).toBeLessThan((before.room?.next?.saves ?? 0) * 1.5)
    expect(fall).toBeGreaterThan((before.room?.next?.saves ?? 0) * 0.3)
  }
})

test('nothing is said where everything fits, and where the cut does not move in steps', () => {
  expect(stepOf(4).room).toBeUndefined()
  expect(stepOf(160, 'session-window').room).toBeUndefined()
})
