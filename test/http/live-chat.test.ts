import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { policyFrom } from '../../src/core/policy/presets/settings.js'
import { ModelError } from '../../src/models/wire/contract.js'
import { type Host, type HostOptions, startService } from './host.js'
import { eventsIn, followUrl } from './live-events.js'
import { failing, gated, modelsOf, saying, scripted } from './live-models.js'

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const messages = async (host: Host, session: string) =>
  (await host.call('GET', `/api/v1/conversations/${session}/messages`)).body.items as {
    role: string
    text: string
    author: string | null
  }[]

const withHost = async (options: HostOptions, run: (host: Host) => Promise<void>): Promise<void> => {
  const host = await startService(options)
  try {
    await run(host)
  } finally {
    await host.stop()
  }
}

describe('POST /chat', () => {
  let host: Host
  beforeAll(async () => {
    host = await startService({ store: 'sqlite' })
  })
  afterAll(() => host.stop())

  const chat = async (message: string, session_id?: string, more: object = {}) =>
    (await host.call('POST', '/chat', { body: { message, session_id, ...more } })).body

  test('a second message with the same session_id knows the first, with no model at all [S4-4] [S4-19] [S1-F3]', async () => {
    const first = await chat('The Cincinnati service is owned by team Blue. It depends on Kafka.')
    expect(first).toMatchObject({ ai: false, label: expect.stringContaining('no AI'), state: 'done', warnings: [] })
    const second = await chat('Who owns Cincinnati?', first.session_id)
    expect(second.session_id).toBe(first.session_id)
    expect(second.response).toContain('owned by team Blue')
    const third = await chat('What about its dependencies?', first.session_id)
    expect(third.response).toContain('depends on Kafka')
    expect((await messages(host, first.session_id)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  test('its answer names all that belongs to it', async () => {
    const answer = await chat('Remember the milk.')
    const at = `/api/v1/conversations/${answer.session_id}`
    expect((await host.call('GET', `${at}/messages/${answer.message_id}`)).body.text).toBe('Remember the milk.')
    expect((await host.call('GET', `${at}/messages/${answer.answer_id}`)).body.text).toBe(answer.response)
    expect((await host.call('GET', `${at}/runs/${answer.run_id}`)).body).toMatchObject({
      state: 'done',
      policy: 'session-window',
      asked_id: answer.message_id,
      message_id: answer.answer_id,
      receipt_id: answer.receipt_id,
    })
    expect(answer.trace_id).toBeTruthy()
  })

  test('a session may begin under a name that the client chose', async () => {
    expect((await chat('hello', 'my-own-session')).session_id).toBe('my-own-session')
    await chat('again', 'my-own-session')
    expect(await messages(host, 'my-own-session')).toHaveLength(4)
  })

  test('the same Idempotency-Key gives the same answer and writes nothing twice', async () => {
    const once = () =>
      host.call('POST', '/chat', { body: { message: 'count me once' }, headers: { 'idempotency-key': 'k-1' } })
    const [one, two] = [await once(), await once()]
    expect(two.body).toEqual({ ...one.body, trace_id: two.body.trace_id })
    expect(await messages(host, one.body.session_id)).toHaveLength(2)
    const other = await host.call('POST', '/chat', {
      body: { message: 'something else' },
      headers: { 'idempotency-key': 'k-1' },
    })
    expect([other.status, other.body.code]).toEqual([422, 'key_reused'])
  })

  test('events are the run as it goes on, then `done` with what JSON would have said', async () => {
    const response = await fetch(
      `${host.url}/chat`,
      post({ message: 'The port is 5432.' }, { accept: 'text/event-stream' }),
    )
    const events = eventsIn(await response.text())
    const names = events.map(({ event }) => event)
    expect(names[0]).toBe('run-started')
    expect(names.slice(-2)).toEqual(['run-ended', 'done'])
    const text = events.filter(({ event }) => event === 'text-delta').map(({ data }) => data.text)
    expect(events.at(-1)?.data.response).toBe(text.join(''))
    const ids = events.flatMap(({ id }) => id ?? [])
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    expect(
      (await fetch(`${host.url}/chat`, post({ message: 'x', stream: true }))).headers.get('content-type'),
    ).toContain('text/event-stream')
  })

  test('events that are asked for again by their key are told from the beginning', async () => {
    const headers = { accept: 'text/event-stream', 'idempotency-key': 'k-events' }
    const once = async () =>
      eventsIn(await (await fetch(`${host.url}/chat`, post({ message: 'Hear me.' }, headers))).text())
    const [one, two] = [await once(), await once()]
    expect(two.slice(0, -1)).toEqual(one.slice(0, -1))
    expect(two.at(-1)?.data.response).toBe(one.at(-1)?.data.response)
  })

  test.each([[{}], [{ message: '' }], [{ message: ' ' }], [{ message: 1 }], [{ message: 'x', role: 'system' }], [[]]])(
    'a body like %j is refused',
    async (body) => {
      const answer = await host.call('POST', '/chat', { body })
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
    },
  )

  test('the example of several turns works [S3-15]', async () => {
    const first = await chat('I work on a Nuxt dashboard called Kartograph. The main page is pages/index.vue.')
    const second = await chat('What is the dashboard called?', first.session_id)
    expect(second.response).toContain('Kartograph')
    const third = await chat('What is its main page?', first.session_id)
    expect(third.response).toContain('pages/index.vue')
  })

  test('the example of a debugging session works [S3-16]', async () => {
    const first = await chat(
      'The login endpoint throws TypeError: cannot read property id of undefined in auth.ts line 42.',
    )
    await chat('I added a null check there, and the tests pass now.', first.session_id)
    const { response } = await chat('Which error did the login endpoint throw?', first.session_id)
    expect(response).toContain('TypeError')
  })

  test('an archived session goes on when someone speaks in it, and an expired one begins anew [S4-F3]', async () => {
    const { session_id } = await chat('The code word is heron.')
    const at = `/api/v1/conversations/${session_id}`
    expect((await host.call('PATCH', at, { body: { archived: true } })).body.archived).toBe(true)
    expect((await chat('What is the code word?', session_id)).response).toContain('heron')
    await host.call('DELETE', at)
    const late = await host.call('POST', '/chat', { body: { message: 'And now?', session_id } })
    expect([late.status, late.body.code]).toEqual([410, 'gone'])
    expect((await chat('And now?')).session_id).not.toBe(session_id)
  })
})

describe('POST /chat with a model', () => {
  test('a caller that leaves does not stop the answer', async () => {
    const { model, say, end } = gated()
    await withHost({ store: 'sqlite', models: modelsOf(model) }, async (host) => {
      const headers = { accept: 'text/event-stream' }
      const reader = await followUrl(`${host.url}/chat`, post({ message: 'Tell me', session_id: 's' }, headers))
      say('One ')
      await reader.until((events) => events.some(({ event }) => event === 'text-delta'))
      reader.leave()
      say('two ')
      say('three')
      end()
      const run = (await host.call('GET', '/api/v1/conversations/s/runs')).body.items[0]
      const again = await followUrl(`${host.url}/api/v1/conversations/s/runs/${run.id}/events`)
      await again.ended
      expect((await messages(host, 's')).map(({ text }) => text)).toEqual(['Tell me', 'One two three'])
    })
  })

  test.each([
    ['rate_limited', 429, 'model_rate_limited'],
    ['overloaded', 503, 'model_overloaded'],
    ['silent', 504, 'model_silent'],
    ['server_error', 502, 'model_failed'],
    ['unauthorized', 502, 'model_failed'],
    ['cut', 502, 'model_failed'],
  ] as const)('a model that is %s is a problem %i, never a message', async (code, status, problem) => {
    const secret = 'PROVIDER SAYS sk-123'
    const fault = new ModelError(code, 'it did not work', { cause: new Error(secret) })
    await withHost({ models: modelsOf(failing(fault)) }, async (host) => {
      const failed = await host.call('POST', '/chat', { body: { message: 'Tell me', session_id: 's' } })
      expect([failed.status, failed.body.code, failed.body.reason]).toEqual([status, problem, code])
      expect(failed.body.run_id).toMatch(/^run_/)
      expect(failed.text + JSON.stringify(host.log)).not.toContain(secret)
      expect((await messages(host, 's')).map(({ role, text }) => [role, text])).toEqual([['user', 'Tell me']])
      const next = await host.call('POST', '/chat', {
        body: { message: 'And now?', session_id: 's', model: 'builtin/extractive' },
      })
      expect(next.status).toBe(200)
    })
  })

  test('what was said before the model broke off is kept, and marked as cut short [T-23]', async () => {
    const cut = failing(new ModelError('cut', 'the answer broke off'), 'It is about')
    await withHost({ store: 'sqlite', models: modelsOf(cut) }, async (host) => {
      expect((await host.call('POST', '/chat', { body: { message: 'Well?', session_id: 's' } })).status).toBe(502)
      const [, answer] = await messages(host, 's')
      expect(answer).toMatchObject({ role: 'assistant', text: 'It is about', status: 'aborted' })
      const next = { message: 'And?', session_id: 's', model: 'builtin/extractive' }
      expect((await host.call('POST', '/chat', { body: next })).status).toBe(200)
    })
  })

  test('a retry while the first call still runs joins it [T-35]', async () => {
    const { model, say, end } = gated()
    await withHost({ store: 'sqlite', models: modelsOf(model) }, async (host) => {
      const body = { message: 'once', session_id: 's' }
      const send = () => host.call('POST', '/chat', { body, headers: { 'idempotency-key': 'k' } })
      const calls = [send(), send(), send()]
      say('the one answer')
      end()
      const answers = await Promise.all(calls)
      expect(answers.map((answer) => [answer.status, answer.body.response])).toEqual(
        new Array(3).fill([200, 'the one answer']),
      )
      expect(await messages(host, 's')).toHaveLength(2)
      expect(model.asked).toHaveLength(1)
    })
  })

  test('two messages at once are answered one after the other', async () => {
    const model = saying(({ items }) => `heard ${items.at(-1)?.text}`)
    await withHost({ store: 'sqlite', models: modelsOf(model) }, async (host) => {
      const say = (message: string) => host.call('POST', '/chat', { body: { message, session_id: 's' } })
      const answers = await Promise.all(['a', 'b', 'c'].map(say))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(answers.map(({ body }) => body.response).sort()).toEqual(['heard a', 'heard b', 'heard c'])
      const kept = await messages(host, 's')
      expect(kept.map(({ role }) => role).join()).toBe('user,assistant,user,assistant,user,assistant')
    })
  })

  test('the settings of the session window are respected', async () => {
    const model = saying('ok')
    const session = policyFrom({
      extends: 'session-window',
      conversation_max_history_messages: 4,
      conversation_max_context_tokens: 500,
    })
    await withHost({ models: modelsOf(model), live: { session } }, async (host) => {
      for (let i = 0; i < 12; i++) await host.call('POST', '/chat', { body: { message: `m${i}`, session_id: 's' } })
      const { items } = model.asked.at(-1) as (typeof model.asked)[number]
      // the opener is kept beside the four newest
      expect(items.filter(({ index }) => index !== null).length).toBeLessThanOrEqual(5)
      expect(items.map(({ text }) => text)).toContain('m0')
      expect(items.at(-1)?.text).toBe('m11')
    })
  })

  test('author, system prompt and model are the caller’s to choose', async () => {
    const model = scripted(async function* ({ system }) {
      yield { type: 'text', text: `told: ${system}` }
      yield { type: 'finish', reason: 'stop', usage: null }
    }, 'test/other')
    await withHost({ models: modelsOf(saying('usual'), model) }, async (host) => {
      const body = { message: 'hi', session_id: 's', author: 'ada', system: 'Be brief.', model: 'test/other' }
      const { body: answer } = await host.call('POST', '/chat', { body })
      expect(answer).toMatchObject({ response: 'told: Be brief.', model: 'test/other', ai: true })
      expect((await messages(host, 's'))[0]?.author).toBe('ada')
      const unknown = await host.call('POST', '/chat', { body: { message: 'hi', model: 'no/such' } })
      expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_model'])
    })
  })

  test('the same session_id of another workspace is another session', async () => {
    await withHost({ auth: { mode: 'keys' }, rate: null }, async (host) => {
      const [blue, red] = [await host.key('blue'), await host.key('red')]
      await host.call('POST', '/chat', { key: blue, body: { message: 'The secret is heron.', session_id: 's' } })
      const answer = await host.call('POST', '/chat', {
        key: red,
        body: { message: 'What is the secret?', session_id: 's' },
      })
      expect(answer.status).toBe(200)
      expect(answer.text).not.toContain('heron')
    })
  })
})
