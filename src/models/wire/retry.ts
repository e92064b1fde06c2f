/** Asks again when asking again can help, a few times and not too soon. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Model, ModelError, type ModelErrorCode, type ModelEvent } from './contract.js'

export interface RetryRule {
  /** How often a request is made at most. */
  readonly attempts: number
  /** The first wait; each further one is twice as long. */
  readonly baseMs: number
  /** No wait of ours is longer, and a provider that asks for more is not waited for. */
  readonly capMs: number
  /** From 0 to 1. */
  readonly random: () => number
  /** Rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const usualRetry: RetryRule = {
  attempts: 3,
  baseMs: 500,
  capMs: 30_000,
  random: Math.random,
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal })
  },
}

const transient: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limited',
  'overloaded',
  'server_error',
  'unreachable',
  'cut',
  'silent',
  'garbled',
])

/** The same model; what goes wrong before a word of the answer was said is tried again. */
export const retrying = (model: Model, rule: RetryRule): Model => ({
  ...model,
  async *stream(request) {
    for (let attempt = 1; ; attempt++) {
      let begun = false
      try {
        for await (const event of model.stream(request)) {
          begun ||= event.type !== 'retry'
          yield event
        }
        return
      } catch (error) {
        request.signal.throwIfAborted()
        if (begun || attempt >= rule.attempts || !ModelError.is(error) || !transient.has(error.code)) throw error
        const waitMs = waitOf(error, attempt, rule)
        if (waitMs === null) throw error
        yield { type: 'retry', attempt, waitMs, code: error.code } satisfies ModelEvent
        await rule.sleep(waitMs, request.signal).catch((broken: unknown) => {
          request.signal.throwIfAborted()
          throw broken
        })
      }
    }
  },
})

/** For what is not a stream: the work as often as it may help, then its error. */
export async function tryAgain<T>(rule: RetryRule, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      const isLast = attempt >= rule.attempts || !ModelError.is(error) || !transient.has(error.code)
      const waitMs = isLast ? null : waitOf(error, attempt, rule)
      if (waitMs === null) throw error
      await rule.sleep(waitMs, never)
    }
  }
}

const never = new AbortController().signal

/** Between half of the step and all of it, so that many clients do not come back at once; never before the provider wants it. */
function waitOf({ retryAfterMs }: ModelError, attempt: number, rule: RetryRule): number | null {
  if (retryAfterMs !== null && retryAfterMs > rule.capMs) return null
  const step = Math.min(rule.capMs, rule.baseMs * 2 ** (attempt - 1))
  const ours = Math.round(step / 2 + (rule.random() * step) / 2)
  return Math.max(ours, retryAfterMs ?? 0)
}
