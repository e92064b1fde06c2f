/** Turns whatever went wrong with a provider into an error of ours. The provider's words stay in `cause`. */
import { ModelError, type ModelErrorCode } from './contract.js'
import { retryAfterOf } from './retry-after.js'

/** A provider answered with a status that is no success. */
export function statusFault(
  who: string,
  reply: { readonly status: number; readonly headers: Headers; readonly body: string },
  now: number,
): ModelError {
  const code = codeOfStatus(reply.status, reply.body)
  const wait = code === 'rate_limited' || code === 'overloaded' ? retryAfterOf(reply.headers, now) : null
  const rest = wait === null ? '' : ` and asks to wait ${Math.ceil(wait / 1_000)} s`
  return new ModelError(code, `${sayings[code](who)}${rest} (HTTP ${reply.status})`, {
    status: reply.status,
    ...(wait === null ? null : { retryAfterMs: wait }),
    cause: quoted(reply.body),
  })
}

/** A provider reported an error inside a stream that had begun well. */
export function streamFault(who: string, error: unknown): ModelError {
  const told = typeof error === 'string' ? error : (JSON.stringify(error) ?? '')
  const code = codeOfWords(told)
  return new ModelError(code, `${sayings[code](who)}, in the middle of a stream`, { cause: quoted(told) })
}

/** No answer came back at all. */
export function connectionFault(who: string, error: unknown): ModelError {
  const code = codesOf(error).some((code) => neverConnected.has(code)) ? 'unreachable' : 'cut'
  return new ModelError(code, sayings[code](who), { cause: error })
}

export const fault = (code: ModelErrorCode, who: string, cause?: unknown): ModelError =>
  new ModelError(code, sayings[code](who), cause === undefined ? {} : { cause })

const sayings: Readonly<Record<ModelErrorCode, (who: string) => string>> = {
  rate_limited: (who) => `${who} has had too many requests`,
  overloaded: (who) => `${who} is overloaded`,
  server_error: (who) => `${who} failed on its side`,
  overflow: (who) => `the request is too long for ${who}`,
  unauthorized: (who) => `${who} does not accept the key`,
  refused: (who) => `${who} refused the request`,
  unreachable: (who) => `${who} cannot be reached`,
  cut: (who) => `the answer of ${who} broke off before its end`,
  garbled: (who) => `the answer of ${who} cannot be read`,
  silent: (who) => `${who} has stopped answering`,
  too_long: (who) => `the answer of ${who} is longer than allowed`,
  unknown_model: (who) => `there is no model ${who}`,
}

function codeOfStatus(status: number, body: string): ModelErrorCode {
  if (status === 413) return 'overflow'
  if (status === 429) return isOutOfMoney.test(body) ? 'refused' : 'rate_limited'
  // Google calls a wrong key a bad request
  if (status === 401 || status === 403 || (status === 400 && isBadKey.test(body))) return 'unauthorized'
  if (isOverflow(body)) return 'overflow'
  if (status === 503 || status === 529) return 'overloaded'
  return status >= 500 ? 'server_error' : 'refused'
}

function codeOfWords(told: string): ModelErrorCode {
  if (isOverflow(told)) return 'overflow'
  if (isOutOfMoney.test(told)) return 'refused'
  return words.find(([, said]) => said.test(told))?.[0] ?? 'server_error'
}

const words: readonly (readonly [ModelErrorCode, RegExp])[] = [
  ['rate_limited', /rate_limit|too_many_requests|RESOURCE_EXHAUSTED|"(?:code|status)":429\b/i],
  ['overloaded', /overloaded|"UNAVAILABLE"|"(?:code|status)":(?:503|529)\b/i],
  ['unauthorized', /authentication_error|permission_error|invalid_api_key|UNAUTHENTICATED|PERMISSION_DENIED/],
  ['refused', /invalid_request|not_found_error|INVALID_ARGUMENT|NOT_FOUND|invalid_prompt/],
]

/** How providers say that the request does not fit; gathered from their documentation and their users' reports. */
const overflow = new RegExp(
  [
    'prompt is too long',
    'exceeds the context window',
    'context[_ ]length[_ ]exceeded',
    'maximum context length',
    'exceeds? the (?:available |model.s )?(?:maximum )?context',
    'exceeds? (?:the )?(?:context limit|maximum number of tokens|maximum input)',
    'exceed context limit',
    'input token count',
    'input is too long',
    'too many input tokens',
    'request_too_large',
    'context the overflows',
    'model_max_prompt_tokens_exceeded',
  ].join('|'),
  'i',
)

/** A provider's words for a request that does not fit. */
export const isOverflow = (words: string): boolean => overflow.test(words)

const isBadKey = /API_KEY_INVALID|API key not valid|invalid_api_key/i

const isOutOfMoney = /insufficient_quota|billing_hard_limit|credit balance is too low/i

const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

function codesOf(error: unknown): string[] {
  const codes: string[] = []
  const seen = new Set<unknown>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const { code, cause, errors } = value as { code?: unknown; cause?: unknown; errors?: unknown }
    if (typeof code === 'string') codes.push(code)
    visit(cause)
    if (Array.isArray(errors)) errors.forEach(visit)
  }
  visit(error)
  return codes
}

/** The provider's words, for the log of whoever looks at the cause. */
const quoted = (body: string): Error => new Error(body.slice(0, 2_000))
