/** Models that the operator connects over HTTP: who may, what is told, and what is never told. */
import { afterEach, describe, expect, test } from 'vitest'
import { openConnections } from '../../src/models/connect/connections.js'
import { startProvider } from '../provider/server.js'
import { type HostOptions, startService } from './host.js'

const key = 'sk-ant-api03-the-whole-secret-7f3Q'
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(options: HostOptions = {}) {
  const provider = await startProvider({ key, models: ['claude-sonnet-4-5'], answer: { text: 'Good morning.' } })
  const providers = { anthropic: { baseUrl: `${provider.url}/v1` }, ollama: false, lmstudio: false } as const
  const connected = await openConnections({ config: { providers, retry: { attempts: 1 } }, file: null })
  const host = await startService({ ...connected, ...options })
  ends.push(
    () => provider.close(),
    () => host.stop(),
  )
  return { host, provider }
}

describe('connecting a model', () => {
  test('paste, test, connect, use: the next chat is answered by it', async () => {
    const { host } = await open()
    const tested = await host.call('POST', '/api/v1/connections/test', { body: { pasted: key } })
    expect(tested.body).toMatchObject({
      label: 'Anthropic',
      best: 'anthropic/claude-sonnet-4-5',
      models: [{ id: 'anthropic/claude-sonnet-4-5', window: 200_000, price: { input: 3, output: 15 } }],
    })
    expect((await host.call('POST', '/api/v1/connections', { body: { pasted: key } })).status).toBe(201)
    const model = tested.body.best
    expect((await host.call('PUT', '/api/v1/models/usual', { body: { model } })).body).toEqual({ usual: model })
    expect((await host.call('GET', '/api/v1/system')).body).toMatchObject({ model, ai: true })
    expect((await host.call('POST', '/chat', { body: { message: 'Hello' } })).text).toContain('Good morning.')
  })

  test('no answer and no line of the log holds the key', async () => {
    const { host, provider } = await open()
    const wrong = 'sk-ant-api03-another-secret-0000'
    const seen = [
      await host.call('POST', '/api/v1/connections/test', { body: { pasted: wrong } }),
      await host.call('POST', '/api/v1/connections', { body: { pasted: key } }),
      await host.call('GET', '/api/v1/connections'),
      await host.call('GET', '/api/v1/connections/anthropic/models'),
      await host.call('POST', '/api/v1/connections', { body: { pasted: key, key: 5 } }),
      await host.call('GET', '/api/v1/system'),
    ]
    provider.set({ key: 'changed' })
    seen.push(await host.call('GET', '/api/v1/connections/anthropic/models'))
    seen.push(await host.call('POST', '/chat', { body: { message: 'Hello', model: 'anthropic/claude-sonnet-4-5' } }))
    const told = JSON.stringify([seen.map(({ text }) => text), host.log])
    expect(told).not.toContain('secret')
    expect(seen[0]).toMatchObject({ status: 422 })
    expect(seen[0]?.text).toContain('Anthropic does not accept the key')
    expect(seen[2]?.body.items).toMatchObject([{ id: 'anthropic', ending: '7f3Q' }])
  })

  test('with keys only the operator may: an admin key of the first workspace', async () => {
    const { host } = await open({ auth: { mode: 'keys' }, rate: null })
    const statuses = await Promise.all(
      [
        await host.key('default', 'admin'),
        await host.key('default', 'write'),
        await host.key('acme', 'admin'),
        undefined,
      ].map(async (key) => (await host.call('GET', '/api/v1/connections', key === undefined ? {} : { key })).status),
    )
    expect(statuses).toEqual([200, 403, 403, 401])
  })

  test('a service that was given its models says that it connects none', async () => {
    const host = await startService()
    ends.push(() => host.stop())
    expect((await host.call('GET', '/api/v1/connections')).body).toMatchObject({ available: false, items: [] })
    const { status, text } = await host.call('POST', '/api/v1/connections', { body: { pasted: key } })
    expect(status).toBe(422)
    expect(text).toContain('was given its models by the program')
  })
})
