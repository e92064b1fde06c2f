/** A TCP proxy before the server that can cut a connection around a commit. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** `before` the commit reaches the server; `after` the server has answered it and the client has not yet heard. */
export type Cut = 'none' | 'before' | 'after'

export interface Proxy {
  readonly url: string
  /** What happens at the next commit of a write; then it is `none` again. */
  cut: Cut
  readonly cuts: () => number
  close(): Promise<void>
}

/** The simple query `commit` as it stands in the protocol. */
const commit = Buffer.from('commit\0')
/** Writes carry this with their commit; reads do not. */
const mark = Buffer.from('insert_entry')

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
      const cut = chunk.includes(commit) && chunk.includes(mark) ? proxy.cut : 'none'
      if (cut !== 'none') {
        proxy.cut = 'none'
        cuts++
      }
      if (cut === 'before') return end()
      deaf = cut === 'after'
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => {
      // the answer to the commit is the last of the batch
      if (deaf) return chunk.includes('COMMIT\0') ? end() : undefined
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
