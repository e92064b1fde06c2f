import { describe, expect, test } from 'vitest'
import { manualClock } from '../live/clock.fixture.js'
import { type Frame, frameText, sse } from './sse.js'

const frames = (count: number, from = 1): Frame[] =>
  Array.from({ length: count }, (_, i) => ({
    id: from + i,
    event: 'text-delta',
    data: { run: 'r', text: `word ${from + i} 👩‍👩‍👧\n\u2028data: x\n\n` },
  }))

async function* listed(list: readonly Frame[]): AsyncGenerator<Frame> {
  yield* list
}

/** Says what it has, then waits until the reader leaves. */
async function* waiting(list: readonly Frame[], signal: AbortSignal): AsyncGenerator<Frame> {
  yield* list
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

const chunksOf = async (reader: ReadableStreamDefaultReader<Uint8Array>, count: number): Promise<string[]> => {
  const out: string[] = []
  for (let i = 0; i < count; i++) out.push(new TextDecoder().decode((await reader.read()).value))
  return out
}

const readerOf = (response: Response) =>
  (response.body as ReadableStream<Uint8Array>).getReader() as ReadableStreamDefaultReader<Uint8Array>

describe('a stream of events', () => {
  test('says first how long to wait before coming back, and is never buffered, changed or kept', async () => {
    const response = sse(() => listed(frames(1)))
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
    expect(response.headers.get('x-accel-buffering')).toBe('no')
    expect(await response.text()).toBe(`retry: 2000\n\n${frameText(frames(1)[0] as Frame)}`)
  })

  test('keeps whatever a text holds inside one data line', async () => {
    const [block] = frames(1).map(frameText)
    expect(block?.split('\n')).toHaveLength(5)
    expect(block?.startsWith('id: 1\nevent: text-delta\ndata: {')).toBe(true)
  })

  test('adds up to the same bytes wherever it was cut and resumed [T-43]', async () => {
    const all = frames(40)
    const whole = new TextEncoder().encode(await sse(() => listed(all)).text())
    for (let cut = 0; cut <= whole.length; cut += 7) {
      const seen = new TextDecoder().decode(whole.slice(0, cut))
      const complete = seen.includes('\n\n') ? seen.slice(0, seen.lastIndexOf('\n\n') + 2) : 'retry: 2000\n\n'
      const last = Number([...complete.matchAll(/^id: (\d+)$/gm)].at(-1)?.[1] ?? 0)
      const rest = await sse(() => listed(all.slice(last))).text()
      expect(complete + rest.replace('retry: 2000\n\n', '')).toBe(new TextDecoder().decode(whole))
    }
  })

  test('takes from its source only what is read [T-86]', async () => {
    let made = 0
    const source = async function* (): AsyncGenerator<Frame> {
      for (;;) yield { id: ++made, event: 'x', data: 'y'.repeat(1_000) }
    }
    const reader = readerOf(sse(() => source()))
    await chunksOf(reader, 4)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(made).toBe(3)
    await reader.cancel()
  })

  test('keeps a silent connection alive with a bookmark that no reader sees as an event', async () => {
    const clock = manualClock()
    const reader = readerOf(sse((signal) => waiting(frames(1, 7), signal), { timer: clock.timer, after: 6 }))
    await chunksOf(reader, 2)
    const next = reader.read()
    await clock.pass(15_000)
    expect(new TextDecoder().decode((await next).value)).toBe(': keep-alive\nid: 7\n\n')
    await reader.cancel()
    expect(clock.waiting()).toBe(0)
  })

  test('drops a reader that takes nothing for a minute, and lets its source go [T-86]', async () => {
    const clock = manualClock()
    let left = false
    const response = sse(
      (signal) => {
        signal.addEventListener('abort', () => {
          left = true
        })
        return waiting(frames(3), signal)
      },
      { timer: clock.timer },
    )
    const reader = readerOf(response)
    await chunksOf(reader, 2)
    await clock.pass(59_000)
    expect(left).toBe(false)
    await clock.pass(1_000)
    expect(left).toBe(true)
    await expect(reader.read()).rejects.toThrow('took nothing')
    expect(clock.waiting()).toBe(0)
  })

  test('does not take a reader that waits for one that does not read', async () => {
    const clock = manualClock()
    const reader = readerOf(sse((signal) => waiting([], signal), { timer: clock.timer }))
    await chunksOf(reader, 1)
    for (let i = 0; i < 8; i++) {
      const next = reader.read()
      await clock.pass(15_000)
      expect(new TextDecoder().decode((await next).value)).toBe(': keep-alive\n\n')
    }
    await reader.cancel()
  })

  test('ends with a last word when its source fails', async () => {
    const source = async function* (): AsyncGenerator<Frame> {
      yield* frames(1)
      throw new Error('disk')
    }
    const fault = (): Frame => ({ event: 'error', data: { code: 'unavailable' } })
    const text = await sse(() => source(), { fault }).text()
    expect(text.endsWith('event: error\ndata: {"code":"unavailable"}\n\n')).toBe(true)
    await expect(sse(() => source()).text()).rejects.toThrow('disk')
  })

  test('tells its source when the reader leaves', async () => {
    let left = false
    const source = async function* (signal: AbortSignal): AsyncGenerator<Frame> {
      try {
        yield* waiting(frames(1), signal)
      } finally {
        left = true
      }
    }
    const reader = readerOf(sse((signal) => source(signal)))
    await chunksOf(reader, 2)
    const next = reader.read()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await reader.cancel()
    await next
    await new Promise((resolve) => setTimeout(resolve, 5))
    expect(left).toBe(true)
  })
})
