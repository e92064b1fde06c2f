/** A Node server around a `fetch` handler. Streams pass as they are made, at the pace of their reader. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { IsStranger } from './peer.js'
import { pour } from './pour.js'
import { acceptSockets } from './sockets.js'

interface Handler {
  fetch(request: Request, info: { readonly remote?: string; readonly stranger?: boolean }): Promise<Response>
}

interface HostOptions {
  /** Told of an event stream that opens, and returns what is to be told of its end. */
  readonly streaming: () => () => void
  /** Says whether another user of this machine is calling. */
  readonly isStranger?: IsStranger
  /** No more requests on connections that are open. */
  readonly leaving: () => boolean
}

/** A client must have sent its headers, and the whole of its request, within so long. */
const headersMs = 10_000
const requestMs = 60_000
/** Longer than the usual patience of a proxy in front, so that it is never the one to find the door shut. */
const idleMs = 65_000

export function hostOf(handler: Handler, { streaming, leaving, isStranger }: HostOptions): Server {
  const ask = async (request: Request, socket: Socket): Promise<Response> => {
    const remote = socket.remoteAddress
    const stranger = isStranger ? await isStranger(socket) : false
    return handler.fetch(request, { stranger, ...(remote !== undefined && { remote }) })
  }
  // a plain one: where the adapter's own class stood in for it already, the adapter would send it
  const sent = RESPONSE_ALREADY_SENT.clone()
  const listener = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await ask(request, incoming.socket)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      outgoing.once('close', streaming())
      // the adapter would keep a promise for every chunk of a stream until its end
      void pour(response, outgoing as ServerResponse)
      return sent
    },
    { errorHandler: () => new Response(null, { status: 400 }) },
  )
  const options = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: idleMs,
    connectionsCheckingInterval: 2_000,
  }
  const server = createServer(options, (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (leaving()) outgoing.shouldKeepAlive = false
    void listener(incoming, outgoing as HttpBindings['outgoing'])
  })
  endStuck(server)
  acceptSockets(server, ask)
  return server
}

// Readers that have stopped reading are let go, so that what waits for them does not stay in memory.

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
