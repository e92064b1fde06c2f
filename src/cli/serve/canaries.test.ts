import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { build, run } from '../cli.fixture.js'
import { freshDb, served, slowModel } from './serve.fixture.js'

beforeAll(build, 120_000)

const marks: string[] = []
/** A secret that stands nowhere else. */
const canary = (): string => {
  const mark = `canary${crypto.randomUUID().replaceAll('-', '')}`
  marks.push(mark)
  return mark
}

const found = (text: string): string[] => marks.filter((mark) => text.includes(mark))

/** Takes everything that is sent to it. */
async function collector() {
  let got = ''
  const server = createServer((request, response) => {
    request.on('data', (chunk) => {
      got += chunk
    })
    request.on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, got: () => got, close: () => server.close() }
}

test('no secret that comes in by any way stands in a log, a number, a trace or an answer to someone else [T-82] (A-14)', async () => {
  const db = freshDb()
  const traces = await collector()
  const model = await slowModel(5, { status: 400, body: JSON.stringify({ error: { message: canary() } }) })
  const providers = JSON.parse(model.env.THROUGHLINE_PROVIDERS ?? '{}')
  const keyOf = async (workspace: string, scopes: string) => {
    const args = ['keys', 'create', '--db', db, '--workspace', workspace, '--scopes', scopes, '--name', canary()]
    return (await run(args)).stdout.trim()
  }
  const [mine, other] = [await keyOf('mine', 'write'), await keyOf('other', 'admin')]
  marks.push(mine.split('.')[1] as string, other.split('.')[1] as string)
  const server = await served(['--db', db, '--log-level', 'debug'], {
    THROUGHLINE_PROVIDERS: JSON.stringify({ lab: { ...providers.slow, key_env: 'LAB_KEY' } }),
    THROUGHLINE_MODEL: 'lab/one',
    THROUGHLINE_OTEL_ENDPOINT: traces.url,
    // a session's name is logged as it is, as specification 4 has it, unless this is set
    THROUGHLINE_LOG_SESSION_IDS: 'hashed',
    THROUGHLINE_OTEL_HEADERS: `x-secret=${canary()}`,
    LAB_KEY: canary(),
    OPENAI_API_KEY: canary(),
    THROUGHLINE_OPENAI_BASE_URL: providers.slow.url,
  })
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': mine, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    await answer.text()
    return answer.status
  }

  const session = canary()
  const statuses = [
    await ask('POST', '/chat', { message: canary(), session_id: session, system: canary(), author: canary() }),
    await ask('POST', '/chat', { message: canary(), session_id: canary(), model: 'builtin/extractive' }),
    await ask('POST', '/chat', { message: canary(), model: `lab/${canary()}` }),
    await ask('POST', '/chat', { message: canary(), model: `openai/${canary()}` }),
    await ask('POST', '/chat', { message: canary(), policy: canary() }),
    await ask('POST', '/chat', { message: canary(), [canary()]: canary() }),
    await ask('POST', '/chat', `{"message": "${canary()}`),
    await ask('POST', '/chat', { message: 1, session_id: { text: canary() } }),
    await ask('POST', '/chat', { message: canary().repeat(60_000) }),
    await ask('POST', '/chat', { message: canary() }, { 'idempotency-key': canary(), 'x-request-id': canary() }),
    await ask(
      'POST',
      '/chat',
      { message: canary() },
      { traceparent: canary(), 'user-agent': canary(), cookie: canary() },
    ),
    await ask('POST', '/chat', { message: canary() }, { origin: `https://${canary()}.example` }),
    await ask('POST', '/chat', { message: canary() }, { 'content-type': `text/${canary()}` }),
    await ask('POST', '/api/query', {
      prompt: canary(),
      conversationHistory: [{ role: 'assistant', content: canary(), signature: canary() }, { role: canary() }],
    }),
    await ask('POST', '/api/v1/conversations', { title: canary(), tags: [canary()], meta: { note: canary() } }),
    await ask('GET', `/api/v1/conversations/${canary()}`),
    await ask('GET', `/api/v1/conversations/${session}/messages`),
    await ask('GET', `/api/v1/conversations/${session}/events?after=${canary()}`),
    await ask('GET', `/api/v1/search?q=${canary()}`),
    await ask('GET', `/api/v1/conversations?cursor=${canary()}`),
    await ask('GET', `/s/${canary()}`),
    await ask('GET', `/${canary()}?${canary()}=${canary()}`),
    await ask('GET', '/chat', undefined, { 'x-api-key': canary() }),
    await ask('GET', '/api/v1/conversations', undefined, {
      'x-api-key': '',
      authorization: `Bearer tl_000000000000.${canary()}`,
    }),
    await ask('DELETE', `/api/v1/conversations/${canary()}`),
    await ask('PATCH', '/chat', { message: canary() }),
  ]
  expect(new Set(statuses).size).toBeGreaterThan(4)
  await raw(server.url, `${canary()} / HTTP/1.1\r\nhost: ${canary()}\r\n\r\n`)
  await raw(server.url, `GET /${canary()} HTTP/1.1\r\nhost: ${canary()}.example\r\nx-api-key: ${mine}\r\n\r\n`)

  const admin = { headers: { 'x-api-key': other } }
  const others = await Promise.all(
    [
      '/metrics',
      '/api/v1/conversations',
      `/api/v1/conversations/${session}`,
      `/api/v1/conversations/${session}/messages`,
      '/api/v1/system',
      '/api/v1/usage',
      '/openapi.json',
    ].map(async (path) => (await fetch(`${server.url}${path}`, admin)).text()),
  )
  expect(others[0]).toContain('throughline_requests_total')
  await server.stop()
  const answers = others.map((text) => text.replaceAll(session, ''))
  const everything = [server.out(), server.err(), traces.got(), ...answers].join('\n')
  expect(found(everything)).toEqual([])
  // the proof that there was something to see, and that the search would have seen it
  expect(server.out()).toContain('"event":"model-failed"')
  expect(traces.got()).toContain('POST /chat')
  expect(found(`…${marks[3]}…`)).toHaveLength(1)
  expect(marks.length).toBeGreaterThan(50)
  model.close()
  traces.close()
})

/** What no client would send. */
function raw(url: string, text: string): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => resolve()).on('close', () => resolve())
    socket.on('data', () => socket.end())
    socket.write(text)
  })
}
