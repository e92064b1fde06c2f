// F-03 where there is no strace: the nth call of the driver fails instead of the nth call of the system.
import { join } from 'node:path'
import { audit, isClean } from './lib/audit.mjs'
import { at, entryOf } from './lib/dice.mjs'
import { integrityOf, logOf, sqliteInternals } from './lib/stores.mjs'

const sizes = [100, 20_000]
/** SQLITE_IOERR, SQLITE_FULL, and a failed write, sync and read. */
const codes = [10, 13, 778, 1034, 266]

export async function rigged({ seed, quick, folder }) {
  const { openFile, storeOn } = await sqliteInternals()
  const figures = { cases: 0, injected: 0, acked: 0, untyped: 0 }
  const surfaced = {}
  const target = join(folder, 'log.db')
  const db = rig(await openFile(target))
  const store = storeOn(db, { patience: 2 })
  const history = { acks: [], tried: new Map() }
  await store.create('w', { id: 'c', at })
  const append = async (id) => {
    history.tried.set(id, 0)
    const options = { branch: 'main', at, key: `key-${id}` }
    const { entries } = await store.append('w', 'c', [entryOf(seed, id, sizes)], options)
    history.acks.push({ id, seq: entries[0].seq })
  }
  for (const errcode of codes)
    for (const times of [1, Number.POSITIVE_INFINITY])
      for (let nth = 1; nth <= (quick ? 3 : 14); nth++) {
        const id = `e-${figures.cases++}`
        db.failAt(nth, errcode, times)
        const code = await append(id).then(
          () => null,
          (error) => error.code,
        )
        if (db.heal()) figures.injected++
        if (code !== null) surfaced[code] = (surfaced[code] ?? 0) + 1
        if (code !== null && code !== 'unavailable' && code !== 'storage_full') figures.untyped++
        if (code !== null) await append(id)
      }
  const log = await logOf(store)
  const verified = (await store.verify('w', 'c')).ok
  await store.close()
  const findings = audit({ seed, sizes, ...history }, log)
  const integrity = await integrityOf(target)
  figures.acked = history.acks.length
  const isWhole = log.length === figures.cases
  const isSound = verified && integrity === 'ok' && figures.untyped === 0
  return { ...figures, codes: surfaced, ...findings, integrity, verified, ok: isWhole && isSound && isClean(findings) }
}

function rig(db) {
  let calls = 0
  let plan = null
  let broke = false
  const call = (work) => {
    calls++
    if (!plan || calls < plan.from || calls >= plan.from + plan.times) return work()
    broke = true
    throw Object.assign(new Error('rigged'), { errcode: plan.errcode })
  }
  return {
    failAt: (from, errcode, times) => {
      calls = 0
      broke = false
      plan = { from, errcode, times }
    },
    heal: () => {
      plan = null
      return broke
    },
    exec: (sql) => db.exec(sql),
    run: (sql, values) => call(() => db.run(sql, values)),
    get: (sql, values) => call(() => db.get(sql, values)),
    all: (sql, values) => call(() => db.all(sql, values)),
    close: () => db.close(),
  }
}
