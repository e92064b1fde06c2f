/** Files by their hash: kept, fetched, walled off, and given to models. */
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { openClient } from '../../src/client/index.js'
import { blobBytes } from '../../src/http/history/blobs.js'
import { type Host, type HostOptions, startService } from './host.js'
import { modelsOf, saying } from './live-models.js'

const hosts: Host[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop()
})
const start = async (options?: HostOptions): Promise<Host> => {
  const host = await startService({ store: 'sqlite', ...options })
  hosts.push(host)
  return host
}

const put = (host: Host, id: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
  fetch(`${host.url}/api/v1/conversations/${id}/blobs`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body: new Blob([body as string]),
  })

const large = (bytes: number): Uint8Array => new Uint8Array(bytes).map((_, at) => (at * 31) % 251)

describe('a blob', () => {
  test('comes back to the byte, larger than any other body may be, and never as a page', async () => {
    const host = await start()
    await host.call('POST', '/api/v1/conversations', { body: { id: 'c' } })
    const bytes = large(3 * 1024 * 1024)
    const kept = await put(host, 'c', bytes, { 'content-type': 'text/html' })
    expect(kept.status).toBe(201)
    const { id, size, media_type } = (await kept.json()) as { id: string; size: number; media_type: string }
    expect([id, size, media_type]).toEqual([
      createHash('sha256').update(bytes).digest('hex'),
      bytes.length,
      'text/html',
    ])
    const back = await fetch(`${host.url}/api/v1/conversations/c/blobs/${id}`)
    expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true)
    expect(back.headers.get('content-type')).toBe('application/octet-stream')
    expect(back.headers.get('content-disposition')).toBe('attachment')
    expect(back.headers.get('content-security-policy')).toContain('sandbox')
  })

  test.each<[string, number, (host: Host) => Promise<Response>]>([
    ['that is empty', 400, (host) => put(host, 'c', '')],
    ['that is too large', 413, (host) => put(host, 'c', new Uint8Array(blobBytes + 1))],
    ['of no type', 415, (host) => put(host, 'c', 'x', { 'content-type': 'nothing' })],
    ['that is packed', 415, (host) => put(host, 'c', 'x', { 'content-encoding': 'gzip' })],
    ['for no conversation', 404, (host) => put(host, 'none', 'x')],
  ])('%s is refused with %i', async (_, status, ask) => {
    const host = await start()
    await host.call('POST', '/api/v1/conversations', { body: { id: 'c' } })
    expect((await ask(host)).status).toBe(status)
  })

  test('is in its own workspace alone, and needs a key that may write', async () => {
    const host = await start({ auth: { mode: 'keys' } })
    const [ann, ben, reader] = [await host.key('ann'), await host.key('ben'), await host.key('ann', 'read')]
    for (const key of [ann, ben]) await host.call('POST', '/api/v1/conversations', { key, body: { id: 'c' } })
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
    expect((await put(host, 'c', 'x')).status).toBe(401)
    expect((await put(host, 'c', 'x', bearer(reader))).status).toBe(403)
    const { id } = (await (await put(host, 'c', 'x', bearer(ann))).json()) as { id: string }
    const read = (key: string) => host.call('GET', `/api/v1/conversations/c/blobs/${id}`, { key })
    expect((await read(reader)).status).toBe(200)
    expect((await read(ben)).status).toBe(404)
  })

  test('is given to the model that answers: a picture, a text; what no model takes is named', async () => {
    const model = saying('Seen.')
    const host = await start({ models: modelsOf(model) })
    const client = openClient({ url: host.url })
    await client.conversations.create({ id: 'c' })
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const kept = async (body: string | Buffer, type: string) =>
      ((await (await put(host, 'c', body, { 'content-type': type })).json()) as { id: string }).id
    const file = (name: string, mediaType: string, id: string) => ({
      type: 'file',
      name,
      mediaType,
      source: { kind: 'ref', id },
    })
    const parts = [
      { type: 'text', text: 'What is in these?' },
      file('a.png', 'image/png', await kept(Buffer.from(pixel, 'base64'), 'image/png')),
      file('b.txt', 'text/plain', await kept('the words within', 'text/plain')),
      file('c.zip', 'application/zip', await kept('packed', 'application/zip')),
      file('d.png', 'image/png', 'f'.repeat(64)),
    ]
    for (const message of [{ role: 'user' as const, parts }, 'And again?']) {
      const { run } = await client.runs.start('c', { message })
      for await (const event of client.runs.follow('c', run.id)) if (event.type === 'run-ended') break
      const { receipt_id } = await client.runs.get('c', run.id)
      const replay = await client.receipts.replay(receipt_id as string)
      expect(replay.same).toBe(true)
      const sent = JSON.stringify(replay.request)
      expect(sent).toContain(pixel)
      expect(sent).toContain('the words within')
      expect(sent).toContain('[file: c.zip (application/zip) not sent]')
      expect(sent).toContain('[image not sent]')
    }
  })
})
