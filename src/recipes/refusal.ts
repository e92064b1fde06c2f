/** A refusal as the strict specifications raise it. */
import { defined } from '../core/message/defined.js'
import { HistoryError, type Issue } from '../core/message/issue.js'

/** A `HistoryError` with the fields of the specifications' own error: `(message, error_type)` or `(field, reason, value)`. */
export interface TaskValidationError extends HistoryError {
  readonly field?: string
  readonly reason?: string
  readonly value?: unknown
  readonly error_type?: string
}

export function taskRefusal(issue: Issue, code = issue.code, issues: readonly Issue[] = [issue]): TaskValidationError {
  const { field, reason, value, type } = issue
  return Object.assign(new HistoryError(code, issues), defined({ field, reason, value, error_type: type }))
}
