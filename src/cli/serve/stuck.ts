/** Readers that have stopped reading are let go, so that what waits for them does not stay in memory. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface Seen {
  readonly written: number
  readonly since: number
}

/** Checks now and then; a reader with something waiting must take some of it within `patienceMs`. */
export function endStuck(server: Server, patienceMs = 30_000, everyMs = 5_000): void {
  const sockets = new Map<Socket, Seen | null>()
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, null)
    socket.once('close', () => sockets.delete(socket))
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [socket, seen] of sockets) {
      const written = socket.bytesWritten - socket.writableLength
      if (socket.writableLength === 0) sockets.set(socket, null)
      else if (seen === null || written > seen.written) sockets.set(socket, { written, since: now })
      else if (now - seen.since >= patienceMs) socket.destroy()
    }
  }, everyMs)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
