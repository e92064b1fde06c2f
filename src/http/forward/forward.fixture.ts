/** A provider that keeps each request to the byte and answers what it is told, with a service in front of it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Host, type HostOptions, startService } from '../../../test/http/host.js'
import { openModels } from '../../models/registry.js'
import type { ModelsConfig } from '../../models/wire/config.js'
import { openRecorder } from './recorder.js'

export interface Heard {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The client went away before the answer was over. */
  left: boolean
}

export type Act = (heard: Heard, response: ServerResponse) => void

export interface Wired extends Host {
  readonly heard: readonly Heard[]
  readonly provider: string
  acts(act: Act): void
  /** When all that passed is kept. */
  recorded(): Promise<void>
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>
}

export const answers =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Act =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

export const streams =
  (...chunks: readonly string[]): Act =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const chunk of chunks) response.write(chunk)
    response.end()
  }

export const eventsOf = (...events: readonly { readonly type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

/** An answer of Anthropic's, as it streams one. */
export const saying = (text: string, input = 10): string =>
  eventsOf(
    {
      type: 'message_start',
      message: { id: 'msg_1', role: 'assistant', content: [], model: 'm', usage: { input_tokens: input } },
    } as { type: string },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as { type: string },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as { type: string },
    { type: 'content_block_stop', index: 0 } as { type: string },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } } as { type: string },
    { type: 'message_stop' },
  )

export async function openWired(options: HostOptions = {}, config: Partial<ModelsConfig> = {}): Promise<Wired> {
  const heard: Heard[] = []
  let act: Act = streams(saying('Hello.'))
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one: Heard = {
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
      left: false,
    }
    heard.push(one)
    response.on('close', () => {
      one.left = !response.writableFinished
    })
    act(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const models = await openModels({
    providers: {
      anthropic: { baseUrl: `${provider}/v1` },
      openai: { baseUrl: `${provider}/v1` },
      google: { baseUrl: `${provider}/v1beta` },
      ollama: false,
      lmstudio: false,
    },
    ...config,
  })
  const recorder = openRecorder()
  const host = await startService({ models, ...options, forward: { recorder, ...options.forward } })
  return {
    ...host,
    heard,
    provider,
    recorded: () => recorder.settled(),
    acts: (next) => {
      act = next
    },
    post: (path, body, headers = {}, signal) =>
      fetch(host.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'sk-client', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...(signal && { signal }),
      }),
    async stop() {
      await host.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
