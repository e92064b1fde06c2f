// F-14: two servers are restarted in turn under load; what was acknowledged is there once, and nothing is refused for good.
import { setTimeout as pause } from 'node:timers/promises'
import { databaseFor, startReplica } from './stage.mjs'

export const rolling = (kind) =>
  async function rollingTest({ quick, folder, note }) {
    const restarts = quick ? 2 : 20
    const data = await databaseFor(kind, folder)
    if (data.reason) return { skipped: `no PostgreSQL: ${data.reason}`, ok: true }
    const env = { THROUGHLINE_DETECT_MODELS: 'false' }
    const replicas = [await startReplica({ db: data.db, env }), await startReplica({ db: data.db, env })]
    const figures = { kind, restarts: 0, acked: 0, retried: 0, lost: 0, twice: 0, failed: 0, slowestStopMs: 0 }
    const said = new Map()
    let over = false

    const client = async (session) => {
      for (let i = 0; !over; i++) {
        const message = `${session} says ${i}`
        const key = `${session}-${i}`
        if (await insist(replicas, { session_id: session, message }, key, i, figures)) {
          said.set(session, [...(said.get(session) ?? []), message])
          figures.acked++
        } else figures.failed++
        await pause(60)
      }
    }
    try {
      const clients = ['s1', 's2', 's3', 's4', 's5', 's6'].map(client)
      for (let round = 0; round < restarts; round++) {
        for (const i of [0, 1]) {
          await pause(400)
          const old = replicas[i]
          const begun = performance.now()
          await old.kill('SIGTERM')
          figures.slowestStopMs = Math.max(figures.slowestStopMs, Math.round(performance.now() - begun))
          replicas[i] = await startReplica({ db: data.db, env, port: Number(new URL(old.url).port) })
          figures.restarts++
        }
        note(`${figures.restarts} restarts, ${figures.acked} acknowledged, ${figures.retried} tried again`)
      }
      over = true
      await Promise.all(clients)
      for (const [session, messages] of said) {
        const stored = (await allMessages(replicas[0].url, session)).filter(({ role }) => role === 'user')
        const texts = stored.map(({ parts }) => parts[0].text)
        figures.lost += messages.filter((message) => !texts.includes(message)).length
        figures.twice += texts.length - new Set(texts).size
      }
      const { lost, twice, failed, slowestStopMs } = figures
      return { ...figures, ok: lost + twice + failed === 0 && slowestStopMs < 10_000 }
    } finally {
      over = true
      await Promise.all(replicas.map((replica) => replica.kill('SIGKILL')))
      await data.close()
    }
  }

/** Tries one server after the other until the message is answered; true when it was. */
async function insist(replicas, body, key, turn, figures) {
  const deadline = performance.now() + 30_000
  for (let attempt = 0; performance.now() < deadline; attempt++) {
    if (attempt > 0) figures.retried++
    try {
      const response = await fetch(`${replicas[(turn + attempt) % 2].url}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      })
      const answer = await response.json()
      if (response.status === 200) return true
      // an answer that was interrupted is an answer to the message: it is kept, and the run is over
      if (answer.code === 'interrupted') return true
      if (![409, 429, 502, 503, 504].includes(response.status)) return false
    } catch {
      // refused or cut: the other one
    }
    await pause(100)
  }
  return false
}

async function allMessages(url, session) {
  const all = []
  for (let before; ; ) {
    const query = before === undefined ? '' : `&before=${before}`
    const response = await fetch(`${url}/api/v1/conversations/${session}/messages?limit=100${query}`)
    const page = await response.json()
    all.unshift(...page.items)
    if (page.items.length === 0 || !page.next_cursor) return all
    before = page.next_cursor
  }
}
