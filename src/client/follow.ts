/** Events of the service, each once, however often the line is cut. */
import { type ApiCaller, backoff, passing } from './call.js'
import { ApiError } from './error.js'
import type { Event } from './event.js'
import { framesOf } from './sse.js'
import type { Run } from './wire.js'

/** From where on events are followed. */
export interface FollowOptions {
  /** The number of the last event that was seen; without it a conversation is followed from now, a run from its start. */
  readonly after?: number
  readonly signal?: AbortSignal
  /** Told when the line is there and when it is lost. */
  readonly onLine?: (state: 'open' | 'lost') => void
  /** A line that says nothing for so long is taken for dead; the service speaks every 15 seconds. */
  readonly silenceMs?: number
}

/** Ends with the signal, or after what ends a run; throws what coming back cannot mend. */
export async function* followEvents(
  { send, wait }: ApiCaller,
  path: string,
  run: string | null,
  { after, signal, onLine, silenceMs = 45_000 }: FollowOptions,
): AsyncGenerator<Event> {
  let last = after
  let retry = 250
  for (let attempt = 0; signal?.aborted !== true; attempt++) {
    const line = new AbortController()
    const leave = (): void => line.abort()
    signal?.addEventListener('abort', leave)
    let silence = setTimeout(leave, silenceMs)
    try {
      const headers = {
        accept: 'text/event-stream',
        ...(last === undefined ? null : { 'last-event-id': String(last) }),
      }
      const response = await send({ path, headers, signal: line.signal })
      // the service has nothing more to tell of this run
      if (response.status === 204 || !response.body) return
      onLine?.('open')
      const alive = (): void => {
        clearTimeout(silence)
        silence = setTimeout(leave, silenceMs)
      }
      for await (const frame of framesOf(response.body, alive)) {
        retry = frame.retry ?? retry
        const number = frame.id !== null && /^\d{1,15}$/.test(frame.id) ? Number(frame.id) : null
        const seen = number !== null && frame.data !== null && last !== undefined && number <= last
        if (number !== null) last = Math.max(number, last ?? 0)
        if (frame.data === null || seen) continue
        const data: unknown = JSON.parse(frame.data)
        if (frame.event === 'error') throw brokenBy(data)
        attempt = -1
        const event = { number: number ?? last ?? 0, type: frame.event, data } as Event
        yield event
        if (run !== null && event.type === 'run-ended' && (event.data.run as Run).id === run) return
      }
    } catch (error) {
      if (signal?.aborted) return
      if (ApiError.is(error) && !passing(error)) throw error
    } finally {
      clearTimeout(silence)
      signal?.removeEventListener('abort', leave)
      line.abort()
    }
    onLine?.('lost')
    await wait(backoff(Math.max(attempt, 0), Math.min(retry, 1_000)), signal)
  }
}

function brokenBy(data: unknown): ApiError {
  const { code = 'internal', message = 'the stream broke', ...more } = data as { code?: string; message?: string }
  const again = code === 'unavailable' || code === 'internal'
  return new ApiError({ status: again ? 503 : 400, code, detail: message, more })
}
