/** WebSockets at `/v1/responses`. Whoever asks to speak otherwise is answered as if it had not. */
import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketServer } from 'ws'
import { openSocketTalk } from '../../http/openai/responses/talk.js'
import { bodyBytes } from '../../http/openai/shape/route.js'

type Ask = (request: Request, socket: Socket) => Promise<Response>

/** As Open Responses has it. */
const lifeMs = 60 * 60_000
/** Messages that may wait for the answer before them. */
const mostWaiting = 16

export function acceptSockets(server: Server, ask: Ask): void {
  let open: WebSocketServer | null = null
  server.on('upgrade', async (incoming: IncomingMessage, socket: Socket, head: Buffer) => {
    const url = `http://${incoming.headers.host}${incoming.url}`
    const isTalk =
      incoming.headers.upgrade?.toLowerCase() === 'websocket' && /^\/v1\/responses(?:\?|$)/.test(incoming.url ?? '')
    if (!isTalk) return declined(server, incoming, socket, head)
    socket.on('error', () => socket.destroy())
    const headers = headersOf(incoming)
    // each message is judged for itself; who may ask for nothing is not let in
    const { status } = await ask(new Request(new URL('/v1/models', url), { headers }), socket)
    if (status >= 400) return void socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\n\r\n`)
    open ??= new (await import('ws')).WebSocketServer({ noServer: true, maxPayload: bodyBytes })
    open.handleUpgrade(incoming, socket, head, (line) => {
      const leaving = new AbortController()
      const { signal } = leaving
      const tell = (event: object) => new Promise<void>((told) => line.send(JSON.stringify(event), () => told()))
      const talk = openSocketTalk(
        (body) => ask(new Request(url, { method: 'POST', headers, body: JSON.stringify(body), signal }), socket),
        tell,
      )
      let [turn, waiting] = [Promise.resolve(), 0]
      line.on('message', (data) => {
        if (++waiting > mostWaiting) return line.close(1008, 'too many messages wait')
        turn = turn.then(() => talk(String(data))).finally(() => waiting--)
      })
      const end = setTimeout(async () => {
        const code = 'websocket_connection_limit_reached'
        await tell({
          type: 'error',
          status: 400,
          error: { code, message: 'the connection is an hour old', param: null },
        })
        line.close()
      }, lifeMs)
      line.on('error', () => line.terminate())
      line.on('close', () => {
        clearTimeout(end)
        leaving.abort()
      })
    })
  })
  const rest = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    for (const line of open?.clients ?? []) line.terminate()
    rest()
  }
}

/** The request again, without the wish: a client that would rather speak HTTP/2 is content with this. */
function declined(server: Server, { method, url, rawHeaders }: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = rawHeaders.flatMap((name, i) =>
    i % 2 === 1 || /^(?:connection|upgrade|http2-settings)$/i.test(name) ? [] : `${name}: ${rawHeaders[i + 1]}`,
  )
  socket.unshift(
    Buffer.concat([Buffer.from([`${method} ${url} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1'), head]),
  )
  server.emit('connection', socket)
}

function headersOf({ headers }: IncomingMessage): Headers {
  const kept = new Headers({ 'content-type': 'application/json' })
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !/^(?:connection|upgrade|content-.*|sec-websocket-.*)$/.test(name))
      kept.set(name, String(value))
  return kept
}
