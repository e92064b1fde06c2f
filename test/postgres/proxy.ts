/** A TCP proxy before the server that can cut a connection around a commit. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * `before` the commit reaches the server; `after` the server has answered it and the client has not yet heard; `stall`, and
 * the end of the message is not passed on.
 */
export type Cut = 'none' | 'before' | 'after' | 'stall'

export interface Proxy {
  readonly url: string
  /** What happens at the next commit of a write; then it is `none` again. */
  cut: Cut
  readonly cuts: () => number
  close(): Promise<void>
}

/** The name of the statement that an append begins with: it is one message, which commits at its end. */
const append = Buffer.from('throughline_append_')
/** The server is done with a message, and no transaction is open. */
const done = Buffer.from('Z\0\0\0\x05I')
/** With which a message ends, in bytes. */
const sync = 5

export async function proxyTo(server: string): Promise<Proxy> {
  const { hostname, port } = new URL(server)
  const sockets = new Set<Socket>()
  let cuts = 0

  const listener = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    let deaf = false
    client.on('data', (chunk) => {
      const cut = chunk.includes(append) ? proxy.cut : 'none'
      if (cut !== 'none') {
        proxy.cut = 'none'
        cuts++
      }
      if (cut === 'before') return end()
      deaf = cut === 'after'
      upstream.write(cut === 'stall' ? chunk.subarray(0, -sync) : chunk)
    })
    upstream.on('data', (chunk) => {
      if (deaf) return chunk.includes(done) ? end() : undefined
      client.write(chunk)
    })
    client.on('close', end)
    upstream.on('close', end)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(server)
  url.port = String((listener.address() as AddressInfo).port)

  const proxy: Proxy = {
    url: url.href,
    cut: 'none',
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}
