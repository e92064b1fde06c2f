/** A service on a port of its own, for tests that speak real HTTP. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { LogLine, McpHandler } from '../../src/http/kit/context.js'
import { createKey, type KeyScope } from '../../src/http/kit/keys.js'
import { openService, type Service, type ServiceOptions } from '../../src/http/service.js'
import { extractive } from '../../src/models/builtin/answer.js'
import { ModelError, type Models } from '../../src/models/wire/contract.js'
import type { Store } from '../../src/store/contract/store.js'
import { memoryStore } from '../../src/store/memory/store.js'
import { sqliteStore } from '../../src/store/sqlite/store.js'
import type { Runner } from '../../src/tasks/record/agent.js'
import { openTasks } from '../../src/tasks/tasks.js'

export interface Host {
  readonly url: string
  readonly service: Service
  readonly store: Store
  readonly log: readonly LogLine[]
  /** A new key; only where the service asks for keys. */
  key(workspace: string, scope?: KeyScope): Promise<string>
  call(method: string, path: string, options?: CallOptions): Promise<Answered>
  stop(): Promise<void>
}

export interface CallOptions {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
  readonly body: any
}

export type StoreName = 'memory' | 'sqlite'

export interface HostOptions extends Partial<Omit<ServiceOptions, 'store'>> {
  readonly store?: StoreName | Store
}

export async function startService({ store: wanted = 'memory', ...options }: HostOptions = {}): Promise<Host> {
  const kept = typeof wanted === 'string' ? await openStore(wanted) : { store: wanted, end: async () => undefined }
  const log: LogLine[] = []
  const { store } = kept
  const mcp = mcpOver(store)
  const tasksOf = tasksOver(store)
  const service = await openService({
    store,
    models: builtinModels,
    log: (line) => log.push(line),
    mcp,
    tasksOf,
    runner: 'echo',
    ...options,
  })
  const server = await listen(service)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    service,
    store,
    log,
    key: async (workspace, scope = 'write') =>
      (await createKey(store, { workspace, scope, name: 'test', at: new Date().toISOString() })).key,
    call: (method, path, call = {}) => callOf(url, method, path, call),
    async stop() {
      await service.close(1_000)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await kept.end()
    },
  }
}

/** Says its prompt again, and ends when it is told to. */
const echo: Runner = {
  start({ prompt, signal, write }) {
    write('out', new TextEncoder().encode(prompt))
    const ended = new Promise<void>((resolve) => {
      if (signal.aborted || !prompt.includes('stay')) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    return { pid: null, ended: ended.then(() => ({ code: 0, signal: null, error: null, result: null })) }
  },
}

export function tasksOver(store: Store): NonNullable<ServiceOptions['tasksOf']> {
  const known = new Map<string, ReturnType<typeof openTasks>>()
  return (workspace) => {
    const tasks = known.get(workspace) ?? openTasks({ store, workspace, runners: { echo } })
    known.set(workspace, tasks)
    return tasks
  }
}

export async function callOf(url: string, method: string, path: string, call: CallOptions): Promise<Answered> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(call.body === undefined ? null : { 'content-type': 'application/json' }),
      ...(call.key === undefined ? null : { authorization: `Bearer ${call.key}` }),
      ...call.headers,
    },
    ...(call.body === undefined ? null : { body: JSON.stringify(call.body) }),
  })
  const text = await response.text()
  const isJson = /\b(?:json|\+json)\b/.test(response.headers.get('content-type') ?? '') && text !== ''
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null }
}

async function openStore(name: StoreName): Promise<{ readonly store: Store; readonly end: () => Promise<void> }> {
  if (name === 'memory') {
    const store = memoryStore()
    return { store, end: () => store.close() }
  }
  const folder = await mkdtemp(join(tmpdir(), 'throughline-http-'))
  const store = await sqliteStore(join(folder, 'log.db'))
  return {
    store,
    async end() {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export function listen(service: Service): Promise<Server> {
  const server = createServer(
    getRequestListener((request, { incoming }) => {
      const remote = incoming.socket.remoteAddress
      return service.fetch(request, remote === undefined ? {} : { remote })
    }),
  )
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

/** Only made when someone speaks it. */
function mcpOver(store: Store): McpHandler {
  let door: Promise<McpHandler> | undefined
  const open = async (): Promise<McpHandler> => {
    const [{ mcpDoor }, { openTasks }] = await Promise.all([
      import('../../src/mcp/http.js'),
      import('../../src/tasks/tasks.js'),
    ])
    return mcpDoor({ store, tasks: (workspace) => openTasks({ store, workspace, models: builtinModels }) })
  }
  return {
    async fetch(request, body, caller) {
      door ??= open()
      return (await door).fetch(request, body, caller)
    },
    async close() {
      await (await door)?.close()
    },
  }
}

/** Only the model that needs no one else. */
export const builtinModels: Models = {
  usual: extractive.id,
  async list() {
    const { id, label, kind, facts } = extractive
    return [{ id, label, kind, window: facts.window, ready: true }]
  },
  async find(id = extractive.id) {
    if (id === extractive.id) return extractive
    throw new ModelError('unknown_model', `there is no model ${id}; there is ${extractive.id}`)
  },
}
