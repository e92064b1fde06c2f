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
