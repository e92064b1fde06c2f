const rounds = 5

/**
 * Times call after call until the box is full. `prepare` runs untimed before each call. The median is over all calls,
 * the 99th percentile that of the quietest of five rounds: a machine is seldom alone. A call over a second is
 * measured once.
 */
export async function measure(call, { box = 1_000, prepare, most = 20_000 } = {}) {
  const began = performance.now()
  const first = await once(call, prepare)
  if (first > 1_000) return { median: first, p99: first, calls: 1 }
  const warm = Math.min(box / 2, 400)
  for (let spent = first; spent < warm && performance.now() - began < box; ) spent += await once(call, prepare)
  const all = []
  const tails = []
  for (let round = 0; round < rounds; round++) {
    const times = []
    const end = performance.now() + (3 * box) / rounds
    for (let spent = 0; spent < box / rounds && times.length < most / rounds; ) {
      const time = await once(call, prepare)
      times.push(time)
      spent += time
      // what is prepared outside of the clock may take longer than what is timed
      if (performance.now() > end) break
    }
    tails.push(quantile(times, 0.99))
    all.push(...times)
  }
  return { median: quantile(all, 0.5), p99: Math.min(...tails), calls: all.length }
}

async function once(call, prepare) {
  if (prepare) await prepare()
  const began = performance.now()
  const result = call()
  // only a promise is waited for: what a microtask costs is the peer's
  if (result instanceof Promise) await result
  return performance.now() - began
}

export function quantile(times, share) {
  const sorted = Float64Array.from(times).sort()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
