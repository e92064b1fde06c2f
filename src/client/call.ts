/** One request: sent, tried again where that is safe, its refusal thrown as an error. */
import { ApiError, refusalOf } from './error.js'

/** Where the service is, and who asks. */
export interface ClientOptions {
  /** Where the service is, as `https://history.example.com`; the page's own origin when left out. */
  readonly url?: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
  /** How often a request that is safe to repeat is tried again; 3 when left out. */
  readonly retries?: number
  /** Waits between tries; for tests. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Makes idempotency keys. */
  readonly id?: () => string
}

export interface CallRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: object
  readonly body?: unknown
  /** Sent as its bytes, in the place of a body. */
  readonly file?: Blob
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The service knows a repetition by its key: given, or made here. */
  readonly keyed?: boolean | string
  /** May be sent again though it writes. */
  readonly safe?: boolean
  /** It is sent even if the page is left at once. */
  readonly keepalive?: boolean
}

export interface ApiCaller {
  send(ask: CallRequest): Promise<Response>
  json<T>(ask: CallRequest): Promise<T>
  readonly wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export function callerOf(options: ClientOptions): ApiCaller {
  const { url = '', retries = 3, wait = pause, id = () => crypto.randomUUID() } = options
  const base = url.replace(/\/+$/, '')
  const reach = options.fetch ?? ((input: string, init?: RequestInit) => fetch(input, init))

  const send = async (ask: CallRequest): Promise<Response> => {
    const { method = 'GET', path, query, body, file, keyed = false, signal, keepalive } = ask
    const safe = method === 'GET' || keyed !== false || ask.safe === true
    const init: RequestInit = {
      method,
      headers: {
        ...(options.key === undefined ? null : { authorization: `Bearer ${options.key}` }),
        ...(body === undefined ? null : { 'content-type': 'application/json' }),
        ...(file && { 'content-type': 'application/octet-stream' }),
        ...(keyed === false ? null : { 'idempotency-key': keyed === true ? id() : keyed }),
        ...options.headers,
        ...ask.headers,
      },
      ...(body === undefined ? null : { body: JSON.stringify(body) }),
      ...(file && { body: file }),
      ...(signal && { signal }),
      ...(keepalive && { keepalive }),
    }
    for (let attempt = 0; ; attempt++) {
      const answer = await reach(`${base}${path}${queryText(query)}`, init).catch((cause: unknown) => {
        signal?.throwIfAborted()
        return new ApiError({ status: 0, code: 'unreachable', detail: 'the service cannot be reached', cause })
      })
      if (!ApiError.is(answer) && answer.ok) return answer
      const error = ApiError.is(answer) ? answer : await refusalOf(answer)
      if (attempt >= retries || !(passing(error) && (safe || turnedAway(error)))) throw error
      const asked = ApiError.is(answer) ? Number.NaN : Number(answer.headers.get('retry-after') ?? Number.NaN)
      await wait(Number.isFinite(asked) ? Math.min(asked * 1_000, 30_000) : backoff(attempt), signal)
      signal?.throwIfAborted()
    }
  }

  return {
    send,
    wait,
    async json<T>(ask: CallRequest): Promise<T> {
      const response = await send(ask)
      return (response.status === 204 ? null : await response.json()) as T
    },
  }
}

/** Another moment may bring another answer. */
export const passing = ({ status, code }: ApiError): boolean =>
  [0, 429, 502, 503, 504].includes(status) && !/^(?:model_|interrupted|too_many_runs)/.test(code)

/** It was refused at the door, so nothing was done. */
const turnedAway = ({ code }: ApiError): boolean => code === 'rate_limited' || code === 'unavailable'

/** Longer each time, and not the same for everyone who lost the same connection. */
export const backoff = (attempt: number, first = 250): number =>
  Math.min(first * 2 ** attempt, 15_000) * (0.75 + Math.random() / 2)

function queryText(query: object | undefined): string {
  const fields = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return fields.length === 0
    ? ''
    : `?${new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)]))}`
}

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal?.addEventListener('abort', done)
    if (signal?.aborted) done()
  })
