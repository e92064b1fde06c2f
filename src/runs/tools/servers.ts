/** The tool servers of a service: those its settings name, and those that were added while it runs. */
import { createHash } from 'node:crypto'
import { HistoryError, type IssueCode } from '../../core/message/issue.js'
import type { Store } from '../../store/contract/store.js'
import type { ToolSource } from './calls.js'
import { type ConnectedServer, connectServer, type OfferedTool, type ServerAddress } from './mcp.js'
import type { Tool } from './tool.js'

export type Approval = NonNullable<Tool['approval']>

export interface ToolServer {
  readonly address: ServerAddress
  /** Of its tools: whether someone is asked before one runs. */
  readonly approval: Approval
  /** Of single tools, by their names. */
  readonly tools: Readonly<Record<string, Approval>>
}

export interface NamedServer extends ToolServer {
  readonly name: string
  readonly from: 'settings' | 'app'
}

export interface OfferedServer {
  /** What it offers, under the names by which a model calls it. */
  readonly tools: readonly { readonly name: string; readonly description: string; readonly approval: Approval }[]
  readonly milliseconds: number
}

export interface AllowedTools {
  readonly approval?: Approval
  /** By their own names, or as a model calls them. */
  readonly tools?: Readonly<Record<string, Approval>>
}

export interface ToolServers extends ToolSource {
  list(): Promise<readonly NamedServer[]>
  /** What a server offers now. Throws `tool_server_failed` when it cannot be reached. */
  offer(name: string, server: ToolServer): Promise<OfferedServer>
  /** Kept, and used from the next run on. */
  add(name: string, server: ToolServer): Promise<NamedServer>
  /** Null when there is none of this name. */
  allow(name: string, change: AllowedTools): Promise<NamedServer | null>
  /** False when there is none of this name that can be removed. */
  remove(name: string): Promise<boolean>
  close(): Promise<void>
}

export interface ToolServersOptions {
  readonly store: Store
  /** Where those that were added are kept. */
  readonly workspace: string
  readonly named: Readonly<Record<string, ToolServer>>
  readonly version: string
  /** Whether a server may be added that is a program of this machine. */
  readonly programs: boolean
  readonly now: () => string
  /** Told of a server that could not be reached. */
  readonly failed?: (name: string, error: unknown) => void
}

const kind = 'tool-server'
/** A server that cannot be reached is left alone for so long; what one offers is asked again after it. */
const patienceMs = 30_000
/** Which servers another replica has added is asked again after so long. */
const rememberedMs = 5_000

interface Held {
  readonly key: string
  readonly server: ConnectedServer
  readonly tools: readonly OfferedTool[]
}

