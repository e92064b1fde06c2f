/** What a handler has in its hands. */
import type { Limits as HistoryLimits } from '../../engine/limits.js'
import type { Services } from '../../operations/context.js'
import type { Caller } from './auth.js'
import type { Door } from './door.js'
import type { KeyScope } from './keys.js'
import type { Live } from './live.js'
import type { Route } from './route.js'
import type { Uploads } from './uploads.js'

/** What all requests share. */
export interface ServiceFrame extends Services {
  readonly limits: HttpLimits
  /** The room of bodies that are on their way. */
  readonly uploads: Uploads
  readonly log: Log
  /** Numbers for Prometheus; null where no one counts. */
  readonly metrics: (() => string) | null
  readonly routes: readonly Route[]
  readonly live: Live
  /** Null where no one speaks it. */
  readonly mcp: McpHandler | null
  /** Sends a request on to a provider that speaks the client's dialect; null where nobody does. */
  readonly forward: (passing: Relayed, door: Door, bytes: Uint8Array) => Promise<Response | null>
  /** Fires when the service closes: streams end. */
  readonly closing: AbortSignal
}

/** How much one request may bring. */
export interface HttpLimits {
  /** Most bytes of a body. */
  readonly bodyBytes: number
  /** Levels of JSON inside one another. */
  readonly depth: number
  /** Values in one body, however nested. */
  readonly values: number
  readonly history: Partial<HistoryLimits>
}

export interface Context<P = Record<string, string>, Q = Record<string, unknown>, B = unknown> {
  readonly frame: ServiceFrame
  readonly request: Request
  /** The name of the request in logs and answers. */
  readonly id: string
  readonly caller: Caller
  /** Whose data is meant: the caller's own, always. */
  readonly workspace: string
  readonly params: P
  readonly query: Q
  readonly body: B
  /** The Idempotency-Key, where the route takes one. */
  readonly key: string | undefined
  readonly remote: string | null
}

/** What a request that is passed on needs of its context. */
export type Relayed = Pick<Context, 'frame' | 'request' | 'workspace' | 'id' | 'params'>

/** Answers what comes to `/mcp`; the host brings it. */
export interface McpHandler {
  fetch(
    request: Request,
    body: unknown,
    caller: { readonly workspace: string; readonly scope: KeyScope; readonly key: string | null },
  ): Promise<Response>
  close(): Promise<void>
}

/** One line of a log: names, ids, sizes and times, never content or keys. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly event: string
  readonly [field: string]: unknown
}

/** Where lines of the log go. */
export type Log = (line: LogLine) => void
