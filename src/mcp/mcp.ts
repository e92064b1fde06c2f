/** From options to a server: one for each session or request, in whichever era the client speaks. */
import type { Server } from '@modelcontextprotocol/server'
import type { Policy } from '../core/policy/schema.js'
import type { Env } from '../engine/entries.js'
import { envOf } from '../engine/writing.js'
import type { Finder } from '../recall/finder.js'
import { usualFinder } from '../recall/usual.js'
import type { Store } from '../store/contract.js'
import type { Tasks } from '../tasks/contract.js'
import type { Desk, Log, Scope } from './desk.js'
import { serverOf, type Telling } from './server.js'

export interface McpOptions {
  readonly store: Store
  /** Whose data it is. */
  readonly workspace?: string
  /** Of the same workspace. */
  readonly tasks: Tasks
  /** The policy of windows whose conversation names none; `balanced` when left out. */
  readonly policy?: string | Policy
  /** Finds messages by words and by meaning; left out, the usual one. */
  readonly finder?: Finder
  /** What the caller may do; everything when left out. */
  readonly scope?: Scope
  /** The runner of agents whose deployment names none; `claude` when left out. */
  readonly runner?: string
  readonly env?: Partial<Env>
  /** Told to the client. */
  readonly version?: string
  /** How changes of resources reach the client; it subscribes to them when left out. */
  readonly telling?: Telling
  readonly log?: Log
}

export const mcpServer = (options: McpOptions): Server =>
  serverOf(deskOf(options), { version: options.version ?? '0.0.0', telling: options.telling ?? 'subscribed' })

export const deskOf = ({ store, tasks, workspace = 'default', ...rest }: McpOptions): Desk => ({
  ...{ store, tasks, workspace },
  finder: rest.finder ?? usualFinder,
  policy: rest.policy ?? 'balanced',
  scope: rest.scope ?? 'admin',
  runner: rest.runner ?? 'claude',
  env: envOf(rest.env),
  log: rest.log ?? (() => undefined),
})
