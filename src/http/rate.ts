/** Token buckets: a steady rate with bursts, per key. */
import { Problem } from './kit/problem.js'

export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

interface Bucket {
  tokens: number
  at: number
}

const most = 10_000

/** Throws when the caller has to wait; `clock` is in milliseconds. */
export function limiter(rate: Rate | null, clock: () => number): (caller: string) => void {
  if (rate === null) return () => undefined
  const buckets = new Map<string, Bucket>()
  return (caller) => {
    const now = clock()
    const bucket = buckets.get(caller) ?? { tokens: rate.burst, at: now }
    bucket.tokens = Math.min(rate.burst, bucket.tokens + (Math.max(0, now - bucket.at) / 1_000) * rate.perSecond)
    bucket.at = now
    if (buckets.size >= most && !buckets.has(caller)) forgetFull(buckets, rate, now)
    buckets.set(caller, bucket)
    if (bucket.tokens < 1) {
      const seconds = Math.max(1, Math.ceil((1 - bucket.tokens) / rate.perSecond))
      throw new Problem('rate_limited', { headers: { 'retry-after': String(seconds) } })
    }
    bucket.tokens -= 1
  }
}

/** A bucket that has filled up again says nothing. */
function forgetFull(buckets: Map<string, Bucket>, { perSecond, burst }: Rate, now: number): void {
  for (const [caller, { tokens, at }] of buckets)
    if (tokens + ((now - at) / 1_000) * perSecond >= burst) buckets.delete(caller)
  if (buckets.size >= most) buckets.clear()
}
