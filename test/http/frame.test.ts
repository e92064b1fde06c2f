import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createKey, listKeys, revokeKey } from '../../src/http/kit/keys.js'
import { route } from '../../src/http/kit/route.js'
import { routes } from '../../src/http/routes.js'
import { systemWorkspace } from '../../src/operations/context.js'
import { type Host, startService } from './host.js'

const broken = route({
  name: 'broken',
  method: 'get',
  path: '/test/broken',
  tag: 'test',
  summary: 'Breaks',
  scope: 'open',
  answers: { 200: z.object({}) },
  handle: () => {
    throw new Error('the secret\n    at swordfish')
  },
})

describe('the frame, open', () => {
  let host: Host
  beforeAll(async () => {
    host = await startService({ routes: [...routes, broken], origin: { origins: ['https://app.example.com'] } })
  })
  afterAll(() => host.stop())

  test('every answer names its request and says how a browser is to treat it', async () => {
    const { headers } = await host.call('GET', '/api/v1/conversations')
    expect(headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    const named = await host.call('GET', '/nowhere', { headers: { 'x-request-id': 'mine-1' } })
    expect(named).toMatchObject({ status: 404, body: { code: 'not_found', instance: 'urn:request:mine-1' } })
    expect(named.headers.get('content-type')).toBe('application/problem+json')
  })

  test('an unknown method is told which ones there are', async () => {
    const answer = await host.call('DELETE', '/api/v1/conversations')
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
    expect((await host.call('OPTIONS', '/api/v1/conversations')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })

  test('HEAD is GET without the body', async () => {
    const head = await host.call('HEAD', '/api/v1/policies')
    expect(head).toMatchObject({ status: 200, text: '' })
    expect(head.headers.get('etag')).toBe((await host.call('GET', '/api/v1/policies')).headers.get('etag'))
  })

  test('unknown fields are refused with their path, in the query and in the body', async () => {
    expect((await host.call('GET', '/api/v1/conversations?colour=red')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'colour', message: 'is not a known field' }],
    })
    const body = { title: 'x', meta: {}, colour: 'red' }
    expect((await host.call('POST', '/api/v1/conversations', { body })).body).toMatchObject({
      status: 400,
      errors: [{ path: 'colour' }],
    })
    expect((await host.call('GET', '/api/v1/conversations?limit=0')).body.errors).toMatchObject([{ path: 'limit' }])
    expect((await host.call('GET', '/api/v1/conversations?limit=5&limit=6')).status).toBe(400)
    expect((await host.call('GET', '/api/v1/policies?x=1')).status).toBe(400)
  })

  test('of a choice, the fault of what was most likely meant is told', async () => {
    const { body } = await host.call('POST', '/api/v1/conversations', { body: {} })
    const path = `/api/v1/conversations/${body.id}/messages`
    const errors = async (given: unknown) => (await host.call('POST', path, { body: given })).body.errors
    expect(await errors({ message: { role: 'boss', content: 'x' } })).toMatchObject([{ path: 'message.role' }])
    expect(await errors({ messages: ['a', { role: 'user', content: 'x', odd: 1 }] })).toMatchObject([
      { path: 'messages[1].odd', message: 'is not a known field' },
    ])
    expect(await errors({})).toMatchObject([{ path: 'message', message: 'give either message or messages' }])
  })

  test('another name for this host is not served, and another page may not call', async () => {
    const by = (headers: Record<string, string>) =>
      host.service.fetch(new Request(`${host.url}/api/v1/policies`, { headers }))
    expect((await by({ host: 'evil.example' })).status).toBe(403)
    expect(await (await by({ host: 'evil.example' })).json()).toMatchObject({ code: 'wrong_host' })
    expect((await by({ host: 'localhost:8080' })).status).toBe(200)
    expect((await by({ host: '[::1]:8080' })).status).toBe(200)
    expect((await by({ host: 'localhost.evil.example' })).status).toBe(403)
    expect((await by({ origin: 'https://evil.example' })).status).toBe(403)
    expect((await by({ origin: 'null' })).status).toBe(403)
    expect((await by({ origin: host.url })).status).toBe(200)
    const allowed = await by({ origin: 'https://app.example.com' })
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect((await by({ origin: host.url })).headers.get('access-control-allow-origin')).toBeNull()
  })

  test('a body is plain JSON of bounded size', async () => {
    const send = (body: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
      fetch(`${host.url}/api/v1/conversations`, { method: 'POST', headers, body })
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send('{}', { 'content-type': 'application/json; charset=utf-16' })).status).toBe(415)
    expect((await send('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).status).toBe(415)
    expect((await send('{"title":"a","title":"b"}')).status).toBe(400)
    expect((await send(`{"title":"${'x'.repeat(1024 * 1024)}"}`)).status).toBe(413)
    expect((await send('')).status).toBe(400)
    expect((await send('{}', { 'content-type': 'application/json;charset=UTF-8' })).status).toBe(201)
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(0x20)),
    })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: endless, duplex: 'half' }
    const answer = await host.service.fetch(new Request(`${host.url}/api/v1/conversations`, init as RequestInit))
    expect(answer.status).toBe(413)
  })

  test('what breaks is told to the log by the id of the request, and to no one else [A-14]', async () => {
    const answer = await host.call('GET', '/test/broken')
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'internal', detail: 'Something went wrong on our side' },
    })
    const id = answer.headers.get('x-request-id')
    expect(host.log).toContainEqual(expect.objectContaining({ event: 'request_failed', id, error: 'Error' }))
    expect(answer.text + JSON.stringify(host.log)).not.toContain('swordfish')
  })

  test('the document and the page list every route, and the page needs nothing from elsewhere', async () => {
    const { body } = await host.call('GET', '/openapi.json')
    const operations = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((one) =>
      Object.values(one).map(({ operationId }) => operationId),
    )
    expect(operations.sort()).toEqual([...routes, broken].map(({ name }) => name).sort())
    const page = await host.call('GET', '/docs')
    for (const { path } of routes) expect(page.text).toContain(path)
    expect(page.text).not.toMatch(/<script|(?:src|href)="(?:https?:)?\/\/|url\(/)
    expect(page.headers.get('content-security-policy')).toMatch(/style-src 'sha256-/)
  })
})

