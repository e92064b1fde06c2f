/** Refusals in Google's words. */
import { z } from 'zod'
import { plainStatuses } from '../dialect/refusals.js'
import { type Envelope, httpStatus, type Problem } from '../kit/problem.js'

const errorSchema = z
  .object({ error: z.object({ code: z.int(), message: z.string(), status: z.string() }) })
  .meta({ id: 'GoogleError', description: 'An error as the Gemini API tells it' })

export const googleEnvelope: Envelope = {
  schema: errorSchema,
  statuses: plainStatuses,
  body: (problem) => ({ error: googleError(problem) }),
}

export function googleError({ code, message }: Problem) {
  const status = httpStatus(code, googleEnvelope)
  return { code: status, message, status: names[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT') }
}

const names: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}
