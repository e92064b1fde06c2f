/** What the tools, resources and prompts of one caller work with. */
import type { Policy } from '../core/policy/schema.js'
import type { Env } from '../engine/entries.js'
import type { Finder } from '../recall/finder.js'
import type { Store } from '../store/contract.js'
import type { Tasks } from '../tasks/contract.js'

const scopes = ['read', 'write', 'admin'] as const

/** Each includes those before it. */
export type Scope = (typeof scopes)[number]

export interface Desk {
  readonly store: Store
  readonly workspace: string
  readonly tasks: Tasks
  readonly finder: Finder
  /** The policy of windows whose conversation names none. */
  readonly policy: string | Policy
  /** What the caller may do. */
  readonly scope: Scope
  /** The runner of agents whose deployment names none. */
  readonly runner: string
  readonly env: Env
  readonly log: Log
}

/** Names, codes and times, never content. */
export type Log = (
  line: { readonly level: 'warn' | 'error'; readonly event: string } & Readonly<Record<string, unknown>>,
) => void

export const may = (desk: Pick<Desk, 'scope'>, scope: Scope): boolean =>
  scopes.indexOf(desk.scope) >= scopes.indexOf(scope)
