/** From options to a server: one for each session or request, in whichever era the client speaks. */
import type { Policy } from '../core/policy/schema.js'
import type { Env } from '../engine/window/entries.js'
import { envOf } from '../engine/writing.js'
import { lazyModels } from '../models/lazy.js'
import { openModels } from '../models/registry.js'
import type { Models } from '../models/wire/contract.js'
import type { OperationScope, Services } from '../operations/context.js'
import { openServices } from '../operations/services.js'
import type { Finder } from '../recall/finder.js'
import type { Store } from '../store/contract/store.js'
import type { Tasks } from '../tasks/record/contract.js'
import type { McpContext, McpLog, Telling } from './kit/context.js'
import { buildMcpServer } from './server.js'

/** What an MCP server is made of. */
export interface McpOptions extends Partial<Pick<Services, 'runs' | 'sources' | 'recaller' | 'presets'>> {
  readonly store: Store
  /** Whose data it is. */
  readonly workspace?: string
  /** Of the same workspace. */
  readonly tasks: Tasks
  /** The policy of windows whose conversation names none; `balanced` when left out. */
  readonly policy?: string | Policy
  /** Those that answer runs and write summaries; those of this machine when left out. */
  readonly models?: Models
  /** Finds messages by words and by meaning; left out, the usual one. */
  readonly finder?: Finder
  /** What the caller may do; everything when left out. */
  readonly scope?: OperationScope
  /** The runner of agents whose deployment names none; `claude` when left out. */
  readonly runner?: string
  readonly env?: Partial<Env>
  /** Told to the client. */
  readonly version?: string
  /** How changes of resources reach the client; it subscribes to them when left out. */
  readonly telling?: Telling
  readonly log?: McpLog
}

/** A transport of the MCP SDK, as far as a server is connected to one. */
export interface McpTransport {
  start(): Promise<void>
  send(message: never, options?: never): Promise<void>
  close(): Promise<void>
}

/** A server of the MCP SDK, as far as a caller holds it. */
export interface McpServer {
  connect(transport: McpTransport): Promise<void>
  close(): Promise<void>
}

/**
 * One server, for one session or one request.
 *
 * @example
 * ```ts
 * const server = mcpServer({ store, tasks: openTasks({ store }) })
 * await server.connect(new StdioServerTransport())
 * ```
 */
export const mcpServer = (options: McpOptions): McpServer => buildMcpServer(mcpContext(options), options)

export function mcpContext({ store, tasks, workspace = 'default', ...rest }: McpOptions): McpContext {
  return {
    ...servicesOf({ ...rest, store }),
    workspace,
    tasks,
    tasksOf: () => tasks,
    scope: rest.scope ?? 'admin',
    author: 'agent',
    key: undefined,
    trace: undefined,
    signal: new AbortController().signal,
    log: rest.log ?? (() => undefined),
  }
}

export const servicesOf = ({ models = lazyModels(openModels), env, ...rest }: Omit<McpOptions, 'tasks'>): Services =>
  openServices({ ...rest, models, env: envOf(env) })
