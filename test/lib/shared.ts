/**
 * A server that a whole run of vitest shares and that starts when the first test asks for it. Workers ask over a loopback
 * socket, because they live in other threads or processes.
 */
import { type AddressInfo, connect, createServer } from 'node:net'

export interface Opened<T> {
  /** What a worker is told, as JSON. */
  readonly told: T
  readonly end: () => Promise<void>
}

export interface Shared {
  /** Where workers ask. */
  readonly port: number
  end(): Promise<void>
}

export async function share<T>(open: () => Promise<Opened<T>>): Promise<Shared> {
  let opened: Promise<Opened<T>> | undefined
  const server = createServer((socket) => {
    opened ??= open()
    socket.on('error', () => {})
    void opened.then(({ told }) => socket.end(JSON.stringify(told)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  server.unref()
  return {
    port: (server.address() as AddressInfo).port,
    async end() {
      server.close()
      await (await opened)?.end()
    },
  }
}

export async function ask<T>(port: number): Promise<T> {
  let said = ''
  for await (const chunk of connect(port, '127.0.0.1').setEncoding('utf8')) said += chunk
  return JSON.parse(said)
}
