import { afterEach, describe, expect, test } from 'vitest'
import { deadAddress, type Provider, startProvider } from '../../test/provider/server.js'
import { drain, requestFor, wordsOf } from './models.fixture.js'
import { costOf, pricesAsOf } from './prices.js'
import { openModels } from './registry.js'
import { ModelError } from './wire/contract.js'
import { detectLmStudio, detectOllama } from './wire/detect.js'

const open: Provider[] = []
const start = async (...options: Parameters<typeof startProvider>): Promise<Provider> => {
  const provider = await startProvider(...options)
  open.push(provider)
  return provider
}
afterEach(async () => {
  for (const provider of open.splice(0)) await provider.close()
})

const none = { ollama: false, lmstudio: false } as const

describe('which model answers', () => {
  test('with nothing configured and nothing found it is the one that needs nothing', async () => {
    const models = await openModels({ providers: none })
    expect(models.usual).toBe('builtin/extractive')
    const model = await models.find()
    const { events } = await drain(model.stream(requestFor(model, {}, {})))
    expect(wordsOf(events)).toContain('no AI')
  })

  test('a configured one goes first, then one with a key, then one of this machine', async () => {
    const local = await start({ models: ['nomic-embed-text', 'llama3.2:3b'] })
    const ollama = { baseUrl: local.url }
    const anthropic = { apiKey: 'k' }
    const usualOf = async (config: Parameters<typeof openModels>[0]): Promise<string> =>
      (await openModels({ detectMs: 5_000, ...config })).usual
    expect(await usualOf({ usual: 'google/x', providers: { ...none, anthropic } })).toBe('google/x')
    expect(await usualOf({ providers: { ...none, anthropic, ollama } })).toBe('anthropic/claude-sonnet-4-5')
    expect(await usualOf({ providers: { ...none, ollama } })).toBe('ollama/llama3.2:3b')
    expect(await usualOf({ prefer: 'local', providers: { ...none, anthropic, ollama } })).toBe('ollama/llama3.2:3b')
    // who wants a local model gets none that costs, even when none is running
    expect(await usualOf({ prefer: 'local', providers: { ...none, anthropic } })).toBe('builtin/extractive')
  })

  test('a model that a local server only passes on is not taken for a local one', async () => {
    const local = await start({ models: ['gpt-oss:120b-cloud', 'qwen3:4b'] })
    const providers = { ...none, ollama: { baseUrl: local.url } }
    const models = await openModels({ detectMs: 5_000, prefer: 'local', providers })
    expect(models.usual).toBe('ollama/qwen3:4b')
    expect((await models.find('ollama/gpt-oss:120b-cloud')).kind).toBe('hosted')
    expect((await models.find()).label).toBe('qwen3:4b (Ollama on this machine)')
  })

  test('a local model that is not there is an error, and no hosted one takes its place', async () => {
    const hosted = await start()
    const anthropic = { apiKey: 'k', baseUrl: `${hosted.url}/v1` }
    const down = await openModels({ providers: { ...none, anthropic, ollama: { baseUrl: deadAddress } } })
    await expect(down.find('ollama/llama3.2')).rejects.toMatchObject({ code: 'unreachable' })
    const up = await start({ models: ['qwen3:4b'] })
    const other = await openModels({ detectMs: 5_000, providers: { ...none, anthropic, ollama: { baseUrl: up.url } } })
    await expect(other.find('ollama/llama3.2')).rejects.toMatchObject({
      code: 'unknown_model',
      message: expect.stringContaining('ollama/qwen3:4b'),
    })
    expect(hosted.requests).toHaveLength(0)
  })

  test('an unknown model is an error that names those there are', async () => {
    const models = await openModels({ providers: none })
    const error = await models.find('nobody/nothing').catch((caught: unknown) => caught)
    expect(ModelError.is(error)).toBe(true)
    expect(error).toMatchObject({ code: 'unknown_model', message: expect.stringContaining('builtin/extractive') })
    await expect(models.find('anthropic/claude-sonnet-4-5')).rejects.toThrow(/no key for anthropic/)
  })
})

