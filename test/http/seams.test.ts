/** The service inside a program of someone else's: its users, its path, its server, its routes, its models. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openService, route, routes, type Service, toNodeHandler } from '../../src/http/index.js'
import { modelFrom, modelList } from '../../src/models/index.js'
import { memoryStore } from '../../src/store/index.js'

/** A language model of the AI SDK, as its version 3 and version 2 speak. */
const languageModel = (version: 2 | 3) => ({
  specificationVersion: `v${version}`,
  provider: 'acme.chat',
  modelId: `acme-${version}`,
  async doStream({ prompt }: { readonly prompt: readonly { readonly role: string }[] }) {
    const parts = [
      { type: 'text-start', id: 't' },
      { type: 'text-delta', id: 't', delta: `heard ${prompt.filter(({ role }) => role === 'user').length}` },
      { type: 'text-end', id: 't' },
      version === 3
        ? {
            type: 'finish',
            finishReason: { unified: 'stop' },
            usage: { inputTokens: { total: 5 }, outputTokens: { total: 2 } },
          }
        : { type: 'finish', finishReason: 'stop', usage: { inputTokens: 5, outputTokens: 2 } },
    ]
    return { stream: ReadableStream.from(parts) }
  },
})

const hello = route({
  name: 'hello',
  method: 'get',
  path: '/hello',
  tag: 'own',
  summary: 'Says whose it is',
  scope: 'read',
  answers: { 200: z.object({ workspace: z.string() }) },
  handle: ({ workspace }) => ({ workspace }),
})

test('a handler in a process of someone else’s leaves its globals alone', () => {
  const { Request, Response } = globalThis
  toNodeHandler({ fetch: async () => new Response() })
  expect(globalThis.Request).toBe(Request)
  expect(globalThis.Response).toBe(Response)
})

describe.each([2, 3] as const)('a service in another program, with a model of version %i', (version) => {
  let service: Service
  let base = ''
  const told: string[] = []
  const server = createServer((incoming, outgoing) => toNodeHandler(service)(incoming, outgoing))

  beforeAll(async () => {
    service = await openService({
      store: memoryStore(),
      models: modelList([modelFrom(languageModel(version), { window: 32_000 })]),
      basePath: '/chat/',
      routes: [...routes, hello],
      auth: (request) => {
        const user = request.headers.get('x-user')
        return user === null ? null : { workspace: user, ...(user === 'guest' && { scope: 'read' }) }
      },
      onEntry: ({ text }, { workspace }) => told.push(`${workspace}: ${text}`),
      onReceipt: (_, { workspace }) => told.push(`${workspace}: receipt`),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    await service.close(0)
    server.close()
  })

  const call = async (path: string, user: string | null, body?: unknown) => {
    const headers = { 'content-type': 'application/json', ...(user && { 'x-user': user }) }
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
    const response = await fetch(base + path, init)
    return { status: response.status, body: await response.json() }
  }

  test('asks the function who calls, and lives below its path', async () => {
    expect(await call('/chat/hello', 'ann')).toEqual({ status: 200, body: { workspace: 'ann' } })
    expect(await call('/chat/hello', null)).toMatchObject({ status: 401 })
    expect(await call('/hello', 'ann')).toMatchObject({ status: 404 })
    expect(await call('/chatter/hello', 'ann')).toMatchObject({ status: 404 })
    expect(await call('/chat/api/v1/conversations', 'guest', {})).toMatchObject({ status: 403 })
  })

  test('answers with the model, keeps workspaces apart and tells what it keeps', async () => {
    const chat = await call('/chat/chat', 'ann', { message: 'Hello there' })
    expect(chat).toMatchObject({ status: 200 })
    expect(JSON.stringify(chat.body)).toContain('heard 1')
    expect(told).toEqual(expect.arrayContaining(['ann: Hello there', 'ann: heard 1', 'ann: receipt']))
    expect((await call('/chat/api/v1/conversations', 'bob')).body).toMatchObject({ items: [] })
  })

  test('says which hosts it answers to', async () => {
    const response = await service.fetch(new Request('http://app.example.com/chat/hello'))
    expect(await response.json()).toMatchObject({
      code: 'wrong_host',
      detail: expect.stringMatching(/localhost.*app\.example\.com.*origin: \{ hosts \}/),
    })
  })
})
