/** What a route can answer: what it says itself, and the problems that every route of its kind has. */
import { z } from 'zod'
import { isPublic } from '../kit/auth.js'
import { httpStatus, type ProblemCode } from '../kit/problem.js'
import type { AnswerShape, Route } from '../kit/route.js'
import { problemSchema } from '../schemas/problem.js'
import { type Json, jsonSchema, type Schemas } from './json-schema.js'

interface Described {
  readonly description: string
  readonly content?: Json
}

type Responses = Readonly<Record<string, Described>>

/** A status may have an answer of the route's own and a problem. */
export const responsesOf = (route: Route, schemas: Schemas): Responses =>
  joined(answersOf(route, schemas), problemsOf(route, schemas))

function answersOf({ answers, tagged, method, streams }: Route, schemas: Schemas): Responses {
  const out: Record<string, Described> = streams === null ? {} : { 200: { description: streams, content: events } }
  for (const [status, answer] of Object.entries(answers)) {
    const made = answerOf(answer, schemas)
    out[status] = out[status] ? { ...made, content: { ...made.content, ...events } } : made
  }
  if (tagged && method === 'get') out['304'] = { description: 'Not changed' }
  return out
}

const events: Json = { 'text/event-stream': {} }

function answerOf(answer: AnswerShape, schemas: Schemas): Described {
  if (answer === null) return { description: 'Done' }
  if ('says' in answer) return { description: answer.says, content: { [answer.type]: {} } }
  const { description = 'Done' } = z.globalRegistry.get(answer) ?? {}
  return { description, content: { 'application/json': { schema: jsonSchema(answer, 'output', schemas) } } }
}

function joined(answers: Responses, problems: Responses): Responses {
  const out: Record<string, Described> = { ...answers }
  for (const [status, problem] of Object.entries(problems)) {
    const own = out[status]
    out[status] = own ? { ...own, content: { ...own.content, ...problem.content } } : problem
  }
  return out
}

/** Those a route names, and those that every route of its kind has. */
export function codesOf({
  scope,
  owned,
  query,
  body,
  keyed,
  tagged,
  method,
  path,
  problems: own,
}: Route): ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request', 'wrong_host', 'wrong_origin', 'rate_limited', 'unavailable', ...own]
  if (!isPublic(scope)) codes.push('unauthorized', 'forbidden')
  if (Object.keys(owned).length > 0 || path.includes('{')) codes.push('not_found')
  if (Object.keys(owned).length > 0) codes.push('gone')
  if (query !== null || body !== null || keyed) codes.push('invalid_request')
  if (body !== null) codes.push('invalid_json', 'too_large', 'unsupported_type')
  if (tagged && method !== 'get') codes.push('precondition_failed')
  if (method !== 'get') codes.push('storage_full')
  return [...new Set(codes)].sort()
}

function problemsOf(route: Route, schemas: Schemas): Responses {
  const { envelope } = route
  const schema = jsonSchema(envelope?.schema ?? problemSchema, 'output', schemas)
  const type = envelope ? 'application/json' : 'application/problem+json'
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codesOf(route)) {
    const status = httpStatus(code, envelope)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const described = (codes: readonly ProblemCode[]): Described => ({
    description: codes.join(', '),
    content: { [type]: { schema } },
  })
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, described(codes)]))
}
