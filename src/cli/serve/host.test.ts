import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { endStuck, hostOf } from './host.js'

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const host = (fetch: (request: Request, info: { readonly remote?: string }) => Promise<Response>, leaving = false) =>
  hostOf({ fetch }, { streaming: () => () => {}, leaving: () => leaving })

describe('the Node host', () => {
  test("passes the client's address, and streams as they are made", async () => {
    let more: (text: string) => void = () => {}
    const server = host(async (_, { remote }) => {
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          more = (text) => controller.enqueue(encoder.encode(text))
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream', 'x-remote': String(remote) } })
    })
    const answer = await fetch(`http://127.0.0.1:${await portOf(server)}/`)
    expect(answer.headers.get('x-remote')).toBe('127.0.0.1')
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
    for (const word of ['one', 'two', 'three']) {
      more(word)
      expect(new TextDecoder().decode((await reader.read()).value)).toBe(word)
    }
    await reader.cancel()
    server.closeAllConnections()
    server.close()
  })

  test('makes no more of a stream than its reader takes [T-86]', async () => {
    let made = 0
    let cancelled = false
    const server = host(async () => {
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          made++
          controller.enqueue(new Uint8Array(64 * 1024))
        },
        cancel() {
          cancelled = true
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    })
    const socket = connect(await portOf(server), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
    await new Promise((resolve) => socket.once('readable', resolve))
    await new Promise((resolve) => setTimeout(resolve, 300))
    const then = made
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(made).toBe(then)
    expect(made * 64 * 1024).toBeLessThan(32 * 1024 * 1024)
    socket.destroy()
    await expect.poll(() => cancelled).toBe(true)
    server.close()
  })

  test('closes the connection behind each answer once it is leaving', async () => {
    const server = host(async () => new Response('bye'), true)
    const answer = await fetch(`http://127.0.0.1:${await portOf(server)}/`)
    expect([await answer.text(), answer.headers.get('connection')]).toEqual(['bye', 'close'])
    server.close()
  })
})

test('a reader that has stopped reading is let go [T-86]', async () => {
  const server = createServer((_, response) => {
    response.write(Buffer.alloc(64 * 1024 * 1024))
  })
  endStuck(server, 200, 50)
  const socket = connect(await portOf(server), '127.0.0.1')
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  socket.on('error', () => {})
  await new Promise<void>((resolve) => server.once('connection', (one) => one.once('close', () => resolve())))
  socket.destroy()
  server.close()
})
