/**
 * A `fetch` for an AI SDK provider that sees what the provider hides: whether the stream came to its end. Only whole
 * and readable events go on to the SDK, and what is wrong is kept for whoever reads the SDK's stream.
 */
import { ModelError } from '../wire/contract.js'
import { dial, type Fetch, type Line } from '../wire/dial.js'
import { fault } from '../wire/fault.js'
import { type ReceiveLimits, receive } from '../wire/receive.js'
import type { Wire } from '../wire/wires.js'

export interface StreamWatch {
  readonly fetch: Fetch
  /** What went wrong, once the SDK's stream has ended. */
  readonly fault: () => ModelError | null
}

export function watch(line: Line, wire: Wire, limits: ReceiveLimits): StreamWatch {
  let broken: ModelError | null = null
  const keep = (error: unknown): ModelError => {
    broken ??= ModelError.is(error) ? error : fault('cut', line.who, error)
    return broken
  }
  return {
    fault: () => broken,
    fetch: async (url, init = {}) => {
      try {
        const response = await dial(line, url, init)
        const body = pass(receive(line.who, response.body, wire, limits), keep)
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      } catch (error) {
        throw keep(error)
      }
    },
  }
}

/** Ends where the stream breaks, instead of failing: then no word that arrived before is lost in the SDK's pipes. */
function pass(events: ReturnType<typeof receive>, keep: (error: unknown) => ModelError): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const { done, value } = await events.next()
          if (done) return controller.close()
          controller.enqueue(encoder.encode(`data: ${value.data.replaceAll('\n', '\ndata: ')}\n\n`))
        } catch (error) {
          keep(error)
          controller.close()
        }
      },
      async cancel() {
        await events.return()
      },
    },
    { highWaterMark: 0 },
  )
}
