/** The way of a request: routed, authorised, validated, handled; whatever is thrown on the way becomes a problem. */
import { Hono, type Context as HonoContext } from 'hono'
import type { z } from 'zod'
import { isWellFormed } from '../core/message/text.js'
import { issuesIn } from '../operations/perform.js'
import { type Authorise, allow, type Caller, isPublic } from './kit/auth.js'
import { parseBody, readBody } from './kit/body.js'
import type { Context, ServiceFrame } from './kit/context.js'
import { type FieldError, Problem } from './kit/problem.js'
import { json, namesIn, type Route } from './kit/route.js'
import { preflight } from './origin.js'
import type { ServiceStanding } from './standing.js'

/** What comes with a request from outside of it. */
export interface Arrival {
  readonly id: string
  /** The address of the client, behind proxies that are trusted. */
  readonly remote: string | null
  /** Another user of this machine is calling. */
  readonly stranger: boolean
  /** A browser says that a page of another site is behind the request. */
  readonly foreign: boolean
  /** A foreign origin that may read the answer. */
  readonly origin: string | null
  /** Filled in on the way, for the log. */
  route: Route | null
  caller: Caller | null
}

interface Gates {
  readonly authorise: Authorise
  readonly limit: (caller: string) => void
  readonly standing: ServiceStanding
}

type Bound = HonoContext<{ Bindings: { arrival: Arrival } }>

export function appOf(frame: ServiceFrame, gates: Gates): Hono<{ Bindings: { arrival: Arrival } }> {
  const app = new Hono<{ Bindings: { arrival: Arrival } }>()
  for (const route of frame.routes)
    app.on(route.method.toUpperCase(), honoPath(route.path), (c) => serve(c, route, frame, gates))
  for (const [path, allowed] of methodsOf(frame.routes)) app.all(honoPath(path), (c) => otherwise(c, allowed))
  app.notFound(() => {
    throw new Problem('not_found')
  })
  app.onError((error) => {
    throw error
  })
  return app
}

async function serve(c: Bound, route: Route, whole: ServiceFrame, gates: Gates): Promise<Response> {
  const { arrival } = c.env
  const request = c.req.raw
  arrival.route = route
  if (arrival.foreign && !isPage(request, route)) throw new Problem('wrong_origin')
  const caller = await whoIs(request, route, arrival, gates)
  arrival.caller = caller
  // who asks whether the service is alive shares a limit with no one
  const name = caller.key ?? `public ${arrival.remote ?? 'unknown'}`
  if (!route.probe) gates.limit(name)
  allow(caller, route.scope)
  const frame = caller.key === null ? whole : gates.standing.frameOf(caller.key)
  const { id, remote } = arrival
  const arrived = { frame, request, id, remote, caller, workspace: caller.workspace, params: paramsOf(c, route) }
  const bytes = route.body === null ? null : await bytesOf(request, route, frame, name)
  const passed = route.door && bytes && (await frame.forward(arrived, route.door, bytes))
  if (passed) return passed
  const context: Context = {
    ...arrived,
    query: queryOf(request.url, route),
    key: keyOf(request, route),
    body: route.body && checkBody(route.accepts ?? route.body, bytes ? parseBody(bytes, frame.limits) : undefined),
  }
  const answer = await route.handle(context)
  if (caller.key !== null && gates.standing.isRevoked(caller.key)) throw new Problem('unauthorized')
  const response = answer instanceof Response ? answer : json(answer, Number(Object.keys(route.answers)[0]))
  return request.method === 'HEAD' ? bodiless(response) : response
}

/** What a link on another site may lead to: a page that anyone may see. */
const isPage = ({ method, headers }: Request, { scope }: Route): boolean =>
  isPublic(scope) &&
  (method === 'GET' || method === 'HEAD') &&
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document'

/** Who guesses keys has to wait like everyone else. */
async function whoIs(request: Request, route: Route, { remote, stranger }: Arrival, gates: Gates): Promise<Caller> {
  try {
    return await gates.authorise(request, route.scope, stranger)
  } catch (error) {
    gates.limit(`guessing ${remote ?? 'unknown'}`)
    throw error
  }
}

