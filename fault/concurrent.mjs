// F-09: many writers on one conversation, from two processes; every operation is written down and held against the log.
// F-13: the same from three processes whose clocks are wrong.
import { join } from 'node:path'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { skewed } from './lib/skew.mjs'
import { integrityOf, logOf, openStore } from './lib/stores.mjs'
import { postgres } from './lib/typescript.mjs'

const sizes = [50, 400]
const weights = { append: 50, expect: 10, edit: 15, read: 15, repeat: 7, remove: 3 }

export const skewedSqliteWriters = (setting) => sqliteWriters({ ...setting, isSkewed: true })
export const skewedPostgresWriters = (setting) => postgresWriters({ ...setting, isSkewed: true })

export async function sqliteWriters(setting) {
  const target = join(setting.folder, 'log.db')
  const result = await trial({ ...setting, kind: 'sqlite', target, weights, count: setting.quick ? 2_000 : 20_000 })
  const integrity = await integrityOf(target)
  return { ...result, integrity, ok: result.ok && integrity === 'ok' }
}

export async function postgresWriters(setting) {
  const server = await postgres()
  if (server.reason) return { skipped: `no PostgreSQL: ${server.reason}`, ok: true }
  try {
    const count = setting.quick ? 2_000 : 20_000
    return await trial({ ...setting, kind: 'postgres', target: server.url, weights, count, options: { poolSize: 8 } })
  } finally {
    await server.stop()
  }
}

/** The same trial and the same audit on a store that loses writes: it passes when they find it. */
export async function control(setting) {
  const target = join(setting.folder, 'control.db')
  const some = { append: 85, read: 15 }
  const { ok, ...found } = await trial({ ...setting, kind: 'control', target, weights: some, count: 1_000 })
  return { ...found, caught: !ok, ok: !ok && found.lost > 0 }
}

async function trial({ seed, kind, target, options, weights, count, note, isSkewed = false }) {
  const width = 8
  const begun = performance.now()
  const names = isSkewed ? ['a', 'b', 'c'] : ['a', 'b']
  const share = Math.floor(count / names.length)
  const workers = names.map((name, n) => {
    const job = { mode: 'mixed', kind, target, options, seed, name, sizes, width, weights, count: share }
    return startWorker(job, [], skewed(isSkewed, n))
  })
  const ends = await Promise.all(workers.map(({ ended }) => ended))
  const rate = Math.round(count / ((performance.now() - begun) / 1_000))
  const crashes = ends.filter(({ code }) => code !== 0)
  for (const { complaint } of crashes) note(complaint.slice(0, 1_000))
  const { errors, faults, ...history } = historyOf(workers.flatMap(({ said }) => said))
  for (const fault of faults.slice(0, 5)) note(fault)
  const store = await openStore(kind, target)
  const log = await logOf(store)
  const verified = (await store.verify?.('w', 'c'))?.ok ?? null
  await store.close()
  const findings = audit({ seed, sizes, ...history }, log)
  const isWhole = log.length === history.acks.length
  const isSound = crashes.length + faults.length === 0 && verified !== false
  return {
    operations: count,
    writers: names.length * width,
    perSecond: rate,
    acked: history.acks.length,
    headMoved: history.refused.length,
    reads: history.reads.length,
    stored: log.length,
    ...findings,
    faults: faults.length,
    crashes: crashes.length,
    verified,
    ok: isWhole && isSound && isClean(findings),
  }
}
