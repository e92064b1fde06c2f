/** What goes wrong, told as RFC 9457 problems: one table of codes, each with one status. */
import type { z } from 'zod'

export const problems = {
  invalid_request: [400, 'The request is not well formed'],
  invalid_json: [400, 'The body is not acceptable JSON'],
  unauthorized: [401, 'A valid key is needed'],
  forbidden: [403, 'The key may not do this'],
  wrong_host: [403, 'This host is not served here'],
  wrong_origin: [403, 'This origin may not call'],
  not_found: [404, 'There is no such thing'],
  method_not_allowed: [405, 'The path does not know this method'],
  not_acceptable: [406, 'No form of the answer is acceptable'],
  head_moved: [409, 'The branch has moved on'],
  id_conflict: [409, 'The id stands for something else already'],
  already_answered: [409, 'The call has its result already'],
  busy: [409, 'The conversation has a run already'],
  fenced: [409, 'Someone else has taken over'],
  record_moved: [409, 'It was changed meanwhile'],
  gone: [410, 'It was deleted'],
  events_expired: [410, 'These events are no longer kept'],
  precondition_failed: [412, 'It is not what the caller has seen'],
  too_large: [413, 'It is larger than allowed'],
  unsupported_type: [415, 'The body must be plain JSON'],
  invalid: [422, 'It cannot be done as asked'],
  key_reused: [422, 'The idempotency key belongs to another request'],
  unknown_parent: [422, 'The entry it should follow is not there'],
  unknown_call: [422, 'The result answers no call'],
  policy_invalid: [422, 'The policy cannot be used'],
  unknown_model: [422, 'There is no such model'],
  refused: [422, 'No window can be made of this'],
  forged_turn: [422, 'A turn of the history is not what this service said'],
  unsigned_turn: [422, 'A turn of the history needs its signature'],
  rate_limited: [429, 'Too many requests'],
  model_rate_limited: [429, 'The model takes no more requests for now'],
  too_many_runs: [429, 'Too many runs at once'],
  internal: [500, 'Something broke here'],
  model_failed: [502, 'The model did not answer'],
  unavailable: [503, 'Not now'],
  model_overloaded: [503, 'The model has too much to do'],
  interrupted: [503, 'The answer was interrupted'],
  model_silent: [504, 'The model did not answer in time'],
  storage_full: [507, 'The storage is full'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>

export type ProblemCode = keyof typeof problems

export interface FieldError {
  /** As in `messages[3].role`. */
  readonly path: string
  readonly message: string
}

export interface ProblemFacts {
  readonly detail?: string
  readonly errors?: readonly FieldError[]
  /** Further members: `head` of a branch that moved, `run` of a conversation that is busy. */
  readonly more?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** Thrown anywhere below the service, and answered by it. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly facts: ProblemFacts

  constructor(code: ProblemCode, facts: ProblemFacts = {}) {
    super(facts.detail ?? problems[code][1], facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'Problem'
    this.code = code
    this.facts = facts
  }

  /** The same, with more to say. */
  with(facts: ProblemFacts): Problem {
    return new Problem(this.code, { ...this.facts, ...facts, headers: { ...this.facts.headers, ...facts.headers } })
  }

  get status(): number {
    return problems[this.code][0]
  }
}

/** How a dialect tells what went wrong; without one it is a problem of RFC 9457. */
export interface Envelope {
  readonly schema: z.ZodType
  /** Statuses that differ from the usual. */
  readonly statuses: Readonly<Partial<Record<ProblemCode, number>>>
  readonly body: (problem: Problem, requestId: string) => unknown
  /** Where its clients look for the name of the request. */
  readonly idHeader?: string
}

export const statusOf = (code: ProblemCode, envelope: Envelope | null): number =>
  envelope?.statuses[code] ?? problems[code][0]

export function problemResponse(problem: Problem, requestId: string, envelope: Envelope | null = null): Response {
  const { code, facts } = problem
  return new Response(JSON.stringify((envelope?.body ?? bodyOf)(problem, requestId)), {
    status: statusOf(code, envelope),
    headers: {
      'content-type': envelope ? 'application/json' : 'application/problem+json',
      'cache-control': 'no-store',
      ...(envelope?.idHeader && { [envelope.idHeader]: requestId }),
      ...facts.headers,
    },
  })
}

function bodyOf({ code, facts }: Problem, requestId: string): unknown {
  const [status, title] = problems[code]
  return {
    type: `/docs#${code}`,
    title,
    status,
    detail: facts.detail ?? title,
    instance: `urn:request:${requestId}`,
    code,
    ...(facts.errors === undefined ? null : { errors: facts.errors }),
    ...facts.more,
  }
}