export function openToolServers(options: ToolServersOptions): ToolServers {
  const { store, workspace, named, version, programs, now } = options
  const held = new Map<string, { readonly key: string; readonly at: number; readonly made: Promise<Held> }>()

  const connect = async (key: string, address: ServerAddress, before?: Promise<Held>): Promise<Held> => {
    const old = await before?.catch(() => null)
    const server = old?.server.isOpen() ? old.server : await connectServer(address, version)
    return { key, server, tools: await server.tools() }
  }

  /** One connection for each server; another address is another connection. */
  const reach = (name: string, { address }: ToolServer): Promise<Held> => {
    const key = JSON.stringify(address)
    const found = held.get(name)
    const same = found?.key === key ? found : undefined
    if (same && performance.now() - same.at < patienceMs) return same.made
    if (found && !same) void found.made.then(({ server }) => server.close()).catch(() => {})
    const made = connect(key, address, same?.made)
    made.catch((error) => options.failed?.(name, error))
    held.set(name, { key, at: performance.now(), made })
    return made
  }

  const reachOpen = async (name: string, server: ToolServer): Promise<Held> => {
    const one = await reach(name, server)
    if (one.server.isOpen()) return one
    held.delete(name)
    return reach(name, server)
  }

  let known: { readonly at: number; readonly servers: readonly NamedServer[] } | null = null
  const list = async (): Promise<readonly NamedServer[]> => {
    if (known && performance.now() - known.at < rememberedMs) return known.servers
    const servers = await read()
    known = { at: performance.now(), servers }
    return servers
  }

  const read = async (): Promise<readonly NamedServer[]> => {
    const { items } = await store.records(workspace, { kind, limit: 100 })
    const added = items.filter(({ id }) => !(id in named))
    return [
      ...Object.entries(named).map(([name, server]): NamedServer => ({ ...server, name, from: 'settings' })),
      ...added.map(({ id, body }): NamedServer => ({ ...(body as ToolServer), name: id, from: 'app' })),
    ]
  }

  const drop = async (name: string): Promise<void> => {
    const found = held.get(name)
    held.delete(name)
    await found?.made.then(({ server }) => server.close()).catch(() => {})
  }

  const mayStart = ({ address }: ToolServer): void => {
    if ('url' in address || programs) return
    throw failure('forbidden', 'programs may not be started here by callers with a key: set agent_commands')
  }

  return {
    list,
    async of() {
      const servers = await list()
      const all = new Map<string, Tool>()
      const reached = await Promise.allSettled(servers.map((server) => reachOpen(server.name, server)))
      for (const [i, server] of servers.entries()) {
        const one = reached[i]
        // an answer without these tools is better than none; who looks at the servers is told why
        if (one?.status !== 'fulfilled') continue
        for (const { name, description, parameters, call } of one.value.tools)
          all.set(toolName(server.name, name), {
            description,
            parameters,
            approval: approvalOf(server.name, server, name),
            execute: call,
          })
      }
      return all
    },
    async offer(name, server) {
      mayStart(server)
      const began = performance.now()
      const known = held.get(name)?.key === JSON.stringify(server.address)
      const one = known ? await tried(reachOpen(name, server)) : await tried(connect('', server.address))
      if (!known) await one.server.close().catch(() => {})
      return {
        milliseconds: Math.round(performance.now() - began),
        tools: one.tools.map((tool) => ({
          name: toolName(name, tool.name),
          description: tool.description,
          approval: approvalOf(name, server, tool.name),
        })),
      }
    },
    async add(name, server) {
      mayStart(server)
      if (name in named) throw failure('id_conflict', `the settings have a server called ${name}`)
      await tried(reachOpen(name, server))
      await store.putRecord(workspace, { kind, id: name, body: server, at: now() })
      known = null
      return { ...server, name, from: 'app' }
    },
    async allow(name, change) {
      if (name in named) throw failure('id_conflict', `${name} is in the settings, and is changed there`)
      const found = await store.getRecord(workspace, kind, name)
      if (!found) return null
      const before = found.body as ToolServer
      const server = { ...before, ...change, tools: { ...before.tools, ...change.tools } }
      await store.putRecord(workspace, { kind, id: name, body: server, at: now() })
      known = null
      return { ...server, name, from: 'app' }
    },
    async remove(name) {
      if (!(await store.getRecord(workspace, kind, name))) return false
      await store.removeRecord(workspace, kind, name)
      known = null
      await drop(name)
      return true
    },
    async close() {
      await Promise.allSettled([...held.keys()].map(drop))
    },
  }
}

const approvalOf = (name: string, { approval, tools }: ToolServer, tool: string): Approval =>
  tools[toolName(name, tool)] ?? tools[tool] ?? approval

async function tried<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (HistoryError.is(error)) throw error
    throw failure('tool_server_failed', `the server cannot be used: ${error instanceof Error ? error.message : error}`)
  }
}

const failure = (code: IssueCode, message: string): HistoryError => new HistoryError(code, [{ code, message }])

const longest = 64

/** As every provider takes it: letters, digits, `_` and `-`, at most 64. */
export function toolName(server: string, tool: string): string {
  const name = `${server}__${tool}`.replace(/[^\w-]/g, '_')
  if (name.length <= longest) return name
  return `${name.slice(0, longest - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}
