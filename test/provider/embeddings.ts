/** A server on this machine that speaks OpenAI's embeddings, and fails as it is told. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export interface Asked {
  readonly path: string
  readonly key: string | undefined
  readonly model: string
  readonly input: readonly string[]
  readonly dimensions?: number
  readonly encoding_format?: string
}

/** What it does instead of answering well; the number of the request is from 1. */
export type Fault = (asked: Asked, response: ServerResponse, number: number) => boolean

export interface Embeddings {
  readonly url: string
  readonly requests: Asked[]
  fault: Fault | null
  close(): Promise<void>
}

/** A word is a direction, so that texts with the same words are near. */
export function vectorOf(text: string, dimensions = 16): number[] {
  const vector = Array.from({ length: dimensions }, () => 0)
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    let hash = 7
    for (const char of word) hash = (Math.imul(hash, 31) + char.charCodeAt(0)) >>> 0
    vector[hash % dimensions] = (vector[hash % dimensions] as number) + 1
  }
  return vector
}

export async function startEmbeddings(): Promise<Embeddings> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => void serve(request, response))
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
  })
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request) body += chunk
    const asked: Asked = { path: request.url ?? '', key: request.headers.authorization, ...JSON.parse(body) }
    running.requests.push(asked)
    if (running.fault?.(asked, response, running.requests.length)) return
    json(response, 200, answerTo(asked))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const running: Embeddings = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests: [],
    fault: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return running
}

export const answerTo = ({ input, model, dimensions }: Asked) => ({
  object: 'list',
  // not in the order of the texts: the index says whose it is
  data: input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, dimensions) })).reverse(),
  model,
  usage: { prompt_tokens: input.length, total_tokens: input.length },
})

export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
  return true
}
