/** A signal for what is done for one request: it fires when its reader leaves, its key is revoked or the service closes. */
import type { ServiceFrame } from './context.js'

interface Leaving {
  readonly signal: AbortSignal
  /** To be called when the work is done; until then the key is looked after. */
  readonly done: () => void
}

export function leavingOf(request: Request, { closing }: Pick<ServiceFrame, 'closing'>): Leaving {
  const control = new AbortController()
  const leave = (): void => control.abort()
  const sources = [request.signal, closing]
  for (const source of sources) {
    if (source.aborted) leave()
    source.addEventListener('abort', leave, { once: true })
  }
  const done = (): void => {
    for (const source of sources) source.removeEventListener('abort', leave)
  }
  return { signal: control.signal, done }
}

/** The same answer; `done` is called when all of it has been sent, or nobody wants the rest. */
export function toldAtEnd(response: Response, done: () => void): Response {
  const { body, status, headers } = response
  if (body === null || !headers.get('content-type')?.startsWith('text/event-stream')) {
    done()
    return response
  }
  const reader = body.getReader()
  const told = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const step = await reader.read().catch((error: unknown) => {
          done()
          throw error
        })
        if (!step.done) return controller.enqueue(step.value)
        done()
        controller.close()
      },
      cancel(reason) {
        done()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(told, { status, headers })
}
