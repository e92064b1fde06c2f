/**
 * Times one call after another until the box is full. `prepare` runs untimed before each call and hands it its
 * argument. A call over a second is measured once.
 */
export async function measure(call, { box = 1_000, prepare = () => undefined, most = 20_000 } = {}) {
  const first = await once(call, prepare)
  if (first > 1_000) return { median: first, p99: first, calls: 1 }
  const warm = Math.min(box / 2, 400)
  for (let spent = first; spent < warm; ) spent += await once(call, prepare)
  const times = []
  for (let spent = 0; (spent < box || times.length < 5) && times.length < most; ) {
    const time = await once(call, prepare)
    times.push(time)
    spent += time
  }
  times.sort((one, other) => one - other)
  return { median: at(times, 0.5), p99: at(times, 0.99), calls: times.length }
}

async function once(call, prepare) {
  const argument = await prepare()
  const began = performance.now()
  const result = call(argument)
  // a promise is awaited only where there is one: the wait of a microtask is the peer's own cost, not ours
  if (result instanceof Promise) await result
  return performance.now() - began
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
