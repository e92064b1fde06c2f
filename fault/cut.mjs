// F-08: the connection is lost just before the commit reaches the server, while it works on it, or just before its answer
// reaches the client.
import { audit, isClean } from './lib/audit.mjs'
import { at, between, entryOf } from './lib/dice.mjs'
import { hastyProxyTo } from './lib/hasty.mjs'
import { logOf, openStore } from './lib/stores.mjs'
import { postgres, typescript } from './lib/typescript.mjs'

const sizes = [100, 4_000]
const places = ['before', 'during', 'after']

export async function cut({ seed, quick, full, dice }) {
  const server = await postgres()
  if (server.reason) return { skipped: `no PostgreSQL: ${server.reason}`, ok: true }
  const { proxyTo } = await typescript('test/postgres/proxy.ts')
  const proxies = { exact: await proxyTo(server.url), hasty: await hastyProxyTo(server.url) }
  const exact = await openStore('postgres', proxies.exact.url, { poolSize: 2 })
  const hasty = await openStore('postgres', proxies.hasty.url, { poolSize: 2 })
  const figures = { before: 0, during: 0, after: 0, done: 0 }
  const faults = { unannounced: 0, wrongReplay: 0, otherSeq: 0, keyTaken: 0 }
  const history = { acks: [], tried: new Map() }
  try {
    await exact.create('w', { id: 'c', at })
    const rounds = quick ? 20 : full ? 500 : 100
    for (let i = 0; i < rounds; i++) await once(i, places[between(dice, 0, 2)])
    const cuts = proxies.exact.cuts() + proxies.hasty.cuts()
    const log = await logOf(exact)
    const verified = (await exact.verify('w', 'c')).ok
    const findings = audit({ seed, sizes, ...history }, log)
    const isWhole = cuts === rounds && log.length === rounds
    const ok = isWhole && isClean(faults) && isClean(findings) && verified
    return { cuts, ...figures, stored: log.length, ...faults, ...findings, verified, ok }
  } finally {
    for (const one of [exact, hasty, proxies.exact, proxies.hasty]) await one.close()
    await server.stop()
  }

  async function once(i, place) {
    const store = place === 'during' ? hasty : exact
    const id = `e-${i}`
    const isKeyed = i % 4 !== 3
    const options = { branch: 'main', at, ...(isKeyed ? { key: `key-${id}` } : null) }
    const append = (entry) => store.append('w', 'c', [entry], options)
    const entry = entryOf(seed, id, sizes)
    history.tried.set(id, 0)
    if (place === 'during') proxies.hasty.arm()
    else proxies.exact.cut = place
    const lost = await append(entry).then(() => 'acknowledged', codeOf)
    if (lost !== 'unavailable') faults.unannounced++
    figures[place]++
    const again = await append(entry)
    if (again.repeated) figures.done++
    // during the commit both are right
    if (place !== 'during' && again.repeated !== (place === 'after')) faults.wrongReplay++
    const { seq } = again.entries[0]
    history.acks.push({ id, seq })
    const third = await append(entry)
    if (!third.repeated || third.entries[0].seq !== seq) faults.otherSeq++
    // the same key, or without a key the same id, with other words
    const other = { ...entryOf(seed, isKeyed ? `${id}-other` : id, sizes), text: 'other words' }
    const refused = await append(other).then(() => 'taken', codeOf)
    if (refused !== (isKeyed ? 'key_reused' : 'id_conflict')) faults.keyTaken++
  }
}

const codeOf = (error) => error.code
