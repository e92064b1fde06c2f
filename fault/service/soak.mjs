// F-19: one server for half an hour under a steady mixture of reads, appends and answers: its memory and its file do not creep.
import { readFileSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { textOf } from '../lib/dice.mjs'
import { call, databaseFor, startModel, startReplica } from './stage.mjs'

const conversations = 200
/** Messages that each has from the beginning: more than recall remembers of all, so that memory is at its limits before it is watched. */
const before = 220
/** Requests a second, so that the machine is not the limit. */
const rate = 20

export async function soak({ seed, quick, full, dice, folder, note }) {
  const seconds = Number(process.env.SOAK_SECONDS ?? (quick ? 30 : full ? 1_800 : 180))
  const data = await databaseFor('sqlite', folder)
  const model = await startModel()
  const env = { ...model.env, THROUGHLINE_RATE_PER_MINUTE: '0' }
  const server = await startReplica({ db: data.db, env })
  const counts = { reads: 0, appends: 0, answers: 0, refused: 0 }
  const refusals = {}
  const samples = []
  let begun = performance.now()
  const passed = () => (performance.now() - begun) / 1_000
  try {
    for (let n = 0; n < conversations; n++) {
      const id = `c${n}`
      const content = (m) => textOf(seed, `${id}.${m}`, [1_500, 1_500])
      const messages = Array.from({ length: before }, (_, m) => ({
        role: m % 2 ? 'assistant' : 'user',
        content: content(m),
      }))
      const made = await call(server.url, 'POST', '/api/v1/conversations', { id })
      const filled = await call(server.url, 'POST', `/api/v1/conversations/${id}/messages`, { messages })
      if (made.status !== 201 || filled.status !== 201)
        throw new Error(`no conversation: ${made.status} ${filled.status}`)
    }
    // whatever is remembered of a conversation that is read, asked about and answered
    for (let n = 0; n < conversations; n++)
      for (const asked of [read(`c${n}`), assemble(`c${n}`), chat(`c${n}`, `say w${n} 20 0`)]) {
        const { status } = await call(server.url, ...asked)
        if (status >= 400) throw new Error(`not warm: ${status}`)
      }
    begun = performance.now()
    let sampled = 0
    const underWay = new Set()
    for (let n = 0; passed() < seconds; n++) {
      const one = request(n).then((status) => {
        if (status < 400) return
        counts.refused++
        refusals[status] = (refusals[status] ?? 0) + 1
      })
      underWay.add(one)
      one.finally(() => underWay.delete(one))
      if (passed() > sampled) {
        samples.push({ at: passed(), ...(await looked()) })
        sampled += Math.max(2, seconds / 180)
        if (samples.length % 18 === 0) note(JSON.stringify(samples.at(-1)))
      }
      // a machine that is busy falls behind: then fewer come
      while (underWay.size > 40) await Promise.race(underWay)
      await pause(Math.max(0, (n * 1_000) / rate - passed() * 1_000))
    }
    await Promise.all(underWay)
  } finally {
    await server.kill('SIGTERM')
    model.close()
    await data.close()
  }
  const [early, late] = [thirdOf(1), thirdOf(2)]
  const perMinute = { rss: slope('rss'), heap: slope('heap') }
  const figures = {
    seconds,
    ...counts,
    ...(counts.refused > 0 ? { refusals } : null),
    rssMb: [mb(early[0].rss), mb(late.at(-1).rss)],
    heapMb: [mb(lowest(early)), mb(lowest(late))],
    rssMbPer10Minutes: round(perMinute.rss * 10),
    heapMbPer10Minutes: round(perMinute.heap * 10),
    bytesPerWrite: [growth(thirdOf(0)), growth(early), growth(late)],
    longestLogMb: mb(Math.max(...samples.map(({ log }) => log))),
  }
  // a short run writes to the log alone
  const isSteady = figures.bytesPerWrite[2] <= 1.25 * figures.bytesPerWrite[1] && figures.longestLogMb < 64
  // what is read again and again is remembered up to a limit: a short run has not come to it
  const isFlat = !full || figures.heapMbPer10Minutes < 1
  return { ...figures, ok: counts.refused === 0 && isSteady && isFlat }

  async function request(n) {
    const id = `c${Math.floor(dice() * conversations)}`
    const kind = dice()
    if (kind < 0.8) {
      counts.reads++
      return (await call(server.url, ...(n % 2 ? read(id) : assemble(id)))).status
    }
    const text = textOf(seed, `m${n}`, [200, 1_500])
    if (kind < 0.95) {
      counts.appends++
      const message = { role: 'user', content: text }
      return (await call(server.url, 'POST', `/api/v1/conversations/${id}/messages`, { message })).status
    }
    counts.answers++
    return (await call(server.url, ...chat(id, `say a${n} 20 5`))).status
  }

  async function looked() {
    // what is measured is what is kept, and not what was not yet thrown away
    server.child.kill('SIGUSR2')
    await pause(200)
    const told = await (await fetch(`${server.url}/metrics`)).text()
    const gauge = (name) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(told)?.[1])
    const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
    const log = sizeOf(`${data.db}-wal`)
    const writes = counts.appends + 2 * counts.answers
    return {
      rss: gauge('process_resident_memory_bytes'),
      heap: Number(readFileSync(`${server.held}.kept`, 'utf8')),
      ...{ file: sizeOf(data.db), log, writes },
    }
  }

  function thirdOf(n) {
    const each = Math.floor(samples.length / 3)
    return samples.slice(n * each, (n + 1) * each)
  }

  /** Bytes a minute, over the last two thirds; of the heap its lowest points count, just after it was tidied. */
  function slope(name) {
    const some = samples.slice(Math.floor(samples.length / 3))
    const lots = Array.from({ length: Math.floor(some.length / 6) }, (_, n) => some.slice(n * 6, n * 6 + 6))
    const points = lots.map((lot) => lot.reduce((low, one) => (one[name] < low[name] ? one : low)))
    const mean = (pick) => points.reduce((sum, point) => sum + pick(point), 0) / points.length
    const [at, level] = [mean((point) => point.at), mean((point) => point[name])]
    const above = points.reduce((sum, point) => sum + (point.at - at) * (point[name] - level), 0)
    return ((above / points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)) * 60) / 1e6
  }
}

const read = (id) => ['GET', `/api/v1/conversations/${id}/messages?limit=50`]
const assemble = (id) => ['POST', '/api/v1/context/assemble', { conversation_id: id, current: 'What was said?' }]
const chat = (id, message) => ['POST', '/chat', { session_id: id, message }]

const mb = (bytes) => Math.round(bytes / 1e5) / 10
const round = (number) => Math.round(number * 100) / 100
const lowest = (some) => Math.min(...some.map(({ heap }) => heap))
const growth = (some) =>
  Math.round((some.at(-1).file - some[0].file) / Math.max(1, some.at(-1).writes - some[0].writes))
