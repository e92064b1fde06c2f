/** Conversations of real clients that go on: cut, summarised, and handed from model to model, before a provider that refuses. */
import { afterEach, describe, expect, test } from 'vitest'
import { presets } from '../../src/core/policy/presets/index.js'
import { openModels } from '../../src/models/registry.js'
import { png } from '../../src/testing/torture/pictures.js'
import { type Host, startService } from '../http/host.js'
import { type StrictProvider, startStrictProvider } from '../provider/strict.js'
import {
  aiSdkTalker,
  anthropicTalker,
  chatTalker,
  googleTalker,
  responsesTalker,
  type Talker,
  useChatTalker,
} from './talkers.fixture.js'

let host: Host
let provider: StrictProvider
afterEach(async () => {
  await host?.stop()
  await provider?.close()
})

interface Options {
  /** Tokens that the provider takes. */
  readonly window?: number
  /** Tokens of the windows that the service makes. */
  readonly budget?: number
}

async function open({ window, budget }: Options = {}): Promise<string> {
  provider = await startStrictProvider(window === undefined ? {} : { window })
  const url = provider.url
  const models = await openModels({
    retry: { attempts: 1 },
    silenceMs: 20_000,
    usual: 'anthropic/claude-opus-5-5',
    providers: {
      anthropic: { apiKey: 'key-a', baseUrl: `${url}/v1` },
      openai: { apiKey: 'key-o', baseUrl: `${url}/v1`, api: 'responses' },
      google: { apiKey: 'key-g', baseUrl: `${url}/v1beta` },
      ollama: false,
      lmstudio: false,
    },
  })
  const { balanced } = presets
  const policy = budget === undefined ? balanced : { ...balanced, fit: { ...balanced.fit, tokens: budget } }
  host = await startService({ store: 'sqlite', models, policy })
  return host.url
}

const claudes = ['claude-opus-5-5', 'claude-opus-4-8', 'claude-sonnet-4-5', 'claude-opus-5-5']
const geminis = ['gemini-3-pro', 'gemini-2.5-pro', 'gemini-3-pro', 'gemini-3-flash']
const gpts = ['gpt-5.5', 'gpt-5.4', 'gpt-5.5', 'gpt-5']
const families = ['claude-opus-5-5', 'gpt-5.5', 'gemini-3-pro', 'claude-opus-5-5', 'gemini-3-pro', 'gpt-5.5']

/** Every turn with another number of calls, every third with a picture. */
async function talk(talker: Talker, models: readonly string[], turns = 8, first = 0): Promise<void> {
  for (let turn = first; turn < first + turns; turn++) {
    const model = models[turn % models.length] as string
    const words = `Question ${turn}: ${'what is to be seen there? '.repeat(8)} [look ${turn % 3}]`
    const answer = await talker.say(model, words, turn % 3 === 0 ? png(600, 400) : undefined)
    expect(answer).toMatch(/^Answer \d+\./)
  }
}

describe.each([
  ['@anthropic-ai/sdk', anthropicTalker, claudes],
  ['openai, Responses', responsesTalker, gpts],
  ['openai, Chat', chatTalker, gpts],
  ['@google/genai', googleTalker, geminis],
  ['ai', aiSdkTalker, claudes],
] as const)('%s, which holds its own history', (name, talkerOf, family) => {
  test('goes on with one model', async () => {
    const url = await open()
    await talk(talkerOf(url), family.slice(0, 1))
    expect(provider.refused).toEqual([])
    if (name !== 'openai, Chat') expect(provider.replayed()).toBeGreaterThan(0)
  })

  test('goes on after the provider found it too long', async () => {
    const url = await open({ window: 4_500 })
    await talk(talkerOf(url), family.slice(0, 1), 10)
    expect(provider.refused).toEqual([])
    expect(provider.overflows()).toBeGreaterThan(0)
  })

  test('goes on with another model of the family', async () => {
    const url = await open()
    await talk(talkerOf(url), family)
    expect(provider.refused).toEqual([])
  })

  test('goes on with models of other families, and comes back', async () => {
    const url = await open({ budget: 11_000 })
    await talk(talkerOf(url), families, 12)
    expect(provider.refused).toEqual([])
  })
})

describe.each([
  [
    'openai, Responses',
    async (url: string): Promise<readonly [Talker, string]> => {
      const { body } = await host.call('POST', '/v1/conversations', { body: {} })
      return [responsesTalker(url, { conversation: body.id }), body.id]
    },
  ],
  ['useChat', async (url: string): Promise<readonly [Talker, string]> => [useChatTalker(url, 'chat-1'), 'chat-1']],
] as const)('%s, whose history the service holds', (_, talkerOf) => {
  test.each([
    ['one model', ['claude-opus-5-5']],
    ['models of one family', claudes],
    ['models of another', geminis],
    ['models of a third', gpts],
    ['models of all families, and back', families],
  ] as const)('goes on with %s after it was cut', async (_models, models) => {
    const url = await open({ budget: 11_000 })
    const [talker] = await talkerOf(url)
    await talk(talker, models.map(fullName), 10)
    expect(provider.refused).toEqual([])
    expect(provider.replayed()).toBeGreaterThan(0)
  })

  test('goes on after it was summarised', async () => {
    const url = await open({ budget: 11_000 })
    const [talker, id] = await talkerOf(url)
    await talk(talker, families.map(fullName), 6)
    const { status, body } = await host.call('POST', `/api/v1/conversations/${id}/compact`, { body: { budget: 6_000 } })
    expect([status, body.message_id]).toEqual([200, expect.any(String)])
    await talk(talker, families.map(fullName), 8, 6)
    expect(provider.refused).toEqual([])
  })
})

test.each([
  ['one model', ['claude-opus-5-5']],
  ['models of one family', claudes],
  ['models of all families, and back', families],
] as const)('openai, Responses, goes on with %s after what it holds was compacted', async (_, models) => {
  const talker = responsesTalker(await open())
  await talk(talker, models, 8)
  await talker.compact('claude-opus-5-5')
  await talk(talker, models, 6, 8)
  expect(provider.refused).toEqual([])
})

const fullName = (model: string): string =>
  /claude/.test(model) ? `anthropic/${model}` : /gemini/.test(model) ? `google/${model}` : `openai/${model}`

test('the provider tells a client what is wrong in its own words, when nobody mends it', async () => {
  const url = await open()
  const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
  const messages = [
    { role: 'user', content: 'Look.' },
    { role: 'assistant', content: [call] },
    { role: 'user', content: 'Well?' },
  ]
  const body = { model: 'claude-opus-4-8', max_tokens: 100, messages }
  const { status, text } = await host.call('POST', '/v1/messages', { body })
  expect(url).toBe(host.url)
  expect(status).toBe(400)
  expect(text).toContain('tool_use')
  expect(provider.refused).toHaveLength(1)
})