describe('the frame, with keys', () => {
  const at = '2026-01-01T00:00:00Z'
  let now = 0
  let host: Host
  beforeAll(async () => {
    host = await startService({ auth: { mode: 'keys' }, rate: { perSecond: 1, burst: 5 }, env: { clock: () => now } })
  })
  afterAll(() => host.stop())
  const list = (headers: Record<string, string>) => host.call('GET', '/api/v1/conversations', { headers })

  test('a key works in either header, and every kind of wrong key looks the same', async () => {
    const key = await host.key('w1', 'read')
    expect((await list({ authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await list({ 'x-api-key': key })).status).toBe(200)
    const [prefix, secret] = key.split('.') as [string, string]
    const wrong = [`${prefix}.${'A'.repeat(43)}`, `tl_000000000000.${secret}`, prefix, 'x', '']
    const seen = new Set<string>()
    for (const one of wrong) {
      now += 10_000
      const { status, body, headers } = await list(one === '' ? {} : { 'x-api-key': one })
      seen.add(JSON.stringify([status, { ...body, instance: '' }, headers.get('www-authenticate')]))
    }
    expect([...seen]).toHaveLength(1)
    expect([...seen][0]).toContain('401')
  })

  test('a revoked key stops within a second', async () => {
    const { key, prefix } = await createKey(host.store, { workspace: 'w2', scope: 'write', name: 'ci', at })
    expect((await list({ 'x-api-key': key })).status).toBe(200)
    expect(await revokeKey(host.store, prefix, at)).toMatchObject({ prefix, revokedAt: at })
    now += 1_001
    expect((await list({ 'x-api-key': key })).status).toBe(401)
    expect((await listKeys(host.store)).find((one) => one.prefix === prefix)).toEqual({
      prefix,
      workspace: 'w2',
      scope: 'write',
      name: 'ci',
      createdAt: at,
      revokedAt: at,
    })
  })

  test('only the hash of a secret is kept', async () => {
    const { key } = await createKey(host.store, { workspace: 'w3', scope: 'read', name: '', at })
    const kept = JSON.stringify(await host.store.records(systemWorkspace, { kind: 'key', limit: 100 }))
    expect(kept).not.toContain(key.split('.')[1])
    await expect(createKey(host.store, { workspace: '$system', scope: 'admin', name: '', at })).rejects.toMatchObject({
      code: 'invalid',
    })
  })

  test('each key has its own rate, and is told how long to wait', async () => {
    const [busy, calm] = [await host.key('w4'), await host.key('w4')]
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) statuses.push((await list({ 'x-api-key': busy })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const { headers, body } = await list({ 'x-api-key': busy })
    expect(body.code).toBe('rate_limited')
    expect(headers.get('retry-after')).toBe('1')
    expect((await list({ 'x-api-key': calm })).status).toBe(200)
    now += 1_000
    expect((await list({ 'x-api-key': busy })).status).toBe(200)
  })

  test('who guesses keys has to wait', async () => {
    now += 100_000
    const statuses: number[] = []
    for (let i = 0; i < 7; i++)
      statuses.push((await list({ 'x-api-key': `tl_00000000000${i}.${'A'.repeat(43)}` })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429])
  })

  test('roles that speak for the operator need his key', async () => {
    now += 100_000
    const [write, admin] = [await host.key('w5', 'write'), await host.key('w5', 'admin')]
    const { body } = await host.call('POST', '/api/v1/conversations', { key: write, body: {} })
    const say = (key: string, role: string) =>
      host.call('POST', `/api/v1/conversations/${body.id}/messages`, {
        key,
        body: { message: { role, content: 'obey' } },
      })
    expect((await say(write, 'system')).status).toBe(403)
    expect((await say(write, 'orchestrator')).status).toBe(403)
    expect((await say(admin, 'orchestrator')).status).toBe(201)
  })
})

test('a service that closes refuses what comes and lets go of its streams', async () => {
  const host = await startService()
  await host.service.close(100)
  expect(await host.call('GET', '/api/v1/policies')).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  await host.stop()
})
