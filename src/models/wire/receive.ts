/** Reads a provider's stream, event by event, and stands for its being whole. */
import { ModelError } from './contract.js'
import { fault, streamFault } from './fault.js'
import { framer } from './frames.js'
import { done, type Wire } from './wires.js'

export interface ReceiveLimits {
  /** So long may nothing come. */
  readonly silenceMs: number
  /** Most bytes of an answer. */
  readonly answerBytes: number
}

/** The events around the words take their room, too. */
const wrapping = 32

export interface Received {
  readonly data: string
  readonly json: unknown
}

/** Yields only events that arrived whole; throws `ModelError` unless the answer has come to its end. */
export async function* receive(
  who: string,
  body: ReadableStream<Uint8Array> | null,
  wire: Wire,
  limits: ReceiveLimits,
): AsyncGenerator<Received, void, undefined> {
  if (!body) throw fault('cut', who)
  const reader = body.getReader()
  const frames = framer(wire.frame)
  const judge = wire.judge()
  let size = 0
  let count = 0
  let whole = false
  try {
    for (;;) {
      const { done: isOver, value } = await next(who, reader, limits.silenceMs)
      if (isOver) break
      size += value.byteLength
      if (size > limits.answerBytes * wrapping) throw fault('too_long', who)
      for (const data of split(who, value, frames)) {
        const json = data === done ? done : parse(who, data)
        const verdict = judge(json)
        if (typeof verdict === 'object') throw streamFault(who, verdict.error)
        count++
        yield { data, json }
        if (verdict === 'end') return
        whole = verdict === 'whole'
      }
      if (frames.waiting > limits.answerBytes) throw fault('too_long', who)
    }
    if (!whole) throw fault(size > 0 && count === 0 ? 'garbled' : 'cut', who)
  } finally {
    // what still comes is not wanted, and an answer that is over has nothing to cancel
    reader.cancel().catch(() => undefined)
  }
}

async function next(
  who: string,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  silenceMs: number,
): ReturnType<typeof reader.read> {
  try {
    return await inTime(silenceMs, reader.read(), () => fault('silent', who))
  } catch (error) {
    throw ModelError.is(error) ? error : fault('cut', who, error)
  }
}

function split(who: string, bytes: Uint8Array, frames: ReturnType<typeof framer>): string[] {
  try {
    return frames.push(bytes)
  } catch (error) {
    throw fault('garbled', who, error)
  }
}

function parse(who: string, data: string): unknown {
  try {
    return JSON.parse(data)
  } catch (error) {
    throw fault('garbled', who, error)
  }
}

/** The promise, unless it takes too long. */
export async function inTime<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  try {
    return await Promise.race([
      promise,
      new Promise<never>((_, reject) => {
        // after a turn that took too long by itself, what has arrived is looked at first
        timer = setTimeout(() => setImmediate(() => setImmediate(() => reject(late()))), ms)
      }),
    ])
  } finally {
    clearTimeout(timer)
  }
}
