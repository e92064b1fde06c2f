import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FollowedEvent } from '../../src/runs/contract.js'
import { openRuns } from '../../src/runs/runs.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { builtinModels, type Host, startService } from './host.js'
import { gated, modelsOf } from './live-models.js'

describe('an owner', () => {
  let host: Host
  let ada: string
  let bob: string
  beforeAll(async () => {
    host = await startService({ store: 'sqlite', auth: { mode: 'keys' }, rate: null })
    ada = await host.key('ada')
    bob = await host.key('bob')
  })
  afterAll(() => host.stop())

  test('makes, lists, renames, archives, exports and deletes conversations, and no one else does [S1-P1] [T-69]', async () => {
    const call = async (method: string, path: string, body?: unknown, key = ada) => {
      return host.call(method, path, { key, ...(body === undefined ? null : { body }) })
    }
    for (let i = 0; i < 25; i++) {
      const { body } = await call('POST', '/chat', {
        message: `Project number ${i} is about herons.`,
        session_id: `p${i}`,
      })
      expect(body.session_id).toBe(`p${i}`)
    }
    const first = await call('GET', '/api/v1/conversations?limit=10')
    expect(first.body.items).toHaveLength(10)
    expect(first.body.items[0].title).toBe('Project number 24 is about herons.')
    const ids: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await call('GET', `/api/v1/conversations?limit=10${cursor && `&cursor=${cursor}`}`)
      ids.push(...page.body.items.map(({ id }: { id: string }) => id))
      cursor = page.body.next_cursor
    }
    expect(new Set(ids).size).toBe(25)

    const at = '/api/v1/conversations/p3'
    expect((await call('PATCH', at, { title: 'Herons' })).body.title).toBe('Herons')
    expect((await call('PATCH', at, { archived: true })).body.archived).toBe(true)
    expect((await call('GET', at)).body).toMatchObject({ title: 'Herons', archived: true, entries: 2 })
    const markdown = await call('GET', `${at}/export?format=markdown`)
    expect([markdown.status, markdown.text.includes('herons')]).toEqual([200, true])
    expect((await call('GET', `${at}/export?format=json`)).status).toBe(200)

    for (const [method, path, body] of [
      ['GET', at, undefined],
      ['PATCH', at, { title: 'mine' }],
      ['DELETE', at, undefined],
      ['GET', `${at}/messages`, undefined],
      ['POST', `${at}/messages`, { message: 'mine' }],
      ['POST', `${at}/runs`, { message: 'mine' }],
      ['GET', `${at}/runs`, undefined],
      ['GET', `${at}/events`, undefined],
      ['POST', `${at}/shares`, {}],
      ['GET', `${at}/export`, undefined],
    ] as const)
      expect([path, (await call(method, path, body, bob)).status]).toEqual([path, 404])
    expect((await call('GET', '/api/v1/conversations', undefined, bob)).body.items).toEqual([])

    expect((await call('DELETE', at)).status).toBe(200)
    expect([404, 410]).toContain((await call('GET', at)).status)
  })
})

test('each error keeps its own status [L-22]', async () => {
  const { model } = gated()
  const host = await startService({ store: 'sqlite', models: modelsOf(model), auth: { mode: 'keys' }, rate: null })
  const [key, reader] = [await host.key('w'), await host.key('w', 'read')]
  const at = '/api/v1/conversations/c'
  await host.call('POST', '/api/v1/conversations', { key, body: { id: 'c' } })
  const headers = { 'idempotency-key': 'k' }
  const { run } = (await host.call('POST', `${at}/runs`, { key, headers, body: { message: 'one' } })).body
  const refusals = [
    [400, 'invalid_request', await host.call('POST', '/chat', { key, body: {} })],
    [401, 'unauthorized', await host.call('POST', '/chat', { body: { message: 'x' } })],
    [403, 'forbidden', await host.call('POST', '/chat', { key: reader, body: { message: 'x' } })],
    [404, 'not_found', await host.call('GET', `${at}/runs/none`, { key })],
    [405, 'method_not_allowed', await host.call('PUT', '/chat', { key, body: {} })],
    [409, 'busy', await host.call('POST', `${at}/runs`, { key, body: { message: 'two' } })],
    [413, 'too_large', await host.call('POST', '/api/query', { key, body: { prompt: 'x'.repeat(1024 * 1024) } })],
    [
      415,
      'unsupported_type',
      await host.call('POST', '/chat', { key, body: {}, headers: { 'content-type': 'text/plain' } }),
    ],
    [422, 'key_reused', await host.call('POST', `${at}/runs`, { key, headers, body: { message: 'other' } })],
    [422, 'unknown_model', await host.call('POST', '/chat', { key, body: { message: 'x', model: 'no/such' } })],
  ] as const
  for (const [status, code, answer] of refusals) {
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
  }
  await host.call('POST', `${at}/runs/${run.id}/stop`, { key })
  await host.call('DELETE', at, { key })
  const gone = await host.call('POST', '/chat', { key, body: { message: 'x', session_id: 'c' } })
  expect([gone.status, gone.body.code]).toEqual([410, 'gone'])
  await host.stop()
})

test('a reader on a socket that takes nothing holds a few events in memory, not the stream [T-86]', async () => {
  const store = memoryStore()
  let told = 0
  const endless = async function* (): AsyncGenerator<FollowedEvent> {
    for (;;) yield { number: ++told, type: 'text-delta', data: { run: 'r', text: 'x'.repeat(65_536) }, at: '' }
  }
  const runs = { ...openRuns({ store, models: builtinModels }), follow: endless }
  const host = await startService({ store, runs })
  await host.call('POST', '/api/v1/conversations', { body: { id: 'c' } })
  const { hostname, port } = new URL(host.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.pause()
  socket.write(`GET /api/v1/conversations/c/events HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`)
  await new Promise((resolve) => setTimeout(resolve, 500))
  const after = told
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(told).toBe(after)
  // what the two ends of a loopback socket hold by themselves
  expect(told * 65_536).toBeLessThan(32 * 1024 * 1024)
  socket.destroy()
  await host.stop()
})
