/** What the tools, resources and prompts of one caller work with. */
import type { OperationContext } from '../../operations/context.js'
import type { Tasks } from '../../tasks/record/contract.js'

export interface McpContext extends OperationContext {
  /** The caller's own. */
  readonly tasks: Tasks
  readonly log: McpLog
}

/** Names, codes and times, never content. */
export type McpLog = (
  line: { readonly level: 'warn' | 'error'; readonly event: string } & Readonly<Record<string, unknown>>,
) => void

/** How changes of resources reach the client. */
export type Telling =
  /** It says what it wants to follow, and is told in this session. */
  | 'subscribed'
  /** Whoever listens is told what changed among what was read here. */
  | 'read'
  /** The host tells, not this server. */
  | 'elsewhere'
  | 'never'
