// F-06: the server crashes under two processes of sixteen writers each, again and again.
import { setTimeout as pause } from 'node:timers/promises'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { logOf, openStore } from './lib/stores.mjs'
import { postgres } from './lib/typescript.mjs'

const sizes = [100, 4_000]

export async function restart({ seed, quick, full, note }) {
  const server = await postgres()
  if (server.reason) return { skipped: `no PostgreSQL: ${server.reason}`, ok: true }
  try {
    const restarts = quick ? 1 : full ? 20 : 5
    const options = { poolSize: 16, timeoutSeconds: 10 }
    const workers = ['a', 'b'].map((name) =>
      startWorker({ mode: 'insist', kind: 'postgres', target: server.url, seed, name, sizes, width: 16, options }),
    )
    const acked = () => workers.reduce((sum, { said }) => sum + said.filter(([kind]) => kind === 'ack').length, 0)
    const more = async (count) => {
      const before = acked()
      const end = performance.now() + 60_000
      while (acked() < before + count) {
        if (performance.now() > end) throw new Error('the writers came to a halt')
        await pause(20)
      }
    }
    let slowest = 0
    await Promise.all(workers.map(({ heard }) => heard('ready')))
    for (let crash = 1; crash <= restarts; crash++) {
      await more(quick ? 300 : 1_000)
      await server.restart()
      const begun = performance.now()
      await more(1)
      slowest = Math.max(slowest, performance.now() - begun)
      note(`${crash} restarts, ${acked()} acknowledged`)
    }
    await more(100)
    for (const { child } of workers) child.stdin.end()
    const ends = await Promise.all(workers.map(({ ended }) => ended))
    const crashes = ends.filter(({ code }) => code !== 0)
    for (const { complaint } of crashes) note(complaint)
    const { errors, ...history } = historyOf(workers.flatMap(({ said }) => said))
    const store = await openStore('postgres', server.url)
    const log = await logOf(store)
    const verified = await store.verify('w', 'c')
    await store.close()
    const findings = audit({ seed, sizes, ...history }, log)
    const isWhole = log.length === history.tried.size && history.acks.length === log.length
    const isTyped = Object.keys(errors).every((code) => code === 'unavailable')
    return {
      restarts,
      writers: 32,
      acked: history.acks.length,
      errors,
      ...findings,
      crashes: crashes.length,
      recoveryMs: Math.round(slowest),
      verified: verified.ok,
      ok: isWhole && isTyped && isClean(findings) && crashes.length === 0 && verified.ok,
    }
  } finally {
    await server.stop()
  }
}
