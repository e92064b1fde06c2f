/** Real clients at the real doors: the built command over stdio, and the service over HTTP. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { desk, main } from '../../src/cli/cli.fixture.js'
import { mcpDoor } from '../../src/mcp/http.js'
import { memoryStore } from '../../src/store/memory/store.js'
import type { Command } from '../../src/tasks/runners/command.js'
import { openTasks, type TasksOptions } from '../../src/tasks/tasks.js'
import { builtinModels, type Host, type HostOptions, startService } from '../http/host.js'

export const eras = ['legacy', 'modern'] as const
export type Era = (typeof eras)[number]

export interface Mcp {
  readonly client: Client
  /** The structured content of a call that works. */
  call(name: string, given?: object): Promise<Data>
  /** The words of a call that is refused. */
  refused(name: string, given?: object): Promise<string>
  raw(name: string, given?: object): Promise<CallToolResult>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export type Data = any

const clientOf = (era: Era): Client =>
  new Client({ name: 'test', version: '1.0.0' }, era === 'modern' ? { versionNegotiation: { mode: 'auto' } } : {})

function mcpOf(client: Client, close: () => Promise<void>): Mcp {
  const raw: Mcp['raw'] = (name, given = {}) =>
    client.callTool({ name, arguments: given as Record<string, unknown> }) as Promise<CallToolResult>
  return {
    client,
    raw,
    close,
    async call(name, given) {
      const answer = await raw(name, given)
      if (answer.isError) throw new Error(textOf(answer))
      return answer.structuredContent
    },
    async refused(name, given) {
      const answer = await raw(name, given)
      if (!answer.isError) throw new Error(`nothing was refused: ${JSON.stringify(answer).slice(0, 200)}`)
      return textOf(answer)
    },
  }
}

export const textOf = ({ content }: CallToolResult): string =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')

export interface Desk {
  readonly db: string
  readonly config: string
}

/** A database of its own, and the agents that its settings name. */
export function freshDesk(agents: Readonly<Record<string, Command>> = {}): Desk {
  const { folder } = desk()
  const config = join(folder, 'settings.json')
  writeFileSync(config, JSON.stringify({ agents, detect_models: false }))
  return { db: join(folder, 'mcp.db'), config }
}

export interface OverStdio extends Mcp {
  readonly pid: number
  readonly stderr: () => string
}

export async function overStdio(
  { db, config }: Desk,
  era: Era = 'legacy',
  more: readonly string[] = [],
): Promise<OverStdio> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'mcp', '--db', db, '--config', config, ...more],
    stderr: 'pipe',
  })
  let said = ''
  transport.stderr?.on('data', (chunk) => {
    said += chunk
  })
  const client = clientOf(era)
  await client.connect(transport)
  return { ...mcpOf(client, () => client.close()), pid: transport.pid as number, stderr: () => said }
}

export interface McpHost extends Host {
  mcp(key?: string, era?: Era): Promise<Mcp>
}

/** A service with `/mcp`, on a store in memory unless one is given. */
export async function startMcp(
  options: HostOptions = {},
  runners: Readonly<Record<string, Command>> = {},
  more: Partial<TasksOptions> = {},
): Promise<McpHost> {
  const store = typeof options.store === 'object' ? options.store : memoryStore()
  const tasks = (workspace: string) =>
    openTasks({ store, workspace, models: builtinModels, runners, limits: { graceMs: 200, beatMs: 50 }, ...more })
  const host = await startService({
    store,
    mcp: mcpDoor({ store, tasks, runner: 'model', version: '1.2.3' }),
    ...options,
  })
  return {
    ...host,
    async mcp(key, era = 'legacy') {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
      const transport = new StreamableHTTPClientTransport(new URL(`${host.url}/mcp`), { requestInit: { headers } })
      const client = clientOf(era)
      await client.connect(transport)
      return mcpOf(client, () => client.close())
    },
  }
}

export const eventually = async <T>(look: () => Promise<T | undefined | false | null>): Promise<T> => {
  for (let tries = 0; tries < 400; tries++) {
    const found = await look()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error('it never happened')
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
