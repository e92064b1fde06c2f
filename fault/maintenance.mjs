// F-18: kill -9 in the middle of backup, repair, restore, reindex, vacuum and deletion. What they work on stays whole, and
// what they make is either whole or not there.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startWorker } from './lib/child.mjs'
import { at, between, entryOf } from './lib/dice.mjs'
import { fileFaults, logOf, openStore } from './lib/stores.mjs'

const sizes = [100, 4_000]
const works = ['backup', 'repair', 'restore', 'reindex', 'vacuum', 'delete']

export async function maintenance({ seed, quick, full, dice, folder, note }) {
  const rounds = quick ? 6 : full ? 102 : 30
  const whole = join(folder, 'whole.db')
  const entries = quick ? 300 : 1_500
  await fill()
  const takes = {}
  for (const work of works) takes[work] = await once(work, null)
  note(`undisturbed: ${JSON.stringify(takes)} ms`)
  const figures = { rounds, killed: 0, finished: 0, made: 0, absent: 0 }
  const bad = []
  for (let round = 0; round < rounds; round++) {
    const work = works[round % works.length]
    await once(work, between(dice, 0, Math.ceil(takes[work])))
    if (round % 12 === 11) note(`${round + 1} rounds`)
  }
  for (const line of bad.slice(0, 10)) note(line)
  return { ...figures, failures: bad.length, ok: bad.length === 0 && figures.killed > rounds / 4 }

  async function fill() {
    const store = await openStore('sqlite', whole)
    for (const conversation of ['c', 'gone']) {
      await store.create('w', { id: conversation, at })
      for (let i = 0; i < entries; i += 50) {
        const batch = Array.from({ length: 50 }, (_, n) => entryOf(seed, `${conversation}-${i + n}`, sizes))
        await store.append('w', conversation, batch, { branch: 'main', at })
      }
    }
    await store.search('w', { text: 'c', limit: 1 })
    await store.close()
  }

  /** Returns how long it took; `delay` null lets it end. */
  async function once(work, delay) {
    const place = join(folder, 'round')
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
    const [target, other] = [join(place, 'log.db'), join(place, 'other.db')]
    copyFileSync(whole, target)
    if (work === 'restore') copyFileSync(whole, other)
    const worker = startWorker({ mode: 'maintain', work, target, other })
    await worker.heard('begun')
    const begun = performance.now()
    if (delay !== null) {
      await pause(delay)
      worker.child.kill('SIGKILL')
    }
    const { signal, complaint } = await worker.ended
    const took = Math.round(performance.now() - begun)
    if (delay === null && complaint) throw new Error(`${work}: ${complaint}`)
    if (delay !== null) await judge(work, place, signal === 'SIGKILL' && !worker.said.some(([word]) => word === 'done'))
    return took
  }

  async function judge(work, place, isKilled) {
    figures[isKilled ? 'killed' : 'finished']++
    const expect = (holds, fault) => holds || bad.push(`${work}: ${fault}`)
    const [target, other] = [join(place, 'log.db'), join(place, 'other.db')]
    if (work === 'backup' || work === 'repair') {
      figures[existsSync(other) ? 'made' : 'absent']++
      if (existsSync(other)) await expectWhole(other, expect)
    }
    // between the two renames of a restore the old file has its new name, and the backup is untouched
    const aside = readdirSync(place).find((name) => /\.before-[^.]+$/.test(name))
    expect(existsSync(target) || (work === 'restore' && aside), 'the database is gone')
    if (work === 'restore') await expectWhole(other, expect)
    await expectWhole(existsSync(target) ? target : join(place, aside), expect)
  }

  async function expectWhole(file, expect) {
    const faults = await fileFaults(file)
    expect(faults.length === 0, `${file}: ${JSON.stringify(faults[0])}`)
    const store = await openStore('sqlite', file)
    try {
      const log = await logOf(store)
      expect(log.length === entries, `${log.length} of ${entries} entries are left`)
      expect((await store.verify('w', 'c')).ok, 'it does not verify')
      const [entry] = (await store.append('w', 'c', [entryOf(seed, 'next', sizes)], { branch: 'main', at })).entries
      expect(entry.seq === entries + 1, 'the next entry has another number')
    } finally {
      await store.close()
    }
  }
}
