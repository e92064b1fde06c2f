/** What an operation works with, whichever door it came through. */
import type { Policy } from '../core/policy/schema.js'
import type { Limits as HistoryLimits } from '../engine/limits.js'
import type { Sources } from '../engine/sources.js'
import type { Env } from '../engine/window/entries.js'
import type { Connections } from '../models/connect/connections.js'
import type { Models } from '../models/wire/contract.js'
import type { Recaller } from '../recall/contract.js'
import type { Finder } from '../recall/finder.js'
import type { Runs } from '../runs/contract.js'
import type { PresetPolicies } from '../runs/settings.js'
import type { ToolSource } from '../runs/tools/calls.js'
import type { ToolServers } from '../runs/tools/servers.js'
import type { Store } from '../store/contract/store.js'
import type { Tasks } from '../tasks/record/contract.js'
import type { Shares } from './share.js'

/** Where the service keeps what belongs to no caller: keys, secrets, the tokens of shares. */
export const systemWorkspace = '$system'

const scopes = ['read', 'write', 'admin', 'operator'] as const

/** Each includes those before it. `operator` is about the whole server, not about one workspace. */
export type OperationScope = (typeof scopes)[number]

/** What all callers of one process share. */
export interface Services {
  readonly store: Store
  readonly sources: Sources
  readonly models: Models
  /** Null where models are not connected while the service runs. */
  readonly connections: Connections | null
  /** What an agent may call. */
  readonly tools: ToolSource
  /** Null where no tools can be added. */
  readonly toolServers: ToolServers | null
  readonly runs: Runs
  /** The tasks of a workspace. Throws `unavailable` where no agents can be started. */
  readonly tasksOf: (workspace: string) => Tasks
  /** The runner of agents whose deployment names none. */
  readonly runner: string
  /** The policy of conversations that name none. */
  readonly policy: string | Policy
  /** Presets with settings of this server's own. */
  readonly presets: PresetPolicies
  /** Null where nothing is recalled. */
  readonly recaller: Recaller | null
  readonly finder: Finder
  readonly shares: Shares
  /** Where others reach the service, without a slash at the end; links begin with it. */
  readonly publicUrl: string
  readonly env: Env
  readonly historyLimits: Partial<HistoryLimits>
}

export interface OperationContext extends Services {
  /** Whose data is meant: the caller's own, always. */
  readonly workspace: string
  readonly scope: OperationScope
  /** Who writes what this caller writes without naming an author. */
  readonly author: 'person' | 'agent'
  /** The idempotency key, where the caller sent one. */
  readonly key: string | undefined
  /** The name of the request in logs. */
  readonly trace: string | undefined
  /** Fires when the caller has left. */
  readonly signal: AbortSignal
}

export const mayDo = ({ scope }: Pick<OperationContext, 'scope'>, needed: OperationScope): boolean =>
  scopes.indexOf(scope) >= scopes.indexOf(needed)
