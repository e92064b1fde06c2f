import { HistoryError } from '../../core/message/issue.js'

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
  | 'busy'
  | 'record_moved'
  | 'invalid'
  | 'too_large'
  | 'storage_full'
  | 'unavailable'
  | 'newer_format'
  /** The database does not know the user or the password. */
  | 'unauthorized'
  /** The user may not do this in the database. */
  | 'forbidden'
  /** No connection that both sides trust. */
  | 'insecure'
  /** There is no such database, or the schema has not been migrated. */
  | 'unprepared'

/** Entries that a draft should become, while it has not. */
export const alreadyThere = (): HistoryError =>
  refusal('id_conflict', 'these entries are there already, and the draft is too', { field: 'batch' })

/** The value is the draft that is open. */
export const busy = (draft: string): HistoryError =>
  refusal('busy', 'the conversation has a draft already', { field: 'draft.sole', value: draft })

/** The error for a refusal, with the field it is about and the value that matters. */
export function refusal(
  code: StoreCode,
  message: string,
  more: {
    readonly field?: string
    readonly value?: unknown
    readonly reason?: string
    readonly suggestion?: string
    readonly cause?: unknown
  } = {},
): HistoryError {
  const { field, value, reason, suggestion, cause } = more
  const issue = {
    code,
    message,
    ...(field === undefined ? null : { field }),
    ...(value === undefined ? null : { value }),
    ...(reason === undefined ? null : { reason }),
    ...(suggestion === undefined ? null : { suggestion }),
  }
  return new HistoryError(code, [issue], cause === undefined ? undefined : { cause })
}