describe('the list', () => {
  test('says what is ready, what it costs and what is missing', async () => {
    const models = await openModels({ providers: { ...none, openai: { apiKey: 'k' } } })
    const list = await models.list()
    expect(list.find(({ id }) => id === 'openai/gpt-5-mini')).toMatchObject({
      ready: true,
      kind: 'hosted',
      note: `$0.25 / $2 per million tokens (${pricesAsOf})`,
    })
    expect(list.find(({ id }) => id.startsWith('google/'))).toMatchObject({
      ready: false,
      note: 'there is no key for google',
    })
    expect(list.at(-1)).toMatchObject({ id: 'builtin/extractive', ready: true })
  })

  test('no key stands in it', async () => {
    const models = await openModels({ providers: { ...none, openai: { apiKey: 'sk-very-secret' } } })
    expect(JSON.stringify(await models.list())).not.toContain('sk-very-secret')
  })
})

describe('servers of this machine', () => {
  const look = { fetch: globalThis.fetch, timeoutMs: 5_000 }

  test('Ollama and LM Studio list their models, without those that only embed', async () => {
    const server = await start({ models: ['a:1b', 'text-embedding-nomic', 'b'] })
    expect(await detectOllama(server.url, look)).toEqual([{ name: 'a:1b' }, { name: 'b' }])
    expect(await detectLmStudio(`${server.url}/v1`, look)).toEqual([{ name: 'a:1b' }, { name: 'b' }])
  })

  test('LM Studio tells how much a model can read', async () => {
    const data = [
      { id: 'qwen/qwen3-8b', type: 'llm', max_context_length: 40_960, loaded_context_length: 8_192 },
      { id: 'other', type: 'llm', max_context_length: 4_096 },
      { id: 'e', type: 'embeddings' },
    ]
    const fetch: typeof globalThis.fetch = async () => Response.json({ data })
    expect(await detectLmStudio('http://127.0.0.1:1/v1', { fetch, timeoutMs: 100 })).toEqual([
      { name: 'qwen/qwen3-8b', window: 8_192 },
      { name: 'other', window: 4_096 },
    ])
    const models = await openModels({ fetch, providers: { ollama: false } })
    expect((await models.find('lmstudio/qwen/qwen3-8b')).facts).toMatchObject({ window: 8_192, source: 'catalog' })
  })

  test('one that does not answer in time is not there', async () => {
    expect(await detectOllama(deadAddress, { ...look, timeoutMs: 100 })).toBeNull()
    const mute: typeof globalThis.fetch = (_, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const began = performance.now()
    const models = await openModels({ fetch: mute, detectMs: 50 })
    expect(models.usual).toBe('builtin/extractive')
    expect(performance.now() - began).toBeLessThan(1_000)
  })

  test('LM Studio answers, and so does any compatible server', async () => {
    const server = await start({ models: ['tiny'], answer: { text: 'Here.', think: 'hm' } })
    const compatible = [
      { name: 'box', baseUrl: `${server.url}/v1`, apiKey: 'k', models: ['tiny', { name: 'big', window: 9_000 }] },
    ]
    const models = await openModels({
      detectMs: 5_000,
      providers: { ollama: false, lmstudio: { baseUrl: `${server.url}/v1` }, compatible },
    })
    for (const id of ['lmstudio/tiny', 'box/tiny']) {
      const model = await models.find(id)
      const { events, error } = await drain(model.stream(requestFor(model)))
      expect(error).toBeNull()
      expect(wordsOf(events)).toBe('Here.')
      expect(events.find((event) => event.type === 'thought')).toMatchObject({ part: { text: 'hm' } })
    }
    expect((await models.find('box/big')).facts.window).toBe(9_000)
    expect((await models.find('box/big')).kind).toBe('local')
    await expect(models.find('box/none')).rejects.toMatchObject({ code: 'unknown_model' })
  })
})

describe('prices', () => {
  const usage = { input: 1_000_000, output: 100_000, cached: 500_000 }

  test('are those of the table, and cached tokens cost less', () => {
    expect(costOf({ id: 'openai/gpt-5-mini', kind: 'hosted' }, usage)).toBeCloseTo(0.125 + 0.0125 + 0.2, 6)
    expect(costOf({ id: 'anthropic/claude-haiku-4-5-20251001', kind: 'hosted' }, usage)).toBeCloseTo(
      0.5 + 0.05 + 0.5,
      6,
    )
  })

  test('are not guessed', () => {
    expect(costOf({ id: 'openai/gpt-9', kind: 'hosted' }, usage)).toBeNull()
    expect(costOf({ id: 'openai/gpt-5-mini-extra', kind: 'hosted' }, usage)).toBeNull()
    expect(costOf({ id: 'google/gemini-2.5-pro', kind: 'hosted' }, usage)).toBeNull()
    expect(costOf({ id: 'ollama/llama3.2', kind: 'local' }, usage)).toBe(0)
  })
})
