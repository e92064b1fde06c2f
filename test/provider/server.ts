/** A provider on this machine that speaks every wire, says what the script says, and fails as it is told. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Answer, Wire } from './answer.js'
import { type Act, type FaultName, faults } from './faults.js'
import { framesOf } from './frames.js'

export interface Recorded {
  readonly wire: Wire
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
  /** The body, to the byte. */
  readonly text: string
  /** From 1. */
  readonly number: number
  /** Bytes that were sent so far. */
  sent: number
  /** Set when the client went away before the response was over. */
  abandoned: boolean
}

export interface Refused {
  readonly status: number
  readonly body: unknown
}

export interface ProviderOptions {
  readonly answer?: Answer | ((request: Recorded) => Answer)
  readonly fault?: FaultName | null | ((request: Recorded) => FaultName | null)
  /** What it refuses, and how; null for what it answers. */
  readonly refuse?: (request: Recorded) => Refused | null
  /** Names of the models that it lists. */
  readonly models?: readonly string[]
  /** Tokens of the windows that its list tells, as vLLM does. */
  readonly windows?: Readonly<Record<string, number>>
  /** The only key that it takes; any when left out. */
  readonly key?: string
}

export interface Provider {
  /** Without a path and without a slash at its end. */
  readonly url: string
  readonly requests: readonly Recorded[]
  /** Changes what is said and done from now on. */
  set(options: ProviderOptions): void
  close(): Promise<void>
}

export async function startProvider(given: ProviderOptions = {}): Promise<Provider> {
  let options = given
  const requests: Recorded[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    void serve(request, response, () => options, requests).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  const url = await listen(server)
  return {
    url,
    requests,
    set(next) {
      options = { ...options, ...next }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** An address where no one listens. No port that was free a moment ago: another server may have it by now. */
export const deadAddress = 'http://127.0.0.1:2'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const wireOf = (path: string): Wire | null => {
  if (path.endsWith('/messages')) return 'anthropic'
  if (path.endsWith('/chat/completions')) return 'openai-chat'
  if (path.endsWith('/responses')) return 'openai-responses'
  if (path.endsWith(':streamGenerateContent')) return 'google'
  return path.endsWith('/api/chat') ? 'ollama' : null
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: () => ProviderOptions,
  requests: Recorded[],
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] as string
  const text = await bodyOf(request)
  const { key } = options()
  if (key !== undefined && keyIn(request) !== key) {
    const said = `Incorrect API key provided: ${keyIn(request)}`
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: said } }))
    return
  }
  const wire = wireOf(path)
  if (!wire) {
    list(path, options(), response)
    return
  }
  const record: Recorded = {
    wire,
    path,
    headers: request.headers,
    body: JSON.parse(text),
    text,
    number: requests.length + 1,
    sent: 0,
    abandoned: false,
  }
  requests.push(record)
  response.on('close', () => {
    record.abandoned = !response.writableFinished
  })
  response.on('error', () => undefined)
  const { answer = { text: 'Hello.' }, fault = null, refuse = () => null } = options()
  const refused = refuse(record)
  if (refused) {
    response.writeHead(refused.status, { 'content-type': 'application/json' }).end(JSON.stringify(refused.body))
    return
  }
  const said = typeof answer === 'function' ? answer(record) : answer
  const wrong = typeof fault === 'function' ? fault(record) : fault
  const frames = framesOf(wire, said, (record.body as { model?: string }).model ?? 'model')
  const all = [...frames.begin, ...frames.body, ...frames.close, ...frames.terminal]
  const right: Act[] = [
    { do: 'head', status: 200, headers: { 'content-type': frames.contentType } },
    ...all.map((frame): Act => ({ do: 'send', bytes: Buffer.from(frame) })),
  ]
  await act(wrong ? faults[wrong](frames, wire) : right, response, record)
}

async function act(acts: readonly Act[], response: ServerResponse, record: Recorded): Promise<void> {
  const send = async (bytes: Uint8Array): Promise<void> => {
    record.sent += bytes.byteLength
    if (response.write(bytes) || response.destroyed) return
    await new Promise<void>((resolve) => {
      const go = () => {
        response.off('drain', go).off('close', go)
        resolve()
      }
      response.on('drain', go).on('close', go)
    })
  }
  for (const one of acts) {
    if (response.destroyed) return
    if (one.do === 'head') response.writeHead(one.status, one.headers).flushHeaders()
    if (one.do === 'send') {
      await send(one.bytes)
      if (acts.length < 5_000) await turn()
    }
    if (one.do === 'repeat') for (let at = 0; at < one.times && !response.destroyed; at++) await send(one.bytes)
    if (one.do === 'wait') await wait(one.ms)
    if (one.do === 'hang') return
    if (one.do === 'cut') {
      // what was written has to be on its way first
      await wait(5)
      response.destroy()
      return
    }
  }
  response.end()
}

const keyIn = ({ headers }: IncomingMessage): string | undefined =>
  [headers['x-api-key'], headers['x-goog-api-key'], headers.authorization?.replace(/^Bearer /, '')].flat().find(Boolean)

function list(path: string, { models = [], windows = {} }: ProviderOptions, response: ServerResponse): void {
  const found = listings(path, models, windows)
  // no connection is kept: a client must see at once that a server is gone
  const headers = { 'content-type': 'application/json', connection: 'close' }
  response.writeHead(found ? 200 : 404, headers).end(JSON.stringify(found ?? {}))
}

function listings(path: string, models: readonly string[], windows: ProviderOptions['windows'] & {}): object | null {
  if (path === '/api/tags') return { models: models.map((name) => ({ name, model: name, size: 1 })) }
  if (path === '/api/show') return { model_info: { 'general.architecture': 'llama', 'llama.context_length': 16_384 } }
  if (path.endsWith('/v1beta/models'))
    return { models: models.map((id) => ({ name: `models/${id}`, supportedGenerationMethods: ['generateContent'] })) }
  if (!path.endsWith('/v1/models')) return null
  return { data: models.map((id) => ({ id, object: 'model', ...(windows[id] && { max_model_len: windows[id] }) })) }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
