/** Server-sent events, written only as fast as they are read. */

export interface Frame {
  /** The number of a stored event: a reader that comes back names the last one it has. */
  readonly id?: number
  /** Null where the dialect names no events. */
  readonly event: string | null
  readonly data: unknown
}

/** The last word of dialects that have one: it is no JSON. */
export const doneFrame: Frame = { event: null, data: Symbol('[DONE]') }

/** Calls back after a time, and returns what calls it off. */
export type Timer = (milliseconds: number, then: () => void) => () => void

interface SseOptions {
  readonly timer?: Timer
  /** A word after so long a silence, so that nobody in between hangs up. */
  readonly keepAliveMs?: number
  /** A reader that takes nothing for so long is dropped. */
  readonly stallMs?: number
  /** How long a reader waits before it comes back. */
  readonly retryMs?: number
  /** The stream ends after so long, between two events; its reader comes back. */
  readonly ageMs?: number
  /** The stream ends with this signal, between two events. */
  readonly until?: AbortSignal
  /** Where the reader stands before the first frame. */
  readonly after?: number
  readonly headers?: Readonly<Record<string, string>>
  /** What to say last when the frames break off with an error; without it the connection just breaks. */
  readonly fault?: (error: unknown) => Frame
}

const realTimer: Timer = (milliseconds, then) => {
  const handle = setTimeout(then, milliseconds)
  return () => clearTimeout(handle)
}

const encoder = new TextEncoder()

/** The same event is always the same bytes. */
export function frameText({ id, event, data }: Frame): string {
  const number = id === undefined ? '' : `id: ${id}\n`
  const name = event === null ? '' : `event: ${event}\n`
  const text = typeof data === 'symbol' ? data.description : JSON.stringify(data)
  return `${number}${name}data: ${text ?? 'null'}\n\n`
}

/** A comment with an id and no data moves the reader's bookmark and wakes nobody. */
const bookmarkText = (id: number | undefined): string =>
  id === undefined ? ': keep-alive\n\n' : `: keep-alive\nid: ${id}\n\n`

/** The frames are pulled one by one as the reader asks; its leaving aborts the signal they were opened with. */
export function sse(open: (signal: AbortSignal) => AsyncIterable<Frame>, options: SseOptions = {}): Response {
  return new Response(sseBody(open, options), {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...options.headers,
    },
  })
}

function sseBody(
  open: (signal: AbortSignal) => AsyncIterable<Frame>,
  options: SseOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const { timer = realTimer, keepAliveMs = 15_000, stallMs = 60_000, retryMs = 2_000, fault } = options
  const leaving = new AbortController()
  const frames = open(leaving.signal)[Symbol.asyncIterator]()
  let bookmark = options.after
  let greeted = false
  let over = false
  /** The frame that was asked for and has not come yet. */
  let coming: Promise<Step> | null = null
  /** Tells the waiting reader something else instead. */
  let interrupt = (_: Step): void => {}
  let calm = (): void => {}

  const end = (): void => {
    over = true
    interrupt({ kind: 'end' })
  }
  const grown = options.ageMs === undefined ? () => {} : timer(options.ageMs, end)
  options.until?.addEventListener('abort', end, { once: true })

  const leave = (): void => {
    calm()
    grown()
    options.until?.removeEventListener('abort', end)
    leaving.abort()
    // a source that is waiting ends by the signal; its last word interests nobody
    void frames.return?.().catch(() => {})
  }

  /** The next frame, or that it takes long. */
  const next = (): Promise<Step> => {
    coming ??= frames.next().then(
      (result): Step => (result.done ? { kind: 'end' } : { kind: 'frame', frame: result.value }),
      (error: unknown): Step => ({ kind: 'fault', error }),
    )
    return new Promise((resolve) => {
      const stop = timer(keepAliveMs, () => resolve({ kind: 'silence' }))
      interrupt = (step) => {
        stop()
        resolve(step)
      }
      void coming?.then(interrupt)
    })
  }

  return new ReadableStream(
    {
      async pull(controller) {
        calm()
        const say = (text: string): void => {
          controller.enqueue(encoder.encode(text))
          calm = timer(stallMs, () => {
            leave()
            controller.error(new Error(`the reader took nothing for ${stallMs} ms`))
          })
        }
        if (!greeted) {
          greeted = true
          return say(`retry: ${retryMs}\n${bookmark === undefined ? '' : `id: ${bookmark}\n`}\n`)
        }
        const step: Step = over ? { kind: 'end' } : await next()
        if (leaving.signal.aborted) return
        if (step.kind === 'silence') return say(bookmarkText(bookmark))
        coming = null
        if (step.kind === 'frame') {
          bookmark = step.frame.id ?? bookmark
          return say(frameText(step.frame))
        }
        leave()
        if (step.kind === 'fault' && !fault) return controller.error(step.error)
        if (step.kind === 'fault' && fault) controller.enqueue(encoder.encode(frameText(fault(step.error))))
        controller.close()
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  )
}

type Step =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | { readonly kind: 'silence' }
  | { readonly kind: 'end' }
  | { readonly kind: 'fault'; readonly error: unknown }