/** What would have made the body is told to stop. */
async function bodiless(response: Response): Promise<Response> {
  await response.body?.cancel()
  return new Response(null, { status: response.status, headers: response.headers })
}

/** An id that no id can look like names nothing. */
function paramsOf(c: Bound, route: Route): Record<string, string> {
  const params: Record<string, string> = {}
  for (const name of namesIn(route.path)) {
    const value = c.req.param(name) ?? ''
    if (value === '' || value.length > 200 || value.includes('\0') || !isWellFormed(value))
      throw new Problem('not_found')
    params[name] = value
  }
  return params
}

function queryOf(url: string, route: Route): Record<string, unknown> {
  const at = url.indexOf('?')
  const given = new URLSearchParams(at === -1 ? '' : url.slice(at + 1))
  if (route.query) return checkQuery(route.query, given)
  const [strange] = given.keys()
  if (strange === undefined) return {}
  throw new Problem('invalid_request', { errors: [{ path: strange.slice(0, 64), message: 'is not a known field' }] })
}

function keyOf(request: Request, route: Route): string | undefined {
  const key = request.headers.get('idempotency-key')
  if (key === null || !route.keyed) return undefined
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key
  const message = 'must be 1 to 200 visible ASCII characters'
  throw new Problem('invalid_request', { errors: [{ path: 'Idempotency-Key', message }] })
}

function bytesOf(request: Request, route: Route, { limits, uploads }: ServiceFrame, caller: string) {
  return readBody(request, route.bodyBytes ?? limits.bodyBytes, () => uploads.begin(caller))
}

function otherwise(c: Bound, allowed: string): Response {
  if (c.req.method === 'OPTIONS') return preflight(allowed, c.env.arrival.origin)
  throw new Problem('method_not_allowed', { headers: { allow: allowed } })
}

function methodsOf(routes: readonly Route[]): Map<string, string> {
  const found = new Map<string, string[]>()
  for (const { path, method } of routes)
    found.set(path, [...(found.get(path) ?? []), ...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])])
  return new Map([...found].map(([path, methods]) => [path, [...methods, 'OPTIONS'].join(', ')]))
}

/** `{rest}` is all that is left of a path, slashes included. */
const honoPath = (path: string): string => path.replace('{rest}', ':rest{.+}').replaceAll(/\{(\w+)\}/g, ':$1')

// Values of a request against their schemas; every fault is told with its path.

function checkBody<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw refused(parsed.error.issues)
}

/** A query is text; the schema says what each field is. */
function checkQuery(schema: z.ZodObject, given: URLSearchParams): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, text] of given) {
    const isList = name.endsWith('[]')
    if (Object.hasOwn(value, name) && !isList) throw refusedField(name, 'stands twice')
    if (text.includes('\0') || !isWellFormed(text)) throw refusedField(name, 'has a character that is not allowed')
    if (name === '__proto__') throw refusedField(name, 'is not a known field')
    const field = isList ? [...((value[name] as unknown[]) ?? []), text] : decoded(schema, name, text)
    value[name] = field
  }
  return checkBody(schema, value)
}

function decoded(schema: z.ZodObject, name: string, text: string): unknown {
  const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
  const type = field && typeOf(field)
  if (type === 'number' && /^-?\d{1,16}(?:\.\d{1,16})?$/.test(text)) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function typeOf(schema: z.core.$ZodType): string {
  const { def } = schema._zod
  return 'innerType' in def ? typeOf(def.innerType as z.core.$ZodType) : def.type
}

const refusedField = (path: string, message: string): Problem => refusedBy([{ path, message }])

const refused = (issues: readonly z.core.$ZodIssue[]): Problem =>
  refusedBy(
    issuesIn(issues).map(({ field = '', message }) => ({
      path: field,
      message: message.slice((field || 'the input').length + 2),
    })),
  )

const refusedBy = (errors: readonly FieldError[]): Problem =>
  new Problem('invalid_request', {
    detail: errors.map(({ path, message }) => `${path === '' ? 'the body' : path}: ${message}`).join('; '),
    errors,
  })
