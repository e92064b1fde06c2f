/** One request to a provider: a good answer begins, or a `ModelError` says why not. */
import { ModelError } from './contract.js'
import { connectionFault, fault, statusFault } from './fault.js'
import { inTime } from './receive.js'

export type Fetch = typeof globalThis.fetch

export interface Line {
  /** The model, as it is named in errors. */
  readonly who: string
  readonly fetch: Fetch
  readonly silenceMs: number
  readonly now: () => number
}

/** So much of an error's text is read. */
const most = 64 * 1024

/** Follows no redirect: a key is for the address it was given for. */
export async function dial(line: Line, url: string | URL | Request, init: RequestInit): Promise<Response> {
  const { who, silenceMs } = line
  const late = (): ModelError => fault('silent', who)
  let response: Response
  try {
    response = await inTime(silenceMs, line.fetch(url, { ...init, redirect: 'manual' }), late)
  } catch (error) {
    throw ModelError.is(error) ? error : connectionFault(who, error)
  }
  if (response.ok && !/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) return response
  const body = await bodyText(response, silenceMs, late).catch(() => '')
  if (response.ok) throw fault('garbled', who, new Error(body.slice(0, 2_000)))
  throw statusFault(who, { status: response.status, headers: response.headers, body }, line.now())
}

/** The beginning of a text, as much as is read of it; a connection that does not end in time is let go. */
export async function bodyText(response: Response, ms: number, late: () => Error, upTo = most): Promise<string> {
  const reader = response.body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  const read = async (): Promise<string> => {
    let text = ''
    while (text.length < upTo) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
    }
    return text
  }
  try {
    return await inTime(ms, read(), late)
  } finally {
    reader.cancel().catch(() => undefined)
  }
}
