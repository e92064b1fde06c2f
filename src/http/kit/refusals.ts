/** Errors of the rooms below, as problems; what is not known is ours, and says nothing to the outside. */
import { HistoryError } from '../../core/message/issue.js'
import { ModelError } from '../../models/wire/contract.js'
import { type FieldError, Problem, type ProblemCode, type ProblemFacts, problems } from './problem.js'

const known = (code: string): ProblemCode | undefined =>
  Object.hasOwn(problems, code) ? (code as ProblemCode) : code === 'policy.invalid' ? 'policy_invalid' : undefined

/** The field of a problem that carries the value the refusal is about. */
const members: Readonly<Partial<Record<ProblemCode, string>>> = {
  head_moved: 'head',
  busy: 'run',
  record_moved: 'revision',
  events_expired: 'oldest',
}

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (HistoryError.is(error)) return ofHistory(error)
  if (ModelError.is(error)) return ofModel(error)
  return new Problem('internal', { cause: error })
}

function ofHistory(error: HistoryError): Problem {
  const code = known(error.code)
  if (code === undefined) return new Problem('internal', { cause: error })
  const { value, code: issue } = error.issues[0] ?? {}
  const member = members[code]
  const facts: ProblemFacts = {
    cause: error,
    ...(code === 'not_found' || code === 'unavailable' || code === 'storage_full' ? null : { detail: error.message }),
    more: {
      ...(member !== undefined && value !== undefined && { [member]: value }),
      ...(issue !== undefined && issue !== error.code && issue.includes('.') && { issue }),
    },
    ...(code === 'unavailable' || code === 'too_many_runs' ? { headers: { 'retry-after': '1' } } : null),
    ...errorsOf(error, code),
  }
  return new Problem(code, facts)
}

const mendable: ReadonlySet<ProblemCode> = new Set([
  'invalid_request',
  'invalid',
  'too_large',
  'policy_invalid',
  'unknown_parent',
  'unknown_call',
  'refused',
  'forged_turn',
  'unsigned_turn',
])

const isShort = (value: unknown): boolean => (JSON.stringify(value)?.length ?? Number.POSITIVE_INFINITY) <= 1_000

/** Which field is meant is told only where the caller can mend it. */
function errorsOf(error: HistoryError, code: ProblemCode): Pick<ProblemFacts, 'errors'> {
  if (!mendable.has(code)) return {}
  const errors = error.issues.flatMap(({ field, message, reason, value }): FieldError[] => {
    if (field === undefined) return []
    return [{ path: field, message, ...(reason !== undefined && { reason, ...(isShort(value) && { value }) }) }]
  })
  return errors.length === 0 ? {} : { errors }
}

function ofModel(error: ModelError): Problem {
  if (error.code === 'unknown_model')
    return new Problem('unknown_model', { detail: error.message, errors: [{ path: 'model', message: error.message }] })
  const seconds = error.retryAfterMs === null ? null : Math.max(1, Math.ceil(error.retryAfterMs / 1_000))
  return failedModel(error, { cause: error, ...(seconds && { headers: { 'retry-after': String(seconds) } }) })
}

const faults: Readonly<Partial<Record<string, ProblemCode>>> = {
  rate_limited: 'model_rate_limited',
  overloaded: 'model_overloaded',
  overflow: 'model_overflow',
  silent: 'model_silent',
  interrupted: 'interrupted',
}

/** A run or a query that failed for its model: the code says which way, in our words. */
export const failedModel = (error: { readonly code: string; readonly message: string }, facts: ProblemFacts): Problem =>
  new Problem(faults[error.code] ?? 'model_failed', {
    ...facts,
    detail: error.message,
    more: { ...facts.more, reason: error.code },
  })
