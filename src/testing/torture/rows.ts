/** Requests that providers refused, each beside the same one as they take it. */
import type { Target } from '../../core/message/target.js'
import type { CheckContext } from '../../core/rules/scope.js'
import { anthropicRows } from './anthropic.js'
import { compatibleRows } from './compatible.js'
import { googleRows } from './google.js'
import { openaiRows } from './openai.js'

/** A request that a provider is known to have refused. */
export interface Row {
  /** The row of `docs/rules.md`. */
  readonly code: string
  /** The rule that the refused request breaks, and no other. */
  readonly rule: string
  readonly target: Target
  readonly context?: CheckContext
  readonly bad: unknown
  readonly good: unknown
}

/** A rule that is told only when losses are asked for, too, has its row. */
export const rows: readonly Row[] = [...anthropicRows, ...openaiRows, ...googleRows, ...compatibleRows]
