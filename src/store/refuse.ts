import { HistoryError } from '../core/issue.js'

export type StoreCode =
  | 'not_found'
  | 'gone'
  | 'head_moved'
  | 'id_conflict'
  | 'key_reused'
  | 'unknown_parent'
  | 'unknown_call'
  | 'already_answered'
  | 'fenced'
  | 'invalid'
  | 'too_large'
  | 'storage_full'
  | 'unavailable'
  | 'newer_format'

/** The error for a refusal, with the field it is about and the value that matters. */
export function refusal(
  code: StoreCode,
  message: string,
  more: { readonly field?: string; readonly value?: unknown; readonly cause?: unknown } = {},
): HistoryError {
  const { field, value, cause } = more
  const issue = {
    code,
    message,
    ...(field === undefined ? null : { field }),
    ...(value === undefined ? null : { value }),
  }
  return new HistoryError(code, [issue], cause === undefined ? undefined : { cause })
}
