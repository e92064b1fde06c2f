/** Refusals in Anthropic's words: the status decides which error its clients throw. */
import { z } from 'zod'
import { type Envelope, type Problem, statusOf } from '../problem.js'

const errorSchema = z
  .object({
    type: z.literal('error'),
    error: z.object({ type: z.string(), message: z.string() }),
    request_id: z.string(),
  })
  .meta({ id: 'AnthropicError', description: 'An error as the Anthropic API tells it' })

/** What can be mended by the caller is a bad request there, and what is gone was never there. */
const statuses: Envelope['statuses'] = {
  gone: 404,
  unknown_model: 404,
  invalid: 400,
  key_reused: 400,
  unknown_parent: 400,
  unknown_call: 400,
  policy_invalid: 400,
  refused: 400,
  model_overloaded: 529,
}

export const anthropicEnvelope: Envelope = {
  schema: errorSchema,
  statuses,
  idHeader: 'request-id',
  body: (problem, id) => ({ type: 'error', error: errorOf(problem), request_id: id }),
}

export const errorOf = ({ code, message }: Problem): { readonly type: string; readonly message: string } => ({
  type: typeOf(statusOf(code, anthropicEnvelope)),
  message,
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
