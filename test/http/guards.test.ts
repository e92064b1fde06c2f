/** Who may ask, how often and how much: what broke in the field, each with the name it has there. */
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { revokeKey } from '../../src/http/kit/keys.js'
import { openUploads } from '../../src/http/kit/uploads.js'
import { clientAddress } from '../../src/http/origin.js'
import { type Host, startService } from './host.js'
import { gated, modelsOf } from './live-models.js'

let host: Host
beforeAll(async () => {
  host = await startService({ auth: { mode: 'keys' }, rate: { perSecond: 1, burst: 5 }, env: { clock: () => 0 } })
})
afterAll(() => host.stop())

const statuses = async (times: number, ask: () => Promise<{ readonly status: number }>): Promise<number[]> => {
  const seen: number[] = []
  for (let i = 0; i < times; i++) seen.push((await ask()).status)
  return seen
}

describe('limits (B14)', () => {
  test('a flood of /health is never refused, and takes nothing from anyone', async () => {
    expect(new Set(await statuses(50, () => host.call('GET', '/health')))).toEqual(new Set([200]))
    expect(new Set(await statuses(50, () => host.call('GET', '/ready')))).toEqual(new Set([200]))
    expect((await host.call('GET', '/docs')).status).toBe(200)
    const key = await host.key('calm')
    expect((await host.call('GET', '/api/v1/policies', { key })).status).toBe(200)
  })

  test('public pages have buckets of their own: who empties them keeps nobody with a key out', async () => {
    expect(await statuses(7, () => host.call('GET', '/openapi.json'))).toContain(429)
    const key = await host.key('calm')
    expect((await host.call('GET', '/api/v1/policies', { key })).status).toBe(200)
  })

  test('each address has its own, as a trusted proxy names it', () => {
    const of = (trusted: string[], peer: string, forwarded?: string) =>
      clientAddress(trusted)(new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }), peer).remote
    expect(of([], '203.0.113.9', '198.51.100.1')).toBe('203.0.113.9')
    expect(of(['10.0.0.0/8'], '10.1.2.3', '198.51.100.1')).toBe('198.51.100.1')
    expect(of(['10.0.0.0/8'], '::ffff:10.1.2.3', '6.6.6.6, 198.51.100.1, 10.0.0.7')).toBe('198.51.100.1')
    expect(of(['10.0.0.0/8'], '10.1.2.3')).toBe('10.1.2.3')
    expect(of(['::1'], '::1', '2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
    expect(of([], '2001:db8::6')).toBe('2001:db8:0:0::/64')
    expect(of(['10.0.0.0/8'], '10.1.2.3', 'rubbish')).toBe('rubbish')
  })

  test('unfinished uploads have bounded room, for everyone together and for each', () => {
    const uploads = openUploads({ all: 100, each: 60 })
    const [first, second, other] = [uploads.begin('a'), uploads.begin('a'), uploads.begin('b')]
    first.take(50)
    expect(() => second.take(11)).toThrow('too much is being uploaded')
    other.take(50)
    expect(() => second.take(1)).toThrow('too much is being uploaded')
    first.end()
    second.take(50)
    first.end()
    expect(() => second.take(1)).toThrow('too much is being uploaded')
  })

  test('many stuck uploads do not fill the memory: those beyond the room are refused', async () => {
    const key = await host.key('stuck')
    const { body } = await host.call('POST', '/api/v1/conversations', { key, body: {} })
    const path = `/api/v1/conversations/${body.id}/blobs`
    const size = 15 * 1024 * 1024
    const upload = (): Promise<number> =>
      new Promise((resolve) => {
        const asked = httpRequest(host.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-length': size + 1, 'content-type': 'image/png' },
        })
        asked.on('response', (answer) => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
          asked.destroy()
        })
        asked.on('error', () => resolve(0))
        asked.write(Buffer.alloc(size))
        open.push(() => asked.destroy())
      })
    const open: (() => void)[] = []
    const all = [upload(), upload(), upload(), upload()]
    expect(await Promise.race(all)).toBe(429)
    for (const end of open) end()
    await Promise.all(all)
  })
})

describe('a page of another site (B9)', () => {
  let open: Host
  beforeAll(async () => {
    open = await startService()
  })
  afterAll(() => open.stop())
  // fetch of Node sets some of these headers itself
  const ask = (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    new Promise((resolve) => {
      httpRequest(open.url + path, { headers }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      }).end()
    })
  const search = '/api/v1/search?q=secret'

  test.each(['cross-site', 'same-site'])('%s: cannot ask anything that could be timed', async (site) => {
    for (const [mode, dest] of [
      ['no-cors', 'image'],
      ['no-cors', 'empty'],
      ['navigate', 'iframe'],
      ['navigate', 'document'],
    ] as const)
      expect(
        await ask(search, { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': dest }),
        `${mode} ${dest}`,
      ).toBe(403)
    expect(await ask('/', { 'sec-fetch-site': site, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe(
      403,
    )
  })

  test('may link to a public page; the app itself and a typed address may ask', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect(await ask('/docs', link)).toBe(200)
    for (const site of ['same-origin', 'none']) expect(await ask(search, { 'sec-fetch-site': site })).toBe(200)
    expect(await ask(search, {})).toBe(200)
  })
})

describe('a key that is revoked (B7)', () => {
  const at = '2026-01-01T00:00:00.000Z'

  test('hears nothing more on a stream that is open', async () => {
    const host = await startService({ auth: { mode: 'keys' } })
    const key = await host.key('w')
    const { body } = await host.call('POST', '/api/v1/conversations', { key, body: {} })
    const stream = await fetch(`${host.url}/api/v1/conversations/${body.id}/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    })
    expect(stream.status).toBe(200)
    await revokeKey(host.store, key.split('.')[0] as string, at)
    // the stream ends by itself
    expect(await stream.text()).toContain('retry:')
    await host.stop()
  })

  test('and its runs are stopped', async () => {
    const host = await startService({ auth: { mode: 'keys' }, models: modelsOf(gated().model) })
    const [key, other] = [await host.key('w'), await host.key('w')]
    const { body } = await host.call('POST', '/api/v1/conversations', { key, body: {} })
    const path = `/api/v1/conversations/${body.id}/runs`
    const run = await host.call('POST', path, { key, body: { message: 'Count.' } })
    expect(run.status).toBe(201)
    await revokeKey(host.store, key.split('.')[0] as string, at)
    await expect
      .poll(async () => (await host.call('GET', `${path}/${run.body.run.id}`, { key: other })).body.state, {
        timeout: 5_000,
      })
      .toBe('stopped')
    await host.stop()
  })
})

test.each(['.', '..'])('a conversation %j cannot be made, because no address leads to it', async (id) => {
  const open = await startService()
  const { status, body } = await open.call('POST', '/api/v1/conversations', { body: { id } })
  expect([status, body.errors?.[0]?.path ?? body.code]).toEqual([422, 'conversation.id'])
  await open.stop()
})
