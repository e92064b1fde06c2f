// F-07: the server dies for good under two processes of eight writers each, and its standby takes its place.
import { connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { at, entryOf } from './lib/dice.mjs'
import { logOf, openStore } from './lib/stores.mjs'
import { postgres } from './lib/typescript.mjs'

const sizes = [100, 4_000]

export async function failover({ seed, quick, full, note }) {
  let primary = await postgres()
  if (primary.reason) return { skipped: `no PostgreSQL: ${primary.reason}`, ok: true }
  const door = await doorTo(primary.url)
  let standby
  try {
    standby = await followerOf(primary, true)
    const rounds = quick ? 1 : full ? 10 : 3
    const options = { poolSize: 8, timeoutSeconds: 10 }
    const workers = ['a', 'b'].map((name) =>
      startWorker({ mode: 'insist', kind: 'postgres', target: door.url, seed, name, sizes, width: 8, options }),
    )
    const acked = () => workers.reduce((sum, { said }) => sum + said.filter(([kind]) => kind === 'ack').length, 0)
    const more = async (count) => {
      const end = performance.now() + 90_000
      for (const before = acked(); acked() < before + count; await pause(10))
        if (performance.now() > end) throw new Error('the writers came to a halt')
    }
    const outages = []
    await Promise.all(workers.map(({ heard }) => heard('ready')))
    for (let round = 1; round <= rounds; round++) {
      await more(quick ? 100 : 300)
      const begun = performance.now()
      await switched()
      await more(1)
      outages.push(Math.round(performance.now() - begun))
      standby = await followerOf(primary, true)
      note(`${round} failovers, ${acked()} acknowledged, writing again after ${outages.at(-1)} ms`)
    }
    await more(50)
    for (const { child } of workers) child.stdin.end()
    const ends = await Promise.all(workers.map(({ ended }) => ended))
    const crashes = ends.filter(({ code }) => code !== 0)
    for (const { complaint } of crashes) note(complaint)
    const { errors, ...history } = historyOf(workers.flatMap(({ said }) => said))
    const store = await openStore('postgres', door.url)
    const log = await logOf(store)
    const verified = (await store.verify('w', 'c')).ok
    const findings = audit({ seed, sizes, ...history }, log)
    const control = await withoutWaiting(store).finally(() => store.close())
    const isWhole = log.length === history.tried.size && history.acks.length === log.length
    const isTyped = Object.keys(errors).every((code) => code === 'unavailable')
    outages.sort((a, b) => a - b)
    return {
      failovers: rounds,
      writers: 16,
      acked: history.acks.length,
      errors,
      ...findings,
      crashes: crashes.length,
      outageMs: { median: outages[outages.length >> 1], worst: outages.at(-1) },
      verified,
      lostWithoutWaiting: control,
      ok: isWhole && isTyped && isClean(findings) && crashes.length === 0 && verified && control > 0,
    }
  } finally {
    door.close()
    await standby?.stop()
    await primary.stop()
  }

  async function switched() {
    await primary.crash()
    await promoted(standby.url)
    await asked(standby.url, 'alter system reset synchronous_standby_names', 'select pg_reload_conf()')
    const gone = primary
    primary = standby
    standby = undefined
    door.leadTo(primary.url)
    await gone.stop()
  }

  /** The control: a standby that nobody waits for, and that hears nothing any more, must cost something. */
  async function withoutWaiting(store) {
    await asked(primary.url, 'alter system reset synchronous_standby_names', 'select pg_reload_conf()')
    await asked(standby.url, "alter system set primary_conninfo = ''", 'select pg_reload_conf()')
    while ((await heard(standby.url, 'select 1 from pg_stat_wal_receiver')).length > 0) await pause(20)
    await store.create('w', { id: 'control', at })
    const ids = Array.from({ length: 20 }, (_, i) => `control-${i}`)
    for (const id of ids)
      await store.append('w', 'control', [entryOf(seed, id, sizes)], { branch: 'main', at, key: `key-${id}` })
    await primary.crash()
    await promoted(standby.url)
    door.leadTo(standby.url)
    for (let tries = 0; tries < 50; tries++) {
      const left = await logOf(store, 'w', 'control').catch(({ code }) => (code === 'not_found' ? [] : null))
      if (left) return ids.length - left.length
      await pause(100)
    }
    throw new Error('the standby of the control does not answer')
  }
}

/** A standby, once it hears everything; from then on a commit waits for it, if that is wanted. */
async function followerOf(primary, isAwaited) {
  const standby = await postgres([`standby=${primary.folder} ${primary.url}`])
  if (standby.reason) throw new Error(standby.reason)
  const streams = "select 1 from pg_stat_replication where state = 'streaming'"
  for (let tries = 0; (await heard(primary.url, streams)).length === 0; tries++) {
    if (tries > 300) throw new Error('the standby does not follow')
    await pause(100)
  }
  if (isAwaited) await asked(primary.url, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()')
  return standby
}

/** A statement that waits on a standby is in the way of what is still to be replayed there: it is asked again and again. */
async function promoted(url) {
  await asked(url, 'select pg_promote(false)')
  for (let tries = 0; (await heard(url, 'select pg_is_in_recovery() as still'))[0].still; tries++) {
    if (tries > 600) throw new Error('the standby does not take over')
    await pause(20)
  }
}

async function asked(url, ...statements) {
  for (const statement of statements) await heard(url, statement)
}

async function heard(url, statement) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** One address that leads to whichever server it is told. */
async function doorTo(first) {
  let target = new URL(first)
  const sockets = new Set()
  const listener = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', end)
      socket.on('close', () => sockets.delete(socket))
    }
    client.pipe(upstream)
    upstream.pipe(client)
  })
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = new URL(first)
  url.port = String(listener.address().port)
  return {
    url: url.href,
    leadTo(next) {
      target = new URL(next)
    },
    close() {
      listener.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
