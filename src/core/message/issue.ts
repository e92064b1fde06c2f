/** Refusals are values with a stable code and the path of the field; broken promises are errors. */

export interface Issue {
  /** Stable, dotted: `admit.role`, `policy.geometry`, `fit.budget`. */
  readonly code: string
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
  readonly code: string
  readonly issues: readonly Issue[]
  readonly [brand] = true

  constructor(code: string, issues: readonly Issue[], options?: { readonly cause?: unknown }) {
    super(issues.map((issue) => issue.message).join('; ') || code, options)
    this.name = 'HistoryError'
    this.code = code
    this.issues = issues
  }

  static is(value: unknown): value is HistoryError {
    return typeof value === 'object' && value !== null && brand in value
  }
}
