/** Refusals in Anthropic's words: the status decides which error its clients throw. */
import { z } from 'zod'
import { plainStatuses } from '../dialect/refusals.js'
import { type Envelope, httpStatus, type Problem } from '../kit/problem.js'

const errorSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string() }),
    request_id: z.string(),
  })
  .meta({ id: 'AnthropicError', description: 'An error as the Anthropic API tells it' })

const statuses: Envelope['statuses'] = { ...plainStatuses, model_overloaded: 529 }

export const anthropicEnvelope: Envelope = {
  schema: errorSchema,
  statuses,
  idHeader: 'request-id',
  body: (problem, id) => ({ type: 'error', error: anthropicError(problem), request_id: id }),
}

export const anthropicError = ({ code, message }: Problem): { readonly type: string; readonly message: string } => ({
  type: typeOf(httpStatus(code, anthropicEnvelope)),
  // the words by which its clients know that they have to compact
  message: code === 'model_overflow' ? `prompt is too long: ${message}` : message,
})

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const typeOf = (status: number): string => types[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
