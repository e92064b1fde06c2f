import type { Timer } from '../kit/sse.js'

export interface ManualClock {
  readonly timer: Timer
  /** Lets the time pass, calling back in order. */
  pass(milliseconds: number): Promise<void>
  /** Callbacks that are still to come. */
  waiting(): number
}

export function manualClock(): ManualClock {
  let now = 0
  const due = new Set<{ readonly at: number; readonly then: () => void }>()
  return {
    timer(milliseconds, then) {
      const one = { at: now + milliseconds, then }
      due.add(one)
      return () => due.delete(one)
    },
    async pass(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        await settled()
        const next = [...due].sort((one, other) => one.at - other.at)[0]
        if (!next || next.at > end) break
        now = next.at
        due.delete(next)
        next.then()
      }
      now = end
      await settled()
    },
    waiting: () => due.size,
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
