/** The service as one function from request to response: mount it anywhere that speaks the web's own types. */
import { setMaxListeners } from 'node:events'
import type { Policy } from '../core/policy/schema.js'
import type { Env } from '../engine/window/entries.js'
import { envOf } from '../engine/writing.js'
import type { Connections } from '../models/connect/connections.js'
import { hopHeader } from '../models/registry.js'
import type { Models } from '../models/wire/contract.js'
import { openServices } from '../operations/services.js'
import type { Recaller } from '../recall/contract.js'
import type { Finder } from '../recall/finder.js'
import type { Runs } from '../runs/contract.js'
import type { PresetPolicies } from '../runs/settings.js'
import { toolsFrom } from '../runs/tools/calls.js'
import type { ToolServers } from '../runs/tools/servers.js'
import type { Tool } from '../runs/tools/tool.js'
import { type Hooks, withHooks } from '../store/around/hooks.js'
import type { Store } from '../store/contract/store.js'
import type { Tasks } from '../tasks/record/contract.js'
import { type Arrival, appOf } from './app.js'
import { type ForwardOptions, openForwarder } from './forward/forward.js'
import { blobBytes } from './history/blobs.js'
import { type Auth, authoriser, keyring, type WhoCalls } from './kit/auth.js'
import type { HttpLimits, Log, McpHandler, ServiceFrame } from './kit/context.js'
import { type LiveOptions, openLive } from './kit/live.js'
import { Problem, problemResponse } from './kit/problem.js'
import { problemOf } from './kit/refusals.js'
import type { Route, RouteFacts } from './kit/route.js'
import { openUploads, type UploadRoom } from './kit/uploads.js'
import { checkOrigin, clientAddress, loopbackHosts, type OriginRules, withHeaders } from './origin.js'
import { limiter, type Rate } from './rate.js'
import { routes as allRoutes } from './routes.js'
import { openStanding } from './standing.js'

/** What a service is made of: the store, the models, who may call. */
export interface ServiceOptions extends Hooks {
  readonly store: Store
  readonly models: Models
  /** Lets the operator connect models while the service runs; left out, the routes say that it cannot be done here. */
  readonly connections?: Connections
  /** Functions that the model may call in `POST /chat` and in runs; an agent runs them here. */
  readonly tools?: Readonly<Record<string, Tool>>
  /** Servers of such tools, which the app can add to. */
  readonly toolServers?: ToolServers
  /** Made from the store and the models when left out. */
  readonly runs?: Runs
  /** The policy of conversations that name none; `balanced` when left out. */
  readonly policy?: string | Policy
  /** Presets with settings of this service's own. */
  readonly presets?: PresetPolicies
  /** Finds the earlier messages that matter when not all of them fit a window; left out, the usual one, null for none. */
  readonly recaller?: Recaller | null
  /** Finds messages by words and by meaning; left out, the usual one. */
  readonly finder?: Finder
  /**
   * `open` unless told otherwise: the host must not listen beyond loopback then. A function says who calls, for a host
   * that knows its users itself.
   */
  readonly auth?: Auth | WhoCalls
  /** The service lives below this path, as `/chat`. The web app asks for the root, and is not found below another. */
  readonly basePath?: string
  /** Loopback names and no foreign origin unless told otherwise. */
  readonly origin?: Partial<OriginRules>
  /** Per key; null for none. */
  readonly rate?: Rate | null
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed, as `10.0.0.0/8`. */
  readonly proxies?: readonly string[]
  readonly limits?: Partial<HttpLimits>
  readonly env?: Partial<Env> & { /** Milliseconds. */ readonly clock?: () => number }
  readonly log?: Log
  /** Told of each request when its answer begins. */
  readonly report?: (facts: RequestFacts) => void
  /** What `GET /metrics` answers, in the text format of Prometheus. */
  readonly metrics?: () => string
  /** In the place of the usual ones: `[...routes, route({ ... })]` adds to them. */
  readonly routes?: readonly Route[]
  readonly live?: LiveOptions
  /** The tasks of a workspace, for agents that work is handed to; without it the routes of tasks say that there are none. */
  readonly tasksOf?: (workspace: string) => Tasks
  /** The runner of agents whose deployment names none; `claude` when left out. */
  readonly runner?: string
  readonly forward?: ForwardOptions
  /** What answers at `/mcp`; closed with the service. */
  readonly mcp?: McpHandler
}

/** What happened to one request, for metrics. */
export interface RequestFacts {
  readonly id: string
  readonly method: string
  /** The route's path as it is written, null when there was none. */
  readonly route: string | null
  readonly name: string | null
  readonly status: number
  readonly milliseconds: number
  readonly workspace: string | null
  readonly key: string | null
}

/** What the host knows about a request. */
interface RequestInfo {
  /** The address at the other end of the connection. */
  readonly remote?: string
  readonly trace?: string
  /** Another user of this machine is at the other end. */
  readonly stranger?: boolean
}

/** The service as one function from request to response. */
export interface Service {
  /** `trace` names the request in logs, unless it brings a name itself. */
  fetch(request: Request, info?: RequestInfo): Promise<Response>
  readonly routes: readonly RouteFacts[]
  /** No new requests; streams end, runs have so long to finish. The store stays open: it was not ours to open. */
  close(graceMs?: number): Promise<void>
}

const usual: HttpLimits = { bodyBytes: 1024 * 1024, depth: 32, values: 100_000, history: {} }
/** Two of the largest bodies for each caller, and eight for everyone. */
const roomFor = ({ bodyBytes }: HttpLimits): UploadRoom => {
  const largest = Math.max(bodyBytes, blobBytes)
  return { each: 2 * largest, all: 8 * largest }
}

