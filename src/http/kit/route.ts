/**
 * A route as data. The list of all routes is the only source of the app, of the validation, of the OpenAPI document, of
 * the docs page and of the tenancy matrix.
 */

import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Operation } from '../../operations/operation.js'
import { nextTurn } from '../../store/shared/turn.js'
import type { Context } from './context.js'
import type { Door } from './door.js'
import { type Envelope, Problem, type ProblemCode } from './problem.js'

/** `open`: anyone; `share`: whoever holds the token in the path; the others as the key allows, each including the one before. */
export type Scope = 'open' | 'share' | 'read' | 'write' | 'admin' | 'operator'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What an id names. Each kind has a maker in the tenancy matrix; a kind without one fails it. */
export type Kind =
  | 'conversation'
  | 'message'
  | 'answer'
  | 'branch'
  | 'receipt'
  | 'run'
  | 'share'
  | 'job'
  | (string & {})

/** What is said about a route: in the OpenAPI document, in the log, at the door. */
export interface RouteFacts {
  /** What it is a door to; null for routes that are someone else's API, or about this server. */
  readonly operation: Operation | null
  /** Also the OpenAPI operation id. */
  readonly name: string
  readonly method: Method
  /** With `{names}` for what varies. */
  readonly path: string
  /** The group in the docs. */
  readonly tag: string
  readonly summary: string
  readonly detail?: string
  readonly scope: Scope
  /** The ids that a workspace owns: `conversation` in the path, `query.head`, `body.conversation_id`. */
  readonly owned: Readonly<Record<string, Kind>>
  readonly query: z.ZodObject | null
  readonly body: z.ZodType | null
  /** What is checked of the body instead, where the room below judges the rest in words of its own. */
  readonly accepts: z.ZodType | null
  /** It takes bytes and not JSON: their type, and what they are. */
  readonly takes: { readonly type: string; readonly says: string } | null
  /** By status: the schema of the JSON, or a media type for what is not JSON. */
  readonly answers: Readonly<Record<number, AnswerShape>>
  /** It answers in events too, when they are asked for: what they say. */
  readonly streams: string | null
  /** What it can refuse with, beyond what every route of its kind can. */
  readonly problems: readonly ProblemCode[]
  /** How it tells of them; null for problems of RFC 9457. */
  readonly envelope: Envelope | null
  /** Asks whether the service is alive: never limited. */
  readonly probe: boolean
  /** Takes an Idempotency-Key. */
  readonly keyed: boolean
  /** Goes on as it came where the provider behind speaks this dialect. */
  readonly door: Door | null
  /** Has an ETag, and honours If-None-Match (or If-Match, where it writes). */
  readonly tagged: boolean
  /** Most bytes of the body, when not the usual. */
  readonly bodyBytes: number | null
  /** A request that works once the owned ids are filled in; shown in the docs and used by the tests. */
  readonly example: {
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, string>>
    readonly body?: unknown
  }
}

export type AnswerShape = z.ZodType | { readonly type: string; readonly says: string } | null

/** A path with what answers it. */
export interface Route extends RouteFacts {
  readonly handle: (context: Context) => Promise<unknown> | unknown
}

/** The names in a path: `/a/{b}/c/{d}` has `b` and `d`. */
type Names<P extends string> = P extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never

export interface Definition<P extends string, Q extends z.ZodObject, B extends z.ZodType>
  extends Partial<Omit<RouteFacts, 'path' | 'query' | 'body'>> {
  readonly name: string
  readonly method: Method
  readonly path: P
  readonly tag: string
  readonly summary: string
  readonly scope: Scope
  readonly query?: Q
  readonly body?: B
  readonly answers: RouteFacts['answers']
  /** Returns a response, or data for the lowest status of the answers. */
  readonly handle: (context: Context<Record<Names<P>, string>, z.output<Q>, z.output<B>>) => Promise<unknown> | unknown
}

/**
 * A route of your own, for `openService({ routes })`: its input is checked before `handle` sees it.
 * @example openService({ store, models, routes: [...routes, route({ name: 'ping', method: 'get', path: '/ping', ... })] })
 */
export function route<
  const P extends string,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
>(definition: Definition<P, Q, B>): Route {
  return {
    owned: {},
    problems: [],
    envelope: null,
    streams: null,
    takes: null,
    accepts: null,
    operation: null,
    probe: false,
    keyed: false,
    door: null,
    tagged: false,
    bodyBytes: null,
    example: {},
    ...definition,
    query: definition.query ?? null,
    body: definition.body ?? null,
    // what the handler gets was parsed by the schemas beside it
    handle: definition.handle as Route['handle'],
  }
}

export const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)

// Answers. A handler may also return plain data, which becomes the answer with the lowest status of its route.

export function json(data: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(data), { status, headers: { 'content-type': 'application/json', ...headers } })
}

export const created = (data: unknown, location?: string): Response =>
  json(data, 201, location === undefined ? {} : { location })

/** JSON of pieces that were written apart: each is encoded by itself, since one sign beyond Latin-1 makes a whole text twice as long. */
export function written(pieces: readonly string[]): Response {
  const bytes = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let at = 0
  for (const piece of pieces) at += bytes.write(piece, at)
  return new Response(bytes, { headers: { 'content-type': 'application/json' } })
}

/** JSON with an ETag; 304 when a reader has it already. */
export function fresh({ request }: Pick<Context, 'request'>, data: unknown): Response {
  const body = JSON.stringify(data)
  const etag = tagOf(body)
  const headers = { etag, 'cache-control': 'private, no-cache' }
  const reads = request.method === 'GET' || request.method === 'HEAD'
  if (reads && matches(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { 'content-type': 'application/json', ...headers } })
}

/** If-Match: what the caller has seen must be what there is. */
export function checkIfMatch({ request }: Pick<Context, 'request'>, current: unknown): void {
  const wanted = request.headers.get('if-match')
  if (wanted === null || matches(wanted, tagOf(JSON.stringify(current)))) return
  throw new Problem('precondition_failed')
}

const tagOf = (body: string): string => `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false
  if (header.trim() === '*') return true
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

/** So many characters are sent at once: a piece of its own for each line costs more than making it. */
const piece = 64_000

/** Text as it is made; the reader's pace is the writer's, and others have their turn. */
export function streamed(parts: AsyncIterator<string>, headers: Readonly<Record<string, string>>): Response {
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await nextTurn()
      const said: string[] = []
      for (let chars = 0; chars < piece; chars += said.at(-1)?.length ?? 0) {
        const next = await parts.next()
        if (!next.done) said.push(next.value)
        else if (said.length === 0) return controller.close()
        else break
      }
      controller.enqueue(encoder.encode(said.join('')))
    },
    async cancel() {
      await parts.return?.()
    },
  })
  return new Response(body, { headers })
}
