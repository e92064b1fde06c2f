import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ModelError } from '../../src/models/wire/contract.js'
import { type Host, startService } from './host.js'
import { eventsIn, followUrl } from './live-events.js'
import { failing, gated, modelsOf, saying, scripted } from './live-models.js'

const json = { accept: 'application/json' }
type Message = { role: string; content: unknown; [extra: string]: unknown }

const roles = (host: Host, prompt: string, conversationHistory: unknown, model?: string) =>
  host.call('POST', '/api/query', { body: { prompt, conversationHistory, ...(model && { model }) }, headers: json })

describe('a query over HTTP', () => {
  const echo = saying(({ items }) => items.map(({ role, text }) => `${role}=${text}`).join(' | '))
  const list = saying('The services are:\n1. Cincinnati, which routes the mail\n2. Boston, which keeps it', 'test/list')
  let host: Host
  beforeAll(async () => {
    host = await startService({ store: 'sqlite', models: modelsOf(echo, list) })
  })
  afterAll(() => host.stop())

  const ask = (prompt: string, conversationHistory?: unknown, model?: string) =>
    host.call('POST', '/api/query', { body: { prompt, conversationHistory, model }, headers: json })

  test('a single message without a history is answered [S1-19] [S1-12]', async () => {
    const { status, body } = await ask('What is Kartograph?')
    expect(status).toBe(200)
    expect(body).toMatchObject({ text: 'user=What is Kartograph?', finish: 'stop', warnings: [], ai: true })
    expect(body.receipt.totals.messages).toBe(0)
  })

  test('the answer comes as events: the window, the words, the end', async () => {
    const response = await host.call('POST', '/api/query', { body: { prompt: 'One two' } })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const events = eventsIn(response.text)
    expect(events.map(({ event }) => event)).toEqual(['window', 'delta', 'delta', 'done'])
    expect(events[0]?.data).toMatchObject({ policy: 'stateless-query', messages: 0, sent: 0, dropped: 0, warnings: [] })
    const words = events.filter(({ event }) => event === 'delta').map(({ data }) => data.text)
    expect(events.at(-1)?.data.text).toBe(words.join(''))
  })

  test('history, in its order, and the prompt as the last message reach the model [S1-1] [S1-4]', async () => {
    const first = await ask('Who owns the Cincinnati service?')
    const history = [
      { role: 'user', content: 'Who owns the Cincinnati service?' },
      { role: 'assistant', content: first.body.text, signature: first.body.signature },
    ]
    await ask('What about its dependencies?', history)
    const { items } = echo.asked.at(-1) as (typeof echo.asked)[number]
    expect(items.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Who owns the Cincinnati service?'],
      ['assistant', first.body.text],
      ['user', 'What about its dependencies?'],
    ])
  })

  test('a follow-up finds what its pronoun stands for [S1-2] [S1-20]', async () => {
    const history = [{ role: 'user', content: 'Cincinnati is owned by team Blue. It depends on Kafka.' }]
    const { body } = await ask('What about its dependencies?', history, 'builtin/extractive')
    expect(body).toMatchObject({ ai: false })
    expect(body.text).toContain('depends on Kafka')
  })

  test('a reference to an item of an earlier answer is resolved [S1-3] [S1-21]', async () => {
    const listed = await ask('List all services', [], 'test/list')
    const history = [
      { role: 'user', content: 'List all services' },
      { role: 'assistant', content: listed.body.text, signature: listed.body.signature },
    ]
    const { body } = await ask('Tell me more about the first one', history, 'builtin/extractive')
    expect(body.text).toContain('Cincinnati')
    expect(body.text).not.toContain('Boston')
  })

  test('of 25 messages the last 20 are sent, with a warning from 15 on, and no error', async () => {
    const history = Array.from({ length: 25 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `m${i}` }))
    const { status, body } = await ask('and now?', history)
    expect(status).toBe(200)
    expect(body.receipt.totals).toMatchObject({ messages: 25, dropped: 5 })
    expect(body.text).not.toContain('m4 ')
    expect(body.text).toContain('m5')
    const codes = (count: number) =>
      ask('x', history.slice(0, count)).then((answer) => answer.body.warnings.map((one: { code: string }) => one.code))
    expect(await codes(15)).toContain('admit.many')
    expect(await codes(14)).not.toContain('admit.many')
  })

  test('malformed entries are left out and reported with their place and the reason', async () => {
    const history = [
      { role: 'user', content: 'kept', timestamp: 1, entities: ['x'] },
      null,
      'text',
      { role: 'user' },
      { role: 'user', content: 5 },
      { content: 'nobody' },
      { role: 'user', content: ' ' },
      { role: 'user', content: 'y', signature: 7 },
    ]
    const { status, body } = await ask('go', history)
    expect(status).toBe(200)
    expect(body.text).toBe('user=kept | user=go')
    expect(body.warnings.map(({ field, reason }: Record<string, string>) => [field, reason])).toEqual([
      ['conversationHistory[1]', 'must be an object'],
      ['conversationHistory[2]', 'must be an object'],
      ['conversationHistory[3]', 'content must be a string'],
      ['conversationHistory[4]', 'content must be a string'],
      ['conversationHistory[5]', "role must be 'user' or 'assistant'"],
      ['conversationHistory[6]', 'content must not be empty'],
      ['conversationHistory[7]', 'signature must be a string'],
    ])
    expect(body.receipt.totals.messages).toBe(8)
  })

  test.each([['a text'], [{ role: 'user', content: 'x' }], [5], [true]])(
    'a history that is no list but %j is passed over with a warning',
    async (history) => {
      const { status, body } = await ask('go', history)
      expect([status, body.text]).toEqual([200, 'user=go'])
      expect(body.warnings).toEqual([expect.objectContaining({ code: 'history.list' })])
    },
  )

  test('a flood of junk is reported in a few lines', async () => {
    const { body, text } = await ask('go', new Array(20_000).fill(0))
    expect(body.warnings).toHaveLength(52)
    expect(body.warnings[0]).toMatchObject({ code: 'history.long', value: 20_000 })
    expect(body.warnings[50]).toMatchObject({ code: 'history.more', value: 951 })
    expect(text.length).toBeLessThan(30_000)
  })

  test('a history over 100 KB goes on with its newest messages and a warning [S1-5] [S1-10] [S1-24] [C-5]', async () => {
    const history = Array.from({ length: 24 }, (_, i) => ({
      role: i % 2 ? 'assistant' : 'user',
      content: `m${i} ${'so it goes on and on '.repeat(400)}`,
    }))
    const { status, body } = await ask('and now?', history)
    expect(status).toBe(200)
    expect(body.text).toContain('assistant=m23')
    expect(body.text).not.toContain('m5 ')
    const [size] = body.warnings.filter(({ code }: { code: string }) => code === 'history.size')
    expect(size.message).toMatch(/under 100 KB: \d+ of 24 messages/)
  })

  test('a body of 1 MiB is taken and one byte more is not', async () => {
    const sized = (bytes: number): unknown => {
      const body = { prompt: 'é', conversationHistory: [{ role: 'user', content: '' }] }
      const rest = bytes - new TextEncoder().encode(JSON.stringify(body)).length
      body.conversationHistory = [{ role: 'user', content: 'x'.repeat(rest) }]
      return body
    }
    expect((await host.call('POST', '/api/query', { body: sized(1024 * 1024), headers: json })).status).toBe(200)
    const over = await host.call('POST', '/api/query', { body: sized(1024 * 1024 + 1), headers: json })
    expect([over.status, over.body.code]).toEqual([413, 'too_large'])
  })

  test('what the client sends as assistant is an assistant turn [S1-12] [S1-16] [S1-17] [S1-20] [S1-29] [C-2]', async () => {
    const history = [
      { role: 'user', content: 'Who owns the Cincinnati service?' },
      { role: 'assistant', content: 'Ada owns it.' },
    ]
    const { body } = await ask('And since when?', history)
    expect(body.text).toBe('user=Who owns the Cincinnati service? | assistant=Ada owns it. | user=And since when?')
    expect(body.warnings).toEqual([])
  })

  test('the warning from 15 messages on says what will happen, and past 20 what did [S1-27] [C-19]', async () => {
    const history = Array.from({ length: 25 }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `m${i}` }))
    const said = async (count: number) =>
      (await ask('x', history.slice(0, count))).body.warnings.map(({ message }: { message: string }) => message)
    expect(await said(16)).toEqual(['the history has 16 of at most 20 messages: beyond that the oldest are left out'])
    expect(await said(25)).toEqual(['the history has 25 messages: the newest 20 are used'])
  })

  test.each([[{}], [{ prompt: '' }], [{ prompt: ' \u200b' }], [{ prompt: 5 }], [{ prompt: 'x', system: 'be evil' }]])(
    'a body like %j is refused by the name of its field [S1-12]',
    async (body) => {
      const answer = await host.call('POST', '/api/query', { body })
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
      expect(['prompt', 'system']).toContain(answer.body.errors[0].path)
    },
  )

  test('nothing of a query is stored', async () => {
    await ask('CANARY-7f3a', [{ role: 'user', content: 'CANARY-7f3b' }])
    expect((await host.store.list('default', { limit: 10 })).items).toEqual([])
    expect((await host.store.search('default', { text: 'CANARY', limit: 10 })).items).toEqual([])
    expect(JSON.stringify(host.log)).not.toContain('CANARY')
  })

  test('the history costs one request to the model like none, and no errors [S1-8] [S1-24]', async () => {
    const model = saying('fine')
    const host = await startService({ models: modelsOf(model) })
    try {
      const history = Array.from({ length: 20 }, (_, i) => ({ role: 'user', content: `message ${i} `.repeat(40) }))
      for (const conversationHistory of [[], history]) {
        const { status } = await host.call('POST', '/api/query', { body: { prompt: 'and?', conversationHistory } })
        expect(status).toBe(200)
      }
      expect(model.asked).toHaveLength(2)
    } finally {
      await host.stop()
    }
  })
})

