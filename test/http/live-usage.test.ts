import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { ModelError } from '../../src/models/wire/contract.js'
import { type Host, type HostOptions, startService } from './host.js'
import { failing, modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0).reverse()) await host.stop()
})

const open = async (options: HostOptions = {}): Promise<Host> => {
  const host = await startService({ store: 'sqlite', ...options })
  hosts.push(host)
  return host
}

describe('the figures of a workspace', () => {
  test('add up by day and by conversation, and set ratings against length [S1-F6] [S0-P6]', async () => {
    const days = ['2026-08-01', '2026-08-02']
    let day = days[0] as string
    const broken = failing(new ModelError('server_error', 'no'))
    const models = modelsOf(saying('It is blue.', 'test/blue'), { ...broken, id: 'test/broken' })
    const host = await open({ models, env: { now: () => `${day}T12:00:00.000Z` } })
    const say = (session_id: string, more: object = {}) =>
      host.call('POST', '/chat', { body: { message: 'What colour is it?', session_id, ...more } })
    const first = (await say('a')).body
    await say('a')
    await say('b')
    day = days[1] as string
    const last = (await say('a')).body
    expect((await say('a', { model: 'test/broken' })).status).toBe(502)
    for (const [answer, value] of [
      [first, 1],
      [last, -1],
    ] as const)
      await host.call('PUT', `/api/v1/conversations/a/messages/${answer.answer_id}/rating`, { body: { value } })

    const { body } = await host.call('GET', '/api/v1/usage?from=2026-07-31&to=2026-08-02')
    expect(body.totals).toMatchObject({
      runs: 5,
      done: 4,
      failures: 1,
      stopped: 0,
      tokens_input: 40,
      tokens_output: 20,
    })
    expect(body.totals.tokens_sent).toBeGreaterThan(0)
    expect(body.days.map((one: { day: string; runs: number }) => [one.day, one.runs])).toEqual([
      [days[0], 3],
      [days[1], 2],
    ])
    const byConversation = body.conversations.map((one: { conversation_id: string; runs: number }) => [
      one.conversation_id,
      one.runs,
    ])
    expect(byConversation).toEqual([
      ['a', 4],
      ['b', 1],
    ])
    expect(body.outcome).toEqual({
      ratings: 2,
      up: 1,
      down: 1,
      by_length: [
        { up_to: 2, ratings: 1, average: 1 },
        { up_to: 10, ratings: 1, average: -1 },
      ],
    })
    const one = (await host.call('GET', '/api/v1/usage?from=2026-08-02&to=2026-08-02&conversation_id=a')).body
    expect([one.totals.runs, one.days.length, one.conversations.length]).toEqual([2, 1, 1])
    const none = (await host.call('GET', '/api/v1/usage?from=2026-01-01&to=2026-01-31')).body
    expect([none.totals.runs, none.days, none.outcome.ratings]).toEqual([0, [], 0])
  })

  test('stay when the conversation goes: they are numbers, not words', async () => {
    const host = await open({ models: modelsOf(saying('x')) })
    await host.call('POST', '/chat', { body: { message: 'hi', session_id: 'a' } })
    await host.call('DELETE', '/api/v1/conversations/a')
    expect((await host.call('GET', '/api/v1/usage')).body.totals).toMatchObject({ runs: 1, done: 1 })
    expect((await host.call('GET', '/api/v1/usage?conversation_id=a')).status).toBe(404)
  })

  test.each(['from=yesterday', 'from=2026-08-02&to=2026-08-01', 'from=2020-01-01&to=2026-01-01', 'day=1'])(
    'are not told for %s',
    async (query) => {
      const host = await open()
      expect((await host.call('GET', `/api/v1/usage?${query}`)).status).toBe(400)
    },
  )

  test('are not told of a conversation that is not there', async () => {
    const host = await open()
    expect((await host.call('GET', '/api/v1/usage?conversation_id=none')).status).toBe(404)
  })
})

describe('the service about itself', () => {
  test('says that it is well in exactly these words [S3-14]', async () => {
    const host = await open()
    const { status, text } = await host.call('GET', '/health')
    expect([status, text]).toEqual([200, '{"status":"ok","service":"throughline"}'])
  })

  test('is ready only while its storage answers', async () => {
    const host = await open()
    expect((await host.call('GET', '/ready')).status).toBe(200)
    const broken = await open({
      store: { ...host.store, getRecord: () => Promise.reject(new Error('disk')) },
    })
    const refused = await broken.call('GET', '/ready')
    expect([refused.status, refused.body.code]).toEqual([503, 'unavailable'])
    expect((await broken.call('GET', '/health')).status).toBe(200)
  })

  test('tells its models, tokenizers and limits, and how to connect a model while there is none', async () => {
    const host = await open({ live: { version: '9.9.9', storage: 'sqlite' } })
    const { body } = await host.call('GET', '/api/v1/system')
    expect(body).toMatchObject({
      service: 'throughline',
      version: '9.9.9',
      storage: 'sqlite',
      auth: 'open',
      model: 'builtin/extractive',
      ai: false,
      models: [{ id: 'builtin/extractive', ready: true, ai: false }],
      limits: { query_bytes: 102_400 },
    })
    expect(body.hint).toContain('No AI')
    expect(body.tokenizers).toContain('o200k')
    const other = await open({ models: modelsOf(saying('x')) })
    const { body: withAi } = await other.call('GET', '/api/v1/system')
    expect([withAi.ai, withAi.hint]).toEqual([true, undefined])
  })

  test('keeps the wire of the specifications: names, statuses and types of POST /chat and POST /api/query [S3-17]', async () => {
    const host = await open()
    const chat = await host.call('POST', '/chat', { body: { message: 'Hello there.' } })
    expect(Object.keys(chat.body)).toEqual(expect.arrayContaining(['session_id', 'response', 'trace_id']))
    const query = await host.call('POST', '/api/query', { body: { prompt: 'Hi' } })
    expect(query.headers.get('content-type')).toContain('text/event-stream')
    const document = (await host.call('GET', '/openapi.json')).body
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/chat', '/api/query', '/health']))
    expect(
      JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')).scripts.start,
    ).toBeTruthy()
  })
})
