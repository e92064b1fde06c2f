import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Act, answers, openWired, saying, streams, type Wired } from './forward.fixture.js'

let wired: Wired

beforeEach(async () => {
  wired = await openWired()
})
afterEach(() => wired.stop())

/** What Claude Code sends with its default model: a system message in the talk, adaptive thinking, tools of the provider's own. */
const agentic = `{"model":"claude-opus-5-5","messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},{"role":"system","content":"# Environment","output_config":{"effort":"medium"}}],
  "system":[{"type":"text","text":"tag"},{"type":"text","text":"rules","cache_control":{"type":"ephemeral"}}],"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":8},{"name":"Bash","input_schema":{"type":"object"},"defer_loading":true}],
  "metadata":{"user_id":"{\\"session_id\\":\\"s\\"}"},"max_tokens":128000,"thinking":{"type":"adaptive","display":"omitted"},"context_management":{"edits":[]},"output_config":{"effort":"medium"},"stream":true,"unheard_of":{"a":1.0}}`

describe('a request in the words of its provider', () => {
  test('goes on to the byte, with its betas, and comes back to the byte [field report A]', async () => {
    wired.acts(streams(saying('Hello')))
    const answer = await wired.post('/v1/messages?beta=true', agentic, { 'anthropic-beta': 'effort-2025-11-24,x' })
    expect(await answer.text()).toBe(saying('Hello'))
    expect(wired.heard[0]).toMatchObject({ url: '/v1/messages?beta=true', body: agentic })
    expect(wired.heard[0]?.headers).toMatchObject({ 'anthropic-beta': 'effort-2025-11-24,x', 'x-api-key': 'sk-client' })
  })

  const names: readonly (readonly [path: string, body: Readonly<Record<string, unknown>>])[] = [
    ['/v1/messages', { model: 'claude-sonnet-4-5-20250929' }],
    ['/v1/messages', { model: 'claude-opus-5-5' }],
    [
      '/v1/responses',
      { model: 'gpt-5.5', store: false, tools: [{ type: 'custom' }, { type: 'tool_search' }, { type: 'web_search' }] },
    ],
    ['/v1/responses', { model: 'codex-mini-latest' }],
    ['/v1/responses', { model: 'o3', input: Array.from({ length: 1_200 }, () => ({ role: 'user', content: 'a' })) }],
    [
      '/v1/chat/completions',
      { model: 'gpt-4.1-2025-04-14', tools: Array.from({ length: 200 }, () => ({ type: 'function' })) },
    ],
    ['/v1beta/models/gemini-2.5-pro:generateContent', { contents: [] }],
    ['/v1beta/models/gemini-3-pro-preview:countTokens', { contents: [] }],
    ['/v1/messages/count_tokens', { model: 'claude-haiku-4-5' }],
    ['/v1/responses/compact', { model: 'gpt-5.5', input: [{ role: 'user', content: 'a' }] }],
    ['/v1/messages', { model: 'a-name-of-tomorrow' }],
  ]
  test.each(names)('%s passes %j as it is [field report A]', async (path, body) => {
    wired.acts(answers(200, { fine: true }))
    const answer = await wired.post(path, body)
    expect(await answer.json()).toEqual({ fine: true })
    expect(wired.heard[0]).toMatchObject({ url: path, body: JSON.stringify(body) })
  })

  test('names its model in full, and the provider gets its own name for it', async () => {
    wired.acts(answers(200, {}))
    await wired.post('/v1/messages', { model: 'anthropic/claude-sonnet-4-5', messages: [] })
    expect(wired.heard[0]?.body).toBe('{"model":"claude-sonnet-4-5","messages":[]}')
  })

  test('is translated when its model is of another provider', async () => {
    const answer = await wired.post('/v1/messages', {
      model: 'builtin/extractive',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(answer.status).toBe(200)
    expect(wired.heard).toEqual([])
  })
})

describe('what the provider refuses', () => {
  const overflow = {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens > 8 maximum' },
  }

  test.each([
    [400, overflow, {}],
    [401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }, {}],
    [429, { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } }, { 'retry-after': '7' }],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, { 'request-id': 'req_7' }],
  ])('%i comes back with its status, words and headers [field report A]', async (status, body, headers) => {
    wired.acts(answers(status, body, headers))
    const answer = await wired.post('/v1/messages', agentic)
    expect([answer.status, await answer.json()]).toEqual([status, body])
    for (const [name, value] of Object.entries(headers)) expect(answer.headers.get(name)).toBe(value)
  })

  test('a provider that cannot be reached is told in the words of the dialect', async () => {
    const gone = await openWired(
      {},
      { providers: { anthropic: { baseUrl: 'http://127.0.0.1:9/v1' }, lmstudio: false, ollama: false } },
    )
    const answer = await gone.post('/v1/messages', agentic)
    expect([answer.status, await answer.json()]).toMatchObject([502, { type: 'error', error: { type: 'api_error' } }])
    await gone.stop()
  })

  test('nothing is told to the client before the provider has answered', async () => {
    let answer: (() => void) | undefined
    wired.acts((heard, response) => {
      answer = () => answers(400, overflow)(heard, response)
    })
    const pending = wired.post('/v1/messages', agentic)
    while (!answer) await new Promise((resolve) => setImmediate(resolve))
    answer()
    expect((await pending).status).toBe(400)
  })
})