const open: Auth = { mode: 'open' }

const usualRate: Rate = { perSecond: 100, burst: 200 }

/**
 * Opens the service: one function from request to response.
 *
 * @example
 * ```ts
 * const service = await openService({
 *   store: await sqliteStore('chat.db'),
 *   models: await openModels(),
 *   auth: (request) => userOf(request).then((user) => user && { workspace: user.team }),
 * })
 * export default { fetch: service.fetch }
 * ```
 */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { policy = 'balanced', log = () => undefined } = options
  const auth: Auth = typeof options.auth === 'function' ? { mode: 'own', who: options.auth } : (options.auth ?? open)
  const store = withHooks(options.store, options)
  const base = baseOf(options.basePath)
  const { routes = allRoutes } = options
  const clock = options.env?.clock ?? (() => performance.now())
  const rules: OriginRules = { hosts: loopbackHosts, origins: [], ...options.origin }
  const ending = new AbortController()
  // every open stream listens for the end
  setMaxListeners(0, ending.signal)
  const limits = { ...usual, ...options.limits }
  const services = openServices({
    ...options,
    ...{ store, policy, env: envOf(options.env), historyLimits: limits.history },
    publicUrl: options.live?.publicUrl ?? '',
    tools: toolsFrom(options.tools ?? {}, options.toolServers),
  })
  const { env, runs } = services
  const forwarder = openForwarder(auth.mode === 'open', options.forward)
  const frame: ServiceFrame = {
    ...services,
    limits,
    uploads: openUploads(roomFor(limits)),
    log,
    metrics: options.metrics ?? null,
    routes,
    live: openLive(store, env, auth, options.live),
    mcp: options.mcp ?? null,
    forward: forwarder.forward,
    closing: ending.signal,
  }
  const rate = options.rate === undefined && auth.mode !== 'open' ? usualRate : (options.rate ?? null)
  const keys = keyring(store, clock)
  const standing = openStanding(frame, keys.isGood)
  const app = appOf(frame, { authorise: authoriser(auth, keys), limit: limiter(rate, clock), standing })
  const addressOf = clientAddress(options.proxies ?? [])

  const answer = async (request: Request, arrival: Arrival): Promise<Response> => {
    try {
      if (ending.signal.aborted) throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
      return await app.fetch(request, { arrival })
    } catch (error) {
      return refuse(error, arrival, log)
    }
  }

  return {
    routes,
    async fetch(asked, info = {}) {
      const began = clock()
      const request = below(base, asked)
      const arrival = arrive(request, { ...info, ...addressOf(request.headers, info.remote) }, frame, rules)
      const response = arrival.refused ? refuse(arrival.refused, arrival, log) : await answer(request, arrival)
      const { id, origin, route, caller } = arrival
      options.report?.({
        id,
        method: request.method,
        route: route?.path ?? null,
        name: route?.name ?? null,
        status: response.status,
        milliseconds: clock() - began,
        workspace: caller?.workspace || null,
        key: caller?.key ?? null,
      })
      return withHeaders(response, id, origin)
    },
    async close(graceMs = 10_000) {
      ending.abort()
      standing.close()
      await Promise.all([runs.drain(graceMs), forwarder.settled(), options.mcp?.close()])
      await options.toolServers?.close()
    },
  }
}

/** With a slash before it and none behind. */
const baseOf = (path = ''): string => path.replace(/\/+$/, '').replace(/^(?=[^/])/, '/')

/** The request as the routes know it; one for another path of the host is for nothing here. */
function below(base: string, request: Request): Request {
  if (base === '') return request
  const url = new URL(request.url)
  const inside = url.pathname === base || url.pathname.startsWith(`${base}/`)
  url.pathname = inside ? url.pathname.slice(base.length) || '/' : '/not-below-the-base-path'
  return new Request(url, request)
}

function arrive(
  request: Request,
  { remote, trace, stranger = false }: RequestInfo,
  { env, models }: Pick<ServiceFrame, 'env' | 'models'>,
  rules: OriginRules,
): Arrival & { readonly refused: Problem | null } {
  const given = request.headers.get('x-request-id')
  const id = given !== null && /^[\w.-]{1,64}$/.test(given) ? given : (trace ?? env.id())
  const arrival = { id, remote: remote ?? null, stranger, route: null, caller: null }
  try {
    checkHops(request.headers.get(hopHeader), models.hop)
    return { ...arrival, ...checkOrigin(request, rules), refused: null }
  } catch (error) {
    return { ...arrival, origin: null, foreign: false, refused: problemOf(error) }
  }
}

/** A request to a provider that comes back is one whose base URL leads here. */
function checkHops(hops: string | null, own: string | undefined): void {
  if (own !== undefined && hops?.split(/, */).includes(own)) throw new Problem('loop')
}

function refuse(error: unknown, { id, route }: Arrival, log: Log): Response {
  const problem = problemOf(error)
  if (problem.status >= 500) {
    const { cause } = problem
    log({
      level: 'error',
      event: 'request_failed',
      id,
      route: route?.name ?? null,
      code: problem.code,
      // where it broke, not what it said: a message may quote what it broke on
      error: cause instanceof Error ? cause.name : typeof cause,
      stack: cause instanceof Error ? placesOf(cause) : null,
    })
  }
  return problemResponse(problem, id, route?.envelope)
}

const placesOf = (error: Error): string =>
  (error.stack ?? '')
    .replace(error.message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim())
    .join(' < ')
