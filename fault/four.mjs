// Four processes with 250 appends each on one SQLite file.
import { join } from 'node:path'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { integrityOf, logOf, openStore } from './lib/stores.mjs'

export async function four({ seed, quick, folder }) {
  const target = join(folder, 'log.db')
  const sizes = [100, 2_000]
  const count = quick ? 50 : 250
  const workers = ['a', 'b', 'c', 'd'].map((name) =>
    startWorker({ mode: 'steady', target, seed, name, sizes, count, width: 1 }),
  )
  const ends = await Promise.all(workers.map(({ ended }) => ended))
  const history = historyOf(workers.flatMap(({ said }) => said))
  const store = await openStore('sqlite', target)
  const log = await logOf(store)
  const verified = await store.verify('w', 'c')
  await store.close()
  const findings = audit({ seed, sizes, ...history }, log)
  const integrity = await integrityOf(target)
  const crashes = ends.filter(({ code }) => code !== 0).length
  const isWhole = log.length === 4 * count && history.acks.length === 4 * count
  return {
    processes: 4,
    rows: log.length,
    ...findings,
    crashes,
    integrity,
    verified: verified.ok,
    ok: isWhole && isClean(findings) && crashes === 0 && integrity === 'ok' && verified.ok,
  }
}
