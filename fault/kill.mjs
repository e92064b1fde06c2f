// F-01: kill -9 during appends.
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { at, between, entryOf } from './lib/dice.mjs'
import { integrityOf, logOf, openStore } from './lib/stores.mjs'

const sizes = [100, 20_000]

export async function kill({ seed, quick, full, dice, folder, note }) {
  const rounds = quick ? 20 : full ? 1_000 : 200
  const target = join(folder, 'log.db')
  const sent = new Map()
  const acks = new Map()
  const figures = { rounds, sent: 0, acked: 0, unknown: 0, stored: 0, early: 0, complaints: 0, untyped: 0 }
  let bad = []

  for (let round = 1; round <= rounds; round++) {
    const retry = [...sent.keys()].filter((id) => !acks.has(id))
    figures.unknown += retry.length
    const worker = startWorker({
      mode: 'burst',
      target,
      seed,
      name: `r${round}`,
      sizes,
      retry,
      width: between(dice, 1, 20),
    })
    // one in eight dies while it opens the file that the last one left behind, the others soon after it or after their first success
    const isEarly = round % 8 === 0
    await worker.heard(isEarly ? 'opening' : round % 2 ? 'ready' : 'ack')
    await pause(isEarly ? between(dice, 0, 15) : between(dice, 5, 65))
    worker.child.kill('SIGKILL')
    const { signal, complaint } = await worker.ended
    if (signal !== 'SIGKILL' || complaint) {
      figures.complaints++
      note(`round ${round}: ${signal} ${complaint}`)
    }
    if (isEarly) figures.early++
    const history = historyOf(worker.said)
    figures.untyped += Object.keys(history.errors).length
    for (const [id, time] of history.tried) if (!sent.has(id)) sent.set(id, time)
    for (const ack of history.acks) {
      const before = acks.get(ack.id)
      if (before && before.seq !== ack.seq) bad.push(`${ack.id} was given two numbers`)
      acks.set(ack.id, ack)
    }
    // the others are recovered by the next writer
    if (round % 10 === 0) {
      const findings = await inspect(false)
      if (!isClean(findings)) bad.push(`round ${round}: ${JSON.stringify(findings)}`)
      note(`${round} rounds, ${acks.size} acknowledged`)
    }
  }

  Object.assign(figures, { sent: sent.size, acked: acks.size })
  const findings = await inspect(true)
  bad = bad.slice(0, 5)
  for (const line of bad) note(line)
  const isWhole = figures.stored === sent.size
  const { integrity, verified } = figures
  const isQuiet = bad.length + figures.complaints + figures.untyped === 0
  return { ...figures, ...findings, ok: isWhole && isQuiet && isClean(findings) && integrity === 'ok' && verified }

  async function inspect(isEnd) {
    const store = await openStore('sqlite', target)
    if (isEnd)
      for (const id of sent.keys())
        if (!acks.has(id)) {
          const { entries } = await store.append('w', 'c', [entryOf(seed, id, sizes)], {
            branch: 'main',
            at,
            key: `key-${id}`,
          })
          acks.set(id, { id, seq: entries[0].seq })
        }
    const log = await logOf(store)
    if (isEnd) figures.verified = (await store.verify('w', 'c')).ok
    await store.close()
    figures.integrity = await integrityOf(target)
    figures.stored = log.length
    // the order of time is F-09's; a retry's start is not the start of what it repeats
    const timeless = [...acks.values()].map(({ id, seq }) => ({ id, seq }))
    return audit({ seed, sizes, acks: timeless, tried: sent }, log)
  }
}
