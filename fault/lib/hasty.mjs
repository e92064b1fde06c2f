// A TCP proxy that hands the server a commit and hangs up on both sides at once: nobody knows whether it was done.
import { connect, createServer } from 'node:net'

/** An append is one message, which commits at its end. */
const isCommit = (chunk) => chunk.includes('throughline_append_')

export async function hastyProxyTo(server) {
  const url = new URL(server)
  const { hostname, port } = url
  const sockets = new Set()
  const state = { isArmed: false, cuts: 0 }
  const listener = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', end)
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => {
      if (!state.isArmed || !isCommit(chunk)) return upstream.write(chunk)
      state.isArmed = false
      state.cuts++
      upstream.write(chunk, end)
    })
    upstream.on('data', (chunk) => client.write(chunk))
  })
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  url.port = String(listener.address().port)
  return {
    url: url.href,
    arm: () => {
      state.isArmed = true
    },
    cuts: () => state.cuts,
    close: () =>
      new Promise((resolve) => {
        listener.close(resolve)
        for (const socket of sockets) socket.destroy()
      }),
  }
}