describe('a client that leaves', () => {
  test('stops the provider before its first word', async () => {
    wired.acts(() => undefined)
    const leaving = new AbortController()
    const pending = wired.post('/v1/messages', agentic, {}, leaving.signal).catch(() => 'left')
    while (wired.heard.length === 0) await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    expect(await pending).toBe('left')
    while (!wired.heard[0]?.left) await new Promise((resolve) => setImmediate(resolve))
  })

  test('stops the provider in the middle of an answer [field report A]', async () => {
    wired.acts((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ping\ndata: {}\n\n')
    })
    const leaving = new AbortController()
    const answer = await wired.post('/v1/messages', agentic, {}, leaving.signal)
    await answer.body?.getReader().read()
    leaving.abort()
    while (!wired.heard[0]?.left) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('keys', () => {
  const keyed = {
    providers: (url: string) =>
      ({ anthropic: { apiKey: 'sk-operator', baseUrl: `${url}/v1` }, ollama: false, lmstudio: false }) as const,
  }

  test.each([
    ['fallback', 'sk-operator'],
    ['never', 'sk-operator'],
    ['prefer', 'sk-client'],
  ] as const)('%s: the provider gets %s', async (clientKeys, expected) => {
    const other = await openWired({ forward: { clientKeys } }, { providers: keyed.providers(wired.provider) })
    await other.post('/v1/messages', agentic)
    expect(wired.heard.at(-1)?.headers['x-api-key']).toBe(expected)
    await other.stop()
  })

  test('the bearer of a subscription passes', async () => {
    await wired.post('/v1/messages', agentic, { authorization: 'Bearer oauth-token', 'x-api-key': '' })
    expect(wired.heard[0]?.headers.authorization).toBe('Bearer oauth-token')
  })

  test('where keys of ours are asked for, ours never goes on and the client names its own beside it', async () => {
    const closed = await openWired(
      { auth: { mode: 'keys' }, forward: { clientKeys: 'fallback' } },
      { providers: { anthropic: { baseUrl: `${wired.provider}/v1` }, ollama: false, lmstudio: false } },
    )
    const key = await closed.key('w')
    const refused = await closed.post(
      '/v1/messages',
      { model: 'claude-x', max_tokens: 1, messages: [{ role: 'user', content: 'a' }] },
      { 'x-api-key': key },
    )
    expect([refused.status, wired.heard.length]).toEqual([404, 0])
    await closed.post('/v1/messages', agentic, { 'x-throughline-key': key })
    expect(JSON.stringify(wired.heard[0]?.headers)).not.toContain(key)
    expect(wired.heard[0]?.headers['x-api-key']).toBe('sk-client')
    await closed.stop()
  })

  test('the operator key goes alone, whatever else the client sent', async () => {
    const other = await openWired(
      {},
      {
        providers: {
          google: { apiKey: 'g-operator', baseUrl: `${wired.provider}/v1beta` },
          ollama: false,
          lmstudio: false,
        },
      },
    )
    await other.post(
      '/v1beta/models/gemini-2.5-pro:generateContent?key=g-client&alt=sse',
      {},
      { authorization: 'Bearer mine', 'x-goog-api-key': 'g-client' },
    )
    const last = wired.heard.at(-1)
    expect([last?.url, last?.headers['x-goog-api-key'], last?.headers.authorization]).toEqual([
      '/v1beta/models/gemini-2.5-pro:generateContent?alt=sse',
      'g-operator',
      undefined,
    ])
    await other.stop()
  })
})

test.each([
  ['to its own account', 'Bearer sk-one', 'Bearer sk-one', 1],
  ['to no other account', 'Bearer sk-one', 'Bearer sk-two', 0],
  ['to a subscription whose token changed', 'Bearer eyJ.one', 'Bearer eyJ.two', 1],
] as const)('sealed reasoning goes back %s (O-05)', async (_, first, second, count) => {
  const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAAone' }
  const output = [sealed, { type: 'message', id: 'msg_1', role: 'assistant', content: [] }]
  const ask = { role: 'user', content: 'So?' }
  const body = { model: 'gpt-5.5', store: false, input: [ask] }
  wired.acts(answers(200, { id: 'resp_1', output }))
  const answer = await wired.post('/v1/responses', body, { authorization: first })
  await answer.text()
  await wired.recorded()
  await wired.post('/v1/responses', { ...body, input: [ask, ...output, ask] }, { authorization: second })
  expect(wired.heard).toHaveLength(2)
  expect(wired.heard[1]?.body.match(/gAAAAone/g) ?? []).toHaveLength(count)
})

test('a base URL that leads back here is refused and not followed [field report A]', async () => {
  let own = ''
  const looped = await openWired(
    {},
    {
      hop: 'this-one',
      providers: { anthropic: { apiKey: 'k', baseUrl: 'http://127.0.0.1:1/v1' }, ollama: false, lmstudio: false },
      fetch: (url, init) => fetch(String(url).replace('http://127.0.0.1:1', own), init),
    },
  )
  own = looped.url
  const answer = await looped.post('/v1/messages', agentic)
  expect(answer.status).toBe(508)
  expect(await answer.text()).toContain('leads back to this service')
  await looped.stop()
})

describe('above the limit of the provider', () => {
  const result = (i: number) => [
    { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: `begin-${i} ${'x'.repeat(5_000)} end-${i}` }],
    },
  ]
  const long = (rounds: number) => ({
    model: 'claude-opus-5-5',
    messages: [{ role: 'user', content: 'Go' }, ...Array.from({ length: rounds }, (_, i) => result(i)).flat()],
  })
  const limit = 8_000
  const strict: Act = (heard, response) => {
    const tokens = Math.ceil(heard.body.length / 4)
    const message = `prompt is too long: ${tokens} tokens > ${limit} maximum`
    if (tokens > limit)
      answers(400, { type: 'error', error: { type: 'invalid_request_error', message } })(heard, response)
    else streams(saying('Fine.'))(heard, response)
  }

  test('sixty rounds are answered, and the newest result is whole each time [field report A]', async () => {
    wired.acts(strict)
    for (let rounds = 1; rounds <= 60; rounds++) {
      const answer = await wired.post('/v1/messages', long(rounds), { 'x-claude-code-session-id': 's' })
      expect([rounds, answer.status]).toEqual([rounds, 200])
      expect(wired.heard.at(-1)?.body).toContain(JSON.stringify(result(rounds - 1)[1]))
      await answer.text()
    }
    // one refusal teaches the limit; the rest is cut before it is sent
    expect(wired.heard.length).toBeLessThan(65)
  })

  test('what fits is never touched, and `observe` touches nothing', async () => {
    wired.acts(strict)
    await wired.post('/v1/messages', long(5))
    expect(wired.heard[0]?.body).toBe(JSON.stringify(long(5)))
    const other = await openWired(
      { forward: { policy: 'observe' } },
      { providers: { anthropic: { baseUrl: `${wired.provider}/v1` }, ollama: false, lmstudio: false } },
    )
    const answer = await other.post('/v1/messages', long(30))
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('prompt is too long')])
    expect(wired.heard.at(-1)?.body).toBe(JSON.stringify(long(30)))
    await other.stop()
  })

  test('what cannot be cut comes back in the words that make the client compact', async () => {
    wired.acts(strict)
    const answer = await wired.post('/v1/messages', {
      model: 'claude-x',
      messages: [{ role: 'user', content: 'x'.repeat(50_000) }],
    })
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining('prompt is too long') } },
    ])
  })
})
