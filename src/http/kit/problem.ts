/** What goes wrong, told as RFC 9457 problems: one table of codes, each with one status. */
import type { z } from 'zod'
import { type RefusalCode, refusals } from '../../operations/refusals.js'

/** What only a request over HTTP can be refused with; the rest is in the operations' own table. */
const transport = {
  invalid_json: [400, 'The body is not acceptable JSON'],
  unauthorized: [401, 'A valid key is needed'],
  wrong_host: [403, 'This host is not served here'],
  wrong_origin: [403, 'This origin may not call'],
  method_not_allowed: [405, 'This path does not support this method'],
  not_acceptable: [406, 'The answer is not available in an acceptable format'],
  precondition_failed: [412, 'It has changed since you read it'],
  unsupported_type: [415, 'The body must be plain JSON'],
  forged_turn: [422, 'A turn of the history is not what this service said'],
  unsigned_turn: [422, 'A turn of the history needs its signature'],
  model_overflow: [400, 'The request is too long for the model'],
  rate_limited: [429, 'Too many requests'],
  model_rate_limited: [429, 'The model takes no more requests for now'],
  model_overloaded: [503, 'The model is overloaded'],
  interrupted: [503, 'The answer was interrupted'],
  model_silent: [504, 'The model did not answer in time'],
  loop: [508, 'The base URL of a provider leads back to this service', 'set it to the address of the provider'],
} as const

export const problems: Readonly<Record<ProblemCode, readonly [status: number, title: string, ...next: string[]]>> = {
  ...refusals,
  ...transport,
}

export type ProblemCode = RefusalCode | keyof typeof transport

export interface FieldError {
  /** As in `messages[3].role`. */
  readonly path: string
  readonly message: string
  /** Where a specification raises its error as (field, reason, value). */
  readonly reason?: string
  readonly value?: unknown
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

export const httpStatus = (code: ProblemCode, envelope: Envelope | null): number =>
  envelope?.statuses[code] ?? problems[code][0]

export function problemResponse(problem: Problem, requestId: string, envelope: Envelope | null = null): Response {
  const { code, facts } = problem
  return new Response(JSON.stringify((envelope?.body ?? bodyOf)(problem, requestId)), {
    status: httpStatus(code, envelope),
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
