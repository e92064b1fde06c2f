import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../test/runs.js'
import { HistoryError } from '../../core/message/issue.js'
import { check } from '../../core/rules/check.js'
import { openHistory } from '../../engine/history.js'
import { memoryStore } from '../../store/memory/store.js'
import { windowMiddleware } from './middleware.js'
import { prepareStep } from './prepare-step.js'
import { type ModelMessage, windowOf } from './window.js'

const words = fc.string({ minLength: 1, maxLength: 60 }).map((text) => `${text.replaceAll('\0', '')} word`)
const extra = fc.constantFrom({}, { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } })

/** A turn: what was asked, perhaps tools with their results, and what was said. */
const turn = fc.record({ asked: words, said: words, beside: extra, calls: fc.array(words, { maxLength: 3 }) })

const history = fc.array(turn, { minLength: 1, maxLength: 12 }).map((turns) =>
  turns.flatMap(({ asked, said, beside, calls }, i): ModelMessage[] => {
    const ids = calls.map((_, k) => `call_${i}_${k}`)
    const made = ids.map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'look', input: { at: i } }))
    const results = ids.map((toolCallId, k) => ({
      type: 'tool-result',
      toolCallId,
      toolName: 'look',
      output: { type: 'text', value: calls[k] },
    }))
    const looked: ModelMessage[] =
      made.length === 0
        ? []
        : [
            { role: 'assistant', content: [{ type: 'text', text: 'Looking.', ...beside }, ...made] },
            { role: 'tool', content: results },
          ]
    return [
      { role: 'user', content: [{ type: 'text', text: asked }], ...beside },
      ...looked,
      { role: 'assistant', content: [{ type: 'text', text: said }] },
    ]
  }),
)

const current: ModelMessage = { role: 'user', content: [{ type: 'text', text: 'And now?' }] }

describe('a window of model messages', () => {
  test('is legal, holds the question, and keeps what it keeps as it came', () => {
    fc.assert(
      fc.property(history, fc.integer({ min: 300, max: 2_000 }), (said, budget) => {
        const messages = [{ role: 'system', content: 'Be brief.' }, ...said, current]
        const before = structuredClone(messages)
        const made = windowOf(messages, { budget, overrides: { fit: { floor: 0 } } })
        expect(messages).toEqual(before)
        expect(check('ai-sdk', made.messages)).toEqual([])
        expect(made.messages[0]).toBe(messages[0])
        expect(made.messages.at(-1)).toBe(current)
        const known = new Set<unknown>(messages)
        const { kept, messages: all } = made.receipt.totals
        const same = made.messages.filter((message) => known.has(message)).length
        // those counted as kept, the system prompt and the question
        expect(same).toBeGreaterThanOrEqual(kept)
        if (kept === all) expect(made.messages).toEqual(messages)
      }),
      { numRuns: runs },
    )
  })

  test('says what became of each message', () => {
    const said = Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${i} ${'word '.repeat(50)}`,
    }))
    const receipts: unknown[] = []
    const made = windowOf([...said, current], { budget: 1_500, onReceipt: (receipt) => receipts.push(receipt) })
    expect(made.receipt.totals.dropped).toBeGreaterThan(0)
    expect(made.receipt.budget.used).toBeLessThanOrEqual(1_500)
    expect(receipts).toEqual([made.receipt])
  })

  test('is refused with its reason where none can be made', () => {
    expect(() => windowOf([current], { policy: 'no such policy' as 'balanced' })).toThrow(HistoryError)
    expect(() => windowOf([{ role: 'user', content: 'word '.repeat(9_000) }], { budget: 50 })).toThrow(HistoryError)
    expect(() => windowOf([])).toThrow(HistoryError)
  })
})

describe('what goes out beside the messages', () => {
  const said = Array.from({ length: 60 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${i} ${'word '.repeat(60)}`,
  }))
  const messages = [...said, current]
  const big = 'An instruction. '.repeat(200)
  const options = { overrides: { fit: { tokens: 3_000, reserve: { system: 0, tools: 0, response: 0 }, step: 0 } } }

  test('is counted by the middleware: tools and the tokens of the answer', async () => {
    const { transformParams } = windowMiddleware(options)
    const kept = async (more: object) =>
      (await transformParams({ params: { prompt: messages, ...more } })).prompt.length
    const tools = [{ type: 'function', name: 'look', description: big, inputSchema: { type: 'object' } }]
    const few = await kept({ tools: [], maxOutputTokens: 10 })
    expect(await kept({ tools, maxOutputTokens: 10 })).toBeLessThan(few)
    expect(await kept({ tools: [], maxOutputTokens: 1_500 })).toBeLessThan(few)
  })

  test('is counted before each step: the instructions, in each of their forms, which stay out of the messages', async () => {
    const prepare = prepareStep(options)
    const plain = (await prepare({ messages })).messages
    for (const instructions of [big, { role: 'system', content: big }, [{ role: 'system', content: big }]]) {
      const made = (await prepare({ messages, instructions })).messages
      expect(made.length).toBeLessThan(plain.length)
      expect(JSON.stringify(made)).not.toContain('An instruction.')
    }
  })
})

describe('what does not fit is looked through, and a log may hold the rest (field report: neither recalled)', () => {
  const hotel = 'The hotel in Lisbon is called Casa Amarela.'
  const said = Array.from({ length: 60 }, (_, i) => ({
    role: i % 2 === 0 ? 'user' : 'assistant',
    content: i === 4 ? hotel : `Message ${i} ${'word '.repeat(60)}`,
  }))
  const asked = { role: 'user', content: 'What was the hotel in Lisbon called?' }

  test('the middleware and each step quote what the question needs, unless they are told not to', async () => {
    const { transformParams } = windowMiddleware({ budget: 2_000 })
    const { prompt } = await transformParams({ params: { prompt: [...said, asked] } })
    expect(JSON.stringify(prompt)).toContain('Casa Amarela')
    expect(prompt.at(-1)).toBe(asked)
    const step = await prepareStep({ budget: 2_000 })({ messages: [...said, asked] })
    expect(JSON.stringify(step.messages)).toContain('Casa Amarela')
    const off = await prepareStep({ budget: 2_000, recall: false })({ messages: [...said, asked] })
    expect(JSON.stringify(off.messages)).not.toContain('Casa Amarela')
  })

  test('with a history a call may bring the newest message alone; the log takes what is new and keeps each receipt', async () => {
    const store = memoryStore()
    const history = await openHistory({ store, conversation: 'c', system: 'Be brief.' })
    await history.append(said)
    const { transformParams } = windowMiddleware({ history, budget: 2_000 })
    const { prompt } = await transformParams({ params: { prompt: [asked], tools: [], maxOutputTokens: 100 } })
    expect(prompt[0]).toEqual({ role: 'system', content: 'Be brief.' })
    expect(JSON.stringify(prompt)).toContain('Casa Amarela')
    expect(check('ai-sdk', prompt.slice(1))).toEqual([])
    expect(await history.path()).toHaveLength(61)

    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Casa Amarela.' }] }
    const all = [{ role: 'system', content: 'Be kind.' }, ...said, asked, answer, current]
    const second = await prepareStep({ history, budget: 2_000 })({ messages: all })
    expect(second.messages[0]).toBe(all[0])
    expect(await history.path()).toHaveLength(63)
    expect((await history.branches()).map(({ name }) => name)).toEqual(['main'])
    const kept = await store.receipts('default', 'c', { limit: 10 })
    expect(kept.items).toHaveLength(2)
  })
})
