/**
 * Time that passes only when it is told to. Between two timers whatever is ready runs to its end, in one turn of the real
 * loop: a simulated second costs what is done in it, and nothing else.
 */
interface Timer {
  readonly at: number
  readonly number: number
  readonly run: () => void
  readonly every: number | null
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  Date: globalThis.Date,
  now: performance.now,
}

export interface Time {
  /** Milliseconds go by. */
  pass(ms: number): Promise<void>
  /** The time of day jumps; how long something takes does not. */
  jump(ms: number): void
  /** Gives the real time back. */
  end(): void
}

export function beginTime(start: number): Time {
  let [now, day, numbers] = [0, start, 0]
  const timers = new Map<number, Timer>()
  /** In the order of their time, and of their making: a heap of numbers and times. */
  const heap: Timer[] = []
  const isBefore = (one: Timer, other: Timer): boolean =>
    one.at < other.at || (one.at === other.at && one.number < other.number)

  const push = (timer: Timer): void => {
    timers.set(timer.number, timer)
    let at = heap.push(timer) - 1
    for (let up = (at - 1) >> 1; at > 0 && isBefore(timer, heap[up] as Timer); up = (at - 1) >> 1) {
      heap[at] = heap[up] as Timer
      at = up
    }
    heap[at] = timer
  }
  const pop = (): Timer => {
    const [first] = heap as [Timer]
    const last = heap.pop() as Timer
    if (heap.length === 0) return first
    let at = 0
    for (;;) {
      let down = 2 * at + 1
      if (down >= heap.length) break
      if (down + 1 < heap.length && isBefore(heap[down + 1] as Timer, heap[down] as Timer)) down++
      if (!isBefore(heap[down] as Timer, last)) break
      heap[at] = heap[down] as Timer
      at = down
    }
    heap[at] = last
    return first
  }

  const set =
    (every: boolean) =>
    (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) => {
      const wait = Math.max(1, ms ?? 0)
      let number = 0
      const begin = (): void => {
        number = ++numbers
        push({ at: now + wait, number, run: () => work(...given), every: every ? wait : null })
      }
      begin()
      const refresh = () => {
        if (timers.delete(number)) begin()
        return handle
      }
      const self = () => handle
      const handle = { ref: self, unref: self, refresh, hasRef: () => true, [Symbol.toPrimitive]: () => number }
      return handle
    }
  const clear = (handle: unknown): void => void timers.delete(Number(handle ?? 0))

  class Day extends real.Date {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [Day.now()] : given) as [number]))
    }
    static override now(): number {
      return Math.floor(day + now)
    }
  }
  Object.assign(globalThis, {
    setTimeout: set(false),
    setInterval: set(true),
    setImmediate: (work: (...given: unknown[]) => void, ...given: unknown[]) => set(false)(work, 0, ...given),
    clearTimeout: clear,
    clearInterval: clear,
    Date: Day,
  })
  performance.now = () => now

  const settled = (): Promise<void> => new Promise((resolve) => void real.setImmediate(resolve))

  return {
    async pass(ms) {
      const until = now + ms
      for (;;) {
        await settled()
        const next = heap[0]
        if (!next || next.at > until) break
        pop()
        if (!timers.delete(next.number)) continue
        now = next.at
        if (next.every !== null) push({ ...next, at: now + next.every })
        next.run()
      }
      now = until
    },
    jump(ms) {
      day += ms
    },
    end() {
      const { now: clock, ...rest } = real
      Object.assign(globalThis, rest)
      performance.now = clock
    },
  }
}
