import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deadAddress, type Provider, startProvider } from '../../../test/provider/server.js'
import { drain, requestFor, wordsOf } from '../models.fixture.js'
import type { ModelsConfig } from '../wire/config.js'
import type { Model } from '../wire/contract.js'
import { openConnections } from './connections.js'

const key = 'sk-ant-api03-the-whole-secret-7f3Q'
let provider: Provider
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'throughline-connect-'))
  provider = await startProvider({ key, models: ['claude-haiku-4-5', 'claude-sonnet-4-5', 'text-embedding-3'] })
})
afterEach(async () => {
  await provider.close()
  await rm(folder, { recursive: true, force: true })
})

const config = (more: ModelsConfig['providers'] = {}): ModelsConfig => ({
  retry: { attempts: 1 },
  providers: {
    anthropic: { baseUrl: `${provider.url}/v1` },
    google: { baseUrl: `${provider.url}/v1beta` },
    ollama: false,
    lmstudio: false,
    ...more,
  },
})
const asked = (model: Model) => drain(model.stream(requestFor(model)))
const file = () => join(folder, 'deep', 'connections.json')
const open = (more?: ModelsConfig['providers']) => openConnections({ config: config(more), file: file() })

describe('connections', () => {
  test('a key is tested, kept in a file of mode 0600, and answers at once and after a restart', async () => {
    const { models, connections } = await open()
    expect(models.usual).toBe('builtin/extractive')
    const tested = await connections.test({ pasted: key })
    expect(tested).toMatchObject({ id: 'anthropic', label: 'Anthropic', best: 'anthropic/claude-sonnet-4-5' })
    expect(tested.offers.map(({ name }) => name)).toEqual(['claude-sonnet-4-5', 'claude-haiku-4-5'])
    expect(await connections.list()).toEqual([])
    expect(models.usual).toBe('builtin/extractive')

    const made = await connections.add({ pasted: key })
    expect(made).toMatchObject({ id: 'anthropic', ending: '7f3Q', from: 'app', models: 2, refusedAt: null })
    await connections.use('anthropic/claude-haiku-4-5')
    expect(models.usual).toBe('anthropic/claude-haiku-4-5')
    expect((await stat(file())).mode & 0o777).toBe(0o600)
    for (const one of [models, (await open()).models])
      expect(wordsOf((await asked(await one.find())).events)).toBe('Hello.')
    expect(provider.requests.every(({ headers }) => headers['x-api-key'] === key)).toBe(true)
  })

  test('a file that others could read becomes private with the next change', async () => {
    await rm(folder, { recursive: true, force: true })
    const { connections } = await open()
    await connections.add({ pasted: key })
    await chmod(file(), 0o644)
    await connections.use('anthropic/claude-sonnet-4-5')
    expect((await stat(file())).mode & 0o777).toBe(0o600)
  })

  test('a refused key is not kept, and nothing that is told holds it', async () => {
    const { connections } = await open()
    const wrong = 'sk-ant-api03-a-wrong-secret-0000'
    const error = await connections.add({ pasted: wrong }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(error).toMatchObject({ code: 'unauthorized', message: 'Anthropic does not accept the key (HTTP 401)' })
    expect(await connections.list()).toEqual([])
    await connections.add({ pasted: key })
    const told = JSON.stringify([await connections.list(), await connections.offers('anthropic')])
    expect(told).not.toContain('the-whole-secret')
    expect(told).toContain('7f3Q')
  })

  test("Google's way to refuse a key is one, too", async () => {
    provider.set({ models: ['gemini-2.5-flash'], key: 'AIza-good-key' })
    const { connections } = await open()
    expect(await connections.test({ pasted: 'AIza-good-key' })).toMatchObject({ best: 'google/gemini-2.5-flash' })
    await expect(connections.test({ pasted: 'AIza-another' })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('an address is enough for a server without keys; the version is found', async () => {
    const server = await startProvider({ models: ['qwen3-8b'] })
    // the scripted server also speaks Ollama, which is looked for first
    const { models, connections } = await open()
    expect(await connections.test({ pasted: server.url })).toMatchObject({ id: 'ollama' })
    await connections.add({ pasted: server.url.replace('http://', '') })
    expect((await models.list()).map(({ id }) => id)).toContain('ollama/qwen3-8b')
    await server.close()
  })

  test('a server that wants a key says so, and takes it', async () => {
    const lab = await startProvider({ models: ['lab-1'], key: 'lab-secret-key' })
    const { models, connections } = await open()
    await expect(connections.test({ pasted: `${lab.url}/v1` })).rejects.toMatchObject({ code: 'unauthorized' })
    const made = await connections.add({ pasted: `${lab.url}/v1`, key: 'lab-secret-key' })
    expect(made).toMatchObject({ url: `${lab.url}/v1`, ending: '-key' })
    expect((await models.list()).map(({ id }) => id)).toContain(`${made.id}/lab-1`)
    await lab.close()
  })

  test('nobody at an address, no key at all, and a key of nobody are told apart', async () => {
    const { connections } = await open()
    await expect(connections.test({ pasted: deadAddress })).rejects.toMatchObject({ code: 'unreachable' })
    await expect(connections.test({ pasted: 'two words' })).rejects.toMatchObject({ code: 'refused', status: null })
    await expect(connections.test({ pasted: '0123456789abcdef' })).rejects.toThrow('whose key')
    expect(await connections.test({ pasted: key, provider: 'anthropic' })).toMatchObject({ id: 'anthropic' })
  })

  test('one that is removed answers no more, and the usual model is the one before', async () => {
    const { models, connections } = await open()
    await connections.add({ pasted: key })
    await connections.use('anthropic/claude-haiku-4-5')
    expect(await connections.remove('anthropic')).toBe(true)
    expect(await connections.remove('anthropic')).toBe(false)
    expect(models.usual).toBe('builtin/extractive')
    await expect(models.find('anthropic/claude-haiku-4-5')).rejects.toMatchObject({ code: 'unknown_model' })
    expect(await readFile(file(), 'utf8')).not.toContain(key)
  })

  test('a key that is refused later is told of until it works again', async () => {
    const { models, connections } = await open()
    await connections.add({ pasted: key })
    provider.set({ key: 'another' })
    const model = await models.find('anthropic/claude-haiku-4-5')
    expect((await asked(model)).error).toMatchObject({ code: 'unauthorized' })
    expect((await connections.list())[0]?.refusedAt).toMatch(/^\d{4}-/)
    provider.set({ key })
    expect((await asked(model)).error).toBeNull()
    expect((await connections.list())[0]?.refusedAt).toBeNull()
  })

  test('keys of the settings are shown, cannot be removed, and give way to one of the app', async () => {
    const { connections } = await open({ anthropic: { apiKey: 'sk-ant-from-settings-abcd', baseUrl: provider.url } })
    expect(await connections.list()).toMatchObject([{ id: 'anthropic', ending: 'abcd', from: 'settings' }])
    expect(await connections.remove('anthropic')).toBe(false)
  })

  test('servers of this machine are found by themselves', async () => {
    const server = await startProvider({ models: ['llama3.2'] })
    const { models, connections } = await open({ ollama: { baseUrl: server.url } })
    expect(await connections.local()).toEqual([{ id: 'ollama', label: 'Ollama', models: ['llama3.2'] }])
    await connections.use('ollama/llama3.2')
    expect(models.usual).toBe('ollama/llama3.2')
    await server.close()
  })

  test('a damaged file is named, and not a word of it', async () => {
    const { connections } = await open()
    await connections.add({ pasted: key })
    await writeFile(file(), `{"version":1,"key":"${key}"}`)
    const error = await open().then(
      () => null,
      (error: unknown) => error as Error,
    )
    expect(error?.message).toContain('connections.json is not a file of connections')
    expect(error?.message).not.toContain(key)
  })
})