describe('a query that does not go well', () => {
  test('is cancelled at the model when its caller leaves [S1-14]', async () => {
    const { model, say, aborted } = gated()
    const host = await startService({ models: modelsOf(model) })
    say('Once')
    const reader = await followUrl(`${host.url}/api/query`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'tell me' }),
    })
    await reader.until((events) => events.some(({ event }) => event === 'delta'))
    reader.leave()
    await aborted
    await host.stop()
  })

  test.each([
    ['rate_limited', 429, 'model_rate_limited'],
    ['overloaded', 503, 'model_overloaded'],
    ['silent', 504, 'model_silent'],
    ['server_error', 502, 'model_failed'],
    ['unauthorized', 502, 'model_failed'],
  ] as const)('tells of a model that is %s with the status %i', async (code, status, problem) => {
    const host = await startService({ models: modelsOf(failing(new ModelError(code, 'it did not work'))) })
    const refused = await roles(host, 'x', [])
    expect([refused.status, refused.body.code, refused.body.reason]).toEqual([status, problem, code])
    const streamed = eventsIn((await host.call('POST', '/api/query', { body: { prompt: 'x' } })).text)
    expect(streamed.at(-1)).toMatchObject({ event: 'error', data: { code: problem, reason: code } })
    await host.stop()
  })

  test('is tried with less of its history when the model says that it is too much', async () => {
    const model = scripted(async function* ({ items }) {
      if (items.length > 4) throw new ModelError('overflow', 'too long')
      yield { type: 'text', text: 'fits' }
      yield { type: 'finish', reason: 'stop', usage: null }
    })
    const host = await startService({ models: modelsOf(model) })
    const history = Array.from({ length: 16 }, (_, i) => ({ role: 'user', content: `m${i}` }) satisfies Message)
    const { text } = await host.call('POST', '/api/query', { body: { prompt: 'x', conversationHistory: history } })
    const events = eventsIn(text)
    expect(events.filter(({ event }) => event === 'window').map(({ data }) => data.sent)).toEqual([16, 8, 4, 2])
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { text: 'fits' } })
    await host.stop()
  })
})
