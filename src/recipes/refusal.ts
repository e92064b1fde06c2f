/** A refusal as the strict specifications raise it. */
import { HistoryError, type Issue } from '../core/message/issue.js'

/** A `HistoryError` with the fields of the specifications' own error: `(message, error_type)` or `(field, reason, value)`. */
export interface TaskValidationError extends HistoryError {
  readonly field?: string
  readonly reason?: string
  readonly value?: unknown
  readonly error_type?: string
}

export function refusal(issue: Issue): TaskValidationError {
  const { field, reason, value, type } = issue
  return Object.assign(new HistoryError(issue.code, [issue]), {
    ...(field === undefined ? null : { field }),
    ...(reason === undefined ? null : { reason }),
    ...(value === undefined ? null : { value }),
    ...(type === undefined ? null : { error_type: type }),
  })
}
