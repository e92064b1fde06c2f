/** A model that nobody knows: its server is asked how large its window is, and where it does not tell the receipt says so. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fields } from '../../src/config/schema.js'
import { openModels } from '../../src/models/registry.js'
import { type Provider, startProvider } from '../provider/server.js'
import { type Host, startService } from './host.js'

let provider: Provider
let host: Host

beforeAll(async () => {
  provider = await startProvider({ answer: { text: 'Yes.' }, models: ['zork', 'mute'], windows: { zork: 40_000 } })
  const baseUrl = `${provider.url}/v1`
  const models = await openModels({
    usual: 'lab/zork',
    providers: {
      compatible: [
        { name: 'lab', baseUrl },
        { name: 'own', baseUrl, models: ['zork', { name: 'mute', window: 9_000 }] },
      ],
      ollama: false,
      lmstudio: false,
    },
  })
  host = await startService({ models })
})
afterAll(async () => {
  await host.stop()
  await provider.close()
})

const receiptOf = async (model: string) => {
  const { body } = await host.call('POST', '/api/v1/conversations', { body: { title: model } })
  const at = `/api/v1/conversations/${body.id}`
  await host.call('POST', `${at}/runs`, { body: { message: 'Hello', model }, headers: { accept: 'text/event-stream' } })
  const { items } = (await host.call('GET', `${at}/receipts`)).body
  return (await host.call('GET', `/api/v1/receipts/${items[0].id}`)).body
}

test('has the window that its server tells, or the settings', async () => {
  for (const [model, window] of [
    ['lab/zork', 40_000],
    ['own/zork', 40_000],
    ['own/mute', 9_000],
  ] as const) {
    const { receipt } = await receiptOf(model)
    expect([receipt.model.window, receipt.model.source, receipt.warnings]).toEqual([window, 'catalog', []])
  }
})

test('is marked where its server does not tell, and 128,000 tokens are assumed', async () => {
  const { receipt, explanation } = await receiptOf('lab/mute')
  expect(receipt.model).toMatchObject({ window: 128_000, source: 'assumed' })
  expect(receipt.warnings).toMatchObject([{ code: 'model.window', value: 'lab/mute' }])
  expect(explanation).toContain('lab/mute (window assumed)')
})

test('has its window in the settings of a provider', () => {
  const models = ['zork', { name: 'mute', window: 9_000 }]
  expect(fields.providers.schema.safeParse({ lab: { url: 'http://127.0.0.1:1/v1', models } }).success).toBe(true)
  const wrong = [{ name: 'mute', window: 'wide' }]
  expect(fields.providers.schema.safeParse({ lab: { url: 'http://127.0.0.1:1/v1', models: wrong } }).success).toBe(
    false,
  )
})
