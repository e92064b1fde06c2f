/** Refusals are values with a stable code and the path of the field; broken promises are errors. */

/** What is not there: `unprepared` is a database that is missing, or whose schema has not been migrated. */
type MissingCode = 'gone' | 'not_found' | 'unknown_call' | 'unknown_parent' | 'unprepared'
type RaceCode = 'already_answered' | 'busy' | 'fenced' | 'head_moved' | 'id_conflict' | 'key_reused' | 'record_moved'
/** The database does not know the user, does not let it, or cannot be trusted. */
type AccessCode = 'forbidden' | 'insecure' | 'unauthorized'

/** What a store refuses. */
export type StoreCode = MissingCode | RaceCode | AccessCode | FailureCode
type FailureCode = 'invalid' | 'newer_format' | 'storage_full' | 'too_large' | 'unavailable'

/** Why a window is refused, or what it warns of. */
type WindowCode =
  | `admit.${'content' | 'count' | 'current' | 'empty' | 'hard' | 'list' | 'lost' | 'many' | 'missing' | 'none' | 'object' | 'role' | 'time.invalid' | 'time.missing'}`
  | `fit.${'budget' | 'current' | 'excess' | 'reserve' | 'size'}`
  | `policy.${'geometry' | 'invalid' | 'setting' | 'shape' | 'strategy' | 'unknown'}`
  | `mark.${'excluded' | 'pinned'}`
  | `summary.${'refused' | 'unused'}`
  | `recall.${'failed' | 'lexical'}`
  | `search.${'behind' | 'lexical' | 'partial'}`
  | `history.${'list' | 'long' | 'malformed' | 'more' | 'size' | 'tokens' | 'unavailable' | 'unsigned'}`
  | `task.${'budget' | 'closed' | 'compress' | 'deploy' | 'folder' | 'input' | 'model' | 'output' | 'prompt' | 'report' | 'thread'}`
  | `request.${'field' | 'json'}`
  | `${'check' | 'intake'}.${string}`
  | OwnCode
  | 'tool.schema'
  | 'window.empty'

type OwnCode = 'clip.cut' | 'counter.inexact' | 'limit.near' | 'message.unsent' | 'model.window' | OptionsCode
type OptionsCode = 'options.budget' | 'options.invalid'

/** What the service refuses. */
type RefusedCode = 'illegal_move' | 'invalid_request' | 'policy_invalid' | 'refused' | 'too_many_runs' | 'unknown_model'
type BrokenCode = 'events_expired' | 'forged_turn' | 'internal' | 'tool_server_failed' | 'unsigned_turn'

/** Why a run failed. */
type FailedCode = 'cut' | 'empty' | 'garbled' | 'interrupted' | 'lost' | 'overflow' | 'overloaded' | 'rate_limited'
type RunCode = FailedCode | 'server_error' | 'silent' | 'too_long' | 'unreachable' | `limit_${string}`

/** Every code there is, and stable: one that is misspelt does not compile. `custom.…` is for your own. */
export type IssueCode = StoreCode | WindowCode | RefusedCode | BrokenCode | RunCode | `custom.${string}`

/** What was refused or warned of: its code, in words, and where. */
export interface Issue {
  readonly code: IssueCode
  readonly message: string
  /** Path of the field, as in `messages[3].role`. */
  readonly field?: string
  readonly reason?: string
  readonly value?: unknown
  /** The specification's own error type, where it has one: `type_error`, `missing_field`, `invalid_value`. */
  readonly type?: string
  readonly severity?: 'low' | 'medium' | 'high'
  readonly suggestion?: string
}

const brand = Symbol.for('throughline.error')

/** A broken promise, known across copies of the package by its brand. */
export class HistoryError extends Error {
  readonly code: IssueCode
  readonly issues: readonly Issue[]
  readonly [brand] = true

  constructor(code: IssueCode, issues: readonly Issue[], options?: { readonly cause?: unknown }) {
    super(issues.map((issue) => issue.message).join('; ') || code, options)
    this.name = 'HistoryError'
    this.code = code
    this.issues = issues
  }

  static is(value: unknown): value is HistoryError {
    return typeof value === 'object' && value !== null && brand in value
  }
}
