/** What a provider counts corrects what we count, all the way: chat, usage, window, receipt. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openModels } from '../../src/models/registry.js'
import { type Provider, startProvider } from '../provider/server.js'
import { type Host, startService } from './host.js'

/** Its tokenizer makes more tokens of a text than the table that is nearest to it. */
const counted = (body: string): number => Math.ceil(body.length / 2.5)

let provider: Provider
let host: Host

beforeAll(async () => {
  provider = await startProvider({
    answer: ({ text }) => ({ text: 'Yes.', usage: { input: counted(text), output: 2 } }),
  })
  const models = await openModels({
    usual: 'anthropic/claude-sonnet-4-5',
    providers: { anthropic: { apiKey: 'key', baseUrl: `${provider.url}/v1` }, ollama: false, lmstudio: false },
  })
  host = await startService({ models })
})
afterAll(async () => {
  await host.stop()
  await provider.close()
})

let conversations = 0

/** One chat over HTTP, in a conversation of its own: how its window was counted, and by the provider. */
async function chat(model: string, policy = 'balanced'): Promise<{ counter: string; used: number; told: number }> {
  const session_id = `counted-${++conversations}`
  const message = 'The harbour was quiet when we came, and the boats lay in rows along the old wall. '.repeat(90)
  const answered = await host.call('POST', '/chat', { body: { message, session_id, model, policy } })
  expect(answered.status, answered.text).toBe(200)
  const sent = provider.requests.at(-1)?.text ?? ''
  const { items } = (await host.call('GET', `/api/v1/conversations/${session_id}/receipts`)).body
  const { receipt } = (await host.call('GET', `/api/v1/receipts/${items[0].id}`)).body
  return { counter: receipt.counter.name, used: receipt.request.used, told: counted(sent) }
}

test('after three answers a window is counted as its provider counts, and those of another model are not', async () => {
  const model = 'anthropic/claude-sonnet-4-5'
  // a specification counts characters in its own way, which says nothing of the family
  for (let n = 0; n < 3; n++) expect((await chat(model, 'session-window')).counter).toBe('chars/4')
  const before = [await chat(model), await chat(model), await chat(model)]
  for (const { counter, used, told } of before) {
    expect(counter).toBe(before[0]?.counter)
    expect(used).toBeLessThan(0.8 * told)
  }
  const after = await chat(model)
  expect(after.counter).not.toBe(before[0]?.counter)
  // not below what the provider counts, and no more above it than a step
  expect(after.used).toBeGreaterThanOrEqual(after.told)
  expect(after.used).toBeLessThan(1.06 * after.told)
  expect((await chat('anthropic/claude-haiku-4-5')).counter).toBe(before[0]?.counter)
})
