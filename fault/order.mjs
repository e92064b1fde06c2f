// F-05 (a): no acknowledgement leaves the process before the disk has everything that was written for it.
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startWorker } from './lib/child.mjs'
import { at, entryOf } from './lib/dice.mjs'
import { sqliteInternals } from './lib/stores.mjs'
import { whyNoStrace } from './lib/strace.mjs'

const sizes = [100, 20_000]

export async function order({ seed, quick, folder, note }) {
  const why = whyNoStrace()
  if (why) return settingsOnly(seed, folder, why, note)
  const count = quick ? 100 : 1_000
  const alone = await watch('steady', { count: count / 2, width: 1 })
  const together = await watch('steady', { count: count / 2, width: 10 })
  const control = await watch('bare', { count: 50 })
  const acks = alone.acks + together.acks
  return {
    acks,
    writes: alone.writes + together.writes,
    syncs: alone.syncs + together.syncs,
    violations: alone.violations + together.violations,
    // one writer alone: each acknowledgement has a write and a sync of its own
    unpaired: alone.unpaired,
    control: { acks: control.acks, violations: control.violations },
    ok: acks === count && alone.violations + together.violations + alone.unpaired === 0 && control.violations > 0,
  }

  async function watch(mode, more) {
    const target = join(folder, `${mode}-${more.width}.db`)
    const log = `${target}.log`
    const trace = ['strace', '-f', '-qq', '-y', '-s', '12', '-o', log]
    const under = [...trace, '-e', 'trace=write,pwrite64,pwritev,fsync,fdatasync']
    const { code, complaint } = await startWorker({ mode, target, seed, name: 'e', sizes, ...more }, under).ended
    if (code !== 0) throw new Error(`the worker failed: ${complaint}`)
    return read(log)
  }
}

/** Follows the calls in the order in which they were made; one that another thread interrupts stands on two lines. */
async function read(log) {
  const found = { acks: 0, writes: 0, syncs: 0, violations: 0, unpaired: 0 }
  const syncing = new Map()
  let isDirty = false
  let written = false
  let synced = false
  for await (const line of createInterface({ input: createReadStream(log) })) {
    const [, pid, rest] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (rest === undefined) continue
    if (/^(pwrite64|pwritev|write)\(\d+<[^>]*-wal>/.test(rest)) {
      found.writes++
      isDirty = true
      written = true
      synced = false
      syncing.clear()
    }
    const isSync = /^f(data)?sync\(\d+<[^>]*-wal>/.test(rest)
    if (isSync) syncing.set(pid, true)
    const isDone = / = 0$/.test(rest) && (isSync || (/^<\.\.\. f(data)?sync resumed/.test(rest) && syncing.get(pid)))
    if (isDone) {
      found.syncs++
      isDirty = false
      synced = written
    }
    if (/^write\(1<[^>]*>, "\[\\"ack\\"/.test(rest)) {
      found.acks++
      if (isDirty) found.violations++
      if (!written || !synced) found.unpaired++
      written = false
      synced = false
    }
  }
  return found
}

/** Without strace: the setting holds after writes. That the driver and the system keep to it is not shown. */
async function settingsOnly(seed, folder, why, note) {
  note(`${why}; only the setting is checked, not the order of the calls`)
  const target = join(folder, 'log.db')
  const { openFile, storeOn } = await sqliteInternals()
  const db = await openFile(target)
  const store = storeOn(db)
  await store.create('w', { id: 'c', at })
  for (let i = 0; i < 20; i++) await store.append('w', 'c', [entryOf(seed, `e-${i}`, sizes)], { branch: 'main', at })
  const { synchronous } = db.get('pragma synchronous')
  await store.close()
  return { unproved: `the order of the calls (${why})`, synchronous, ok: synchronous === 2 }
}
