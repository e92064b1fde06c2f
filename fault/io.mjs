// F-03: the nth call to the operating system fails, for every n in turn: once, and from then on.
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { at, between, entryOf } from './lib/dice.mjs'
import { integrityOf, logOf, openStore } from './lib/stores.mjs'
import { whyNoStrace } from './lib/strace.mjs'
import { rigged } from './rigged.mjs'

const sizes = [100, 20_000]
const faults = {
  pwrite64: ['ENOSPC', 'EIO', 'EDQUOT'],
  fsync: ['EIO', 'ENOSPC'],
  fdatasync: ['EIO', 'ENOSPC'],
  ftruncate: ['EIO', 'ENOSPC'],
  openat: ['EIO', 'EACCES'],
  unlink: ['EIO'],
  pread64: ['EIO'],
}
const calls = Object.keys(faults)
const typed = ['storage_full', 'unavailable']

export async function io(setting) {
  const { seed, quick, full, dice, folder, note } = setting
  const why = whyNoStrace()
  if (why) {
    note(`${why}; calls of the driver fail instead, not calls of the system`)
    return { unproved: `failures below SQLite (${why})`, ...(await rigged(setting)) }
  }
  const most = quick ? 1 : full ? 16 : 8

  // a file with a past, and how often a run on it, and on no file, makes each call
  const standing = join(folder, 'standing.db')
  await startWorker({ mode: 'few', target: standing, seed, name: 'old', sizes, count: 5 }).ended
  const plan = []
  for (const isFresh of [true, false]) {
    const counts = await countCalls(isFresh)
    note(`${isFresh ? 'a new file' : 'an old file'}: ${JSON.stringify(counts)}`)
    for (const call of calls)
      for (const error of faults[call])
        for (const more of ['', '+'])
          for (const nth of spread(dice, counts[call], most)) plan.push({ isFresh, call, error, when: `${nth}${more}` })
  }

  const figures = { cases: 0, injected: 0, acked: 0, refused: 0, unusual: 0 }
  const codes = {}
  const findings = {}
  const bad = []
  const lanes = Array.from({ length: 2 }, async () => {
    for (let one = plan.pop(); one; one = plan.pop()) await tryOne(one, figures.cases++)
  })
  await Promise.all(lanes)
  for (const line of bad.slice(0, 10)) note(line)
  return { ...figures, codes, ...findings, failures: bad.length, ok: bad.length === 0 && isClean(findings) }

  async function tryOne({ isFresh, call, error, when }, number) {
    const target = join(folder, `${number}.db`)
    if (!isFresh) copyFileSync(standing, target)
    const name = `${call} ${error} ${when} on ${isFresh ? 'no file' : 'a file'}`
    const worker = startWorker(
      { mode: 'few', target, seed, name: 'new', sizes, count: 5, options: { patience: 2 } },
      strace(target, join(folder, `${number}.log`), [`inject=${call}:error=${error}:when=${when}`]),
    )
    const { code, signal, complaint } = await worker.ended
    const log = readFileSync(join(folder, `${number}.log`), 'utf8')
    if (log.includes('(INJECTED)')) figures.injected++
    const history = historyOf(worker.said)
    if (code !== 0 || complaint) {
      figures.unusual++
      bad.push(`${name}: ended with ${code ?? signal} ${complaint.slice(0, 300)}`)
    }
    for (const [key, value] of Object.entries(history.errors)) {
      codes[key] = (codes[key] ?? 0) + value
      figures.refused += value
      if (!typed.includes(key)) bad.push(`${name}: ${key}`)
    }
    if (!isFresh) for (let i = 0; i < 5; i++) history.tried.set(`old-${i}`, 0)
    if (!isFresh) for (let i = 0; i < 5; i++) history.acks.push({ id: `old-${i}`, seq: i + 1 })
    figures.acked += history.acks.length
    try {
      const verdict = await recovered(target, history)
      for (const [key, value] of Object.entries(verdict)) findings[key] = (findings[key] ?? 0) + value
      if (!isClean(verdict)) bad.push(`${name}: ${JSON.stringify(verdict)}`)
    } catch (problem) {
      bad.push(`${name}: ${problem.stack}`)
    }
  }

  /** The disk is well again: everything acknowledged is there, and everything refused can be done now. */
  async function recovered(target, history) {
    const store = await openStore('sqlite', target)
    await store.create('w', { id: 'c', at }).catch((error) => {
      if (error.code !== 'id_conflict') throw error
    })
    const first = audit({ seed, sizes, ...history }, await logOf(store))
    for (let i = 0; i < 5; i++) {
      const id = `new-${i}`
      history.tried.set(id, 0)
      await store.append('w', 'c', [entryOf(seed, id, sizes)], { branch: 'main', at, key: `key-${id}` })
    }
    const log = await logOf(store)
    const isVerified = (await store.verify('w', 'c')).ok
    await store.close()
    const second = audit({ seed, sizes, ...history }, log)
    const sum = Object.fromEntries(Object.entries(first).map(([key, value]) => [key, value + second[key]]))
    const missing = [...history.tried.keys()].filter((id) => !log.some((entry) => entry.id === id)).length
    const corrupt = (await integrityOf(target)) === 'ok' && isVerified ? 0 : 1
    return { ...sum, missing, corrupt }
  }

  async function countCalls(isFresh) {
    const target = join(folder, `count-${isFresh}.db`)
    if (!isFresh) copyFileSync(standing, target)
    const log = `${target}.log`
    await startWorker({ mode: 'few', target, seed, name: 'new', sizes, count: 5 }, strace(target, log)).ended
    const lines = readFileSync(log, 'utf8').split('\n')
    return Object.fromEntries(calls.map((call) => [call, lines.filter((line) => line.includes(` ${call}(`)).length]))
  }
}

/** Only calls on the files of the store count, and only they fail. */
function strace(target, log, injections = []) {
  const paths = ['', '-wal', '-shm', '-journal'].flatMap((end) => ['-P', `${target}${end}`])
  const inject = injections.flatMap((injection) => ['-e', injection])
  return ['strace', '-f', '-qq', '-s', '0', '-o', log, ...paths, '-e', `trace=${calls.join(',')}`, ...inject]
}

/** At most so many of 1 … count, one in each stretch. */
function spread(dice, count, most) {
  const step = Math.max(1, Math.ceil(count / most))
  return Array.from({ length: Math.ceil(count / step) }, (_, i) => Math.min(count, between(dice, 1, step) + i * step))
}
