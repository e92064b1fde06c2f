import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Receipt } from '../../src/core/receipt/receipt.js'
import { findModel } from '../../src/core/tokens/models.js'
import type { Model, Models } from '../../src/models/wire/contract.js'
import { assembleWindow } from '../../src/operations/windows.js'
import type { StoredReceipt } from '../../src/store/contract/keeping.js'
import { contextFor } from './context.fixture.js'

const said = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  content: fc.string({ minLength: 1, maxLength: 40 }).chain((word) => fc.nat(60).map((n) => `${word} `.repeat(n + 1))),
})

const settings = fc.record(
  {
    model: fc.constantFrom('test/small', 'test/large'),
    policy: fc.constantFrom('balanced', 'session-window', 'agent-turns'),
    system: fc.string({ minLength: 1, maxLength: 80 }),
    recall: fc.constantFrom('conversation', 'memories', 'workspace'),
    budget: fc.integer({ min: 1_500, max: 20_000 }),
  },
  { requiredKeys: [] },
)

test('what a preview shows is what a run sends, byte for byte, whatever the conversation and the request say', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(said, { maxLength: 24 }), settings, settings, async (messages, kept, asked) => {
      const context = contextFor({ models })
      const { store, runs, workspace } = context
      await store.create(workspace, { id: 'c', at: context.env.now(), meta: kept })
      if (messages.length > 0) {
        const history = await context.open('c')
        await history.append(messages)
      }
      const current = 'And what was the name of the hotel again?'
      const shown = await assembleWindow
        .run(context, { conversation_id: 'c', branch: 'main', current, ...asked } as never)
        .catch((error: Error) => error)
      const { ended } = await runs.start({ workspace, conversation: 'c', message: current, ...asked } as never)
      const run = await ended
      if (shown instanceof Error) return expect(run.state).toBe('failed')
      const receipt = await store.getReceipt(workspace, run.receipt ?? '')
      expect(receiptIn(receipt).wire).toEqual(shown.receipt.wire)
    }),
    { numRuns: 200 },
  )
})

test('a preview for a model of 2,000 tokens keeps what its run keeps, and not everything', async () => {
  const context = contextFor({ models })
  const { store, runs, workspace } = context
  await store.create(workspace, { id: 'c', at: context.env.now(), meta: { model: 'test/small' } })
  const history = await context.open('c')
  await history.append(
    Array.from({ length: 60 }, (_, at) => ({
      role: at % 2 ? 'assistant' : 'user',
      content: `${at} ${'words '.repeat(1_000)}`,
    })),
  )
  const shown = await assembleWindow.run(context, { conversation_id: 'c', branch: 'main', current: 'And now?' })
  const run = await (await runs.start({ workspace, conversation: 'c', message: 'And now?' })).ended
  const receipt = await store.getReceipt(workspace, run.receipt ?? '')
  expect(shown.receipt.budget).toEqual(receiptIn(receipt).budget)
  expect(shown.receipt.totals.kept).toBeLessThan(30)
})

const receiptIn = (stored: StoredReceipt | null): Receipt =>
  (stored?.body as { receipt: Receipt } | undefined)?.receipt ?? ({} as Receipt)

const model = (id: string, window: number): Model => ({
  id,
  label: id,
  kind: 'local',
  facts: { ...findModel('gpt-4o'), id, window, output: Math.floor(window / 4) },
  target: 'openai-chat',
  async *stream() {
    yield { type: 'text', text: 'Yes.' }
    yield { type: 'finish', reason: 'stop', usage: { input: 10, output: 5 } }
  },
})

const known = [model('test/large', 128_000), model('test/small', 2_000)]

const models: Models = {
  usual: 'test/large',
  list: async () => [],
  find: async (id = 'test/large') => known.find((one) => one.id === id) as Model,
}
