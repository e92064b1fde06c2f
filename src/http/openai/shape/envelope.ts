/** Refusals in OpenAI's words: the status decides which error its clients throw. */
import { z } from 'zod'
import { plainStatuses } from '../../dialect/refusals.js'
import { type Envelope, httpStatus, type Problem, type ProblemCode } from '../../kit/problem.js'

const errorSchema = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenaiError', description: 'An error as the OpenAI API tells it' })

const codes: Readonly<Partial<Record<ProblemCode, string>>> = {
  unauthorized: 'invalid_api_key',
  gone: 'not_found',
  unknown_model: 'model_not_found',
  rate_limited: 'rate_limit_exceeded',
  model_rate_limited: 'rate_limit_exceeded',
  busy: 'conversation_locked',
  too_large: 'request_too_large',
}

export const openaiEnvelope: Envelope = {
  schema: errorSchema,
  statuses: plainStatuses,
  body: (problem) => ({ error: openaiError(problem) }),
}

interface OpenaiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

export function openaiError(problem: Problem): OpenaiError {
  const { code, facts, message } = problem
  return {
    message,
    type: typeOf(httpStatus(code, openaiEnvelope)),
    param: facts.errors?.[0]?.path || null,
    code: codeOf(problem),
  }
}

function codeOf({ code, facts }: Problem): string {
  const reason = String(facts.more?.reason ?? '')
  // no window could be made, or no provider took the smallest
  if (reason === 'overflow' || reason.startsWith('fit.')) return 'context_length_exceeded'
  return reason.startsWith('previous_') ? reason : (codes[code] ?? code)
}

function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
