// F-05 (b): the log beside the file is cut, flipped, emptied or scribbled on. What is left is a prefix, of whole messages.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { at, between, entryOf, textOf } from './lib/dice.mjs'
import { integrityOf, logOf, openStore } from './lib/stores.mjs'

const sizes = [100, 9_000]
const frame = 4_096 + 24
const sector = 512

export async function torn({ seed, quick, dice, folder, note }) {
  const file = join(folder, 'log.db')
  const store = await openStore('sqlite', file)
  await store.create('w', { id: 'c', at })
  const order = []
  const ends = []
  for (let i = 0; i < 40; i++) {
    await store.append('w', 'c', [entryOf(seed, `e-${i}`, sizes)], { branch: 'main', at, key: `key-${i}` })
    order.push(`e-${i}`)
    ends.push(statSync(`${file}-wal`).size)
  }
  // as the disk has them while the store is open: a close would fold the log into the file
  const base = join(folder, 'base.db')
  copyFileSync(file, base)
  const wal = readFileSync(`${file}-wal`)
  await store.close()
  if (ends.some((end, i) => i > 0 && end <= ends[i - 1])) throw new Error('the log was folded meanwhile')

  const damages = {
    cut: (at) => wal.subarray(0, at),
    flip: (at) => changed(at, 1, (byte) => byte ^ (1 << between(dice, 0, 7)), between(dice, 0, sector - 1)),
    empty: (at) => changed(at, sector, () => 0),
    scribble: (at) => changed(at, sector, () => between(dice, 0, 255)),
  }
  const figures = { mutations: 0, commits: 0, unharmed: 0, notPrefix: 0, half: 0, wrongLength: 0, corrupt: 0 }
  const kept = new Set()
  // thousands of small files that need not outlive anything
  const room = join(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : folder, 'throughline-fault-')), 'room')
  const step = quick ? 8 * sector : sector
  try {
    for (let at = Math.max(0, wal.length - 64 * frame); at < wal.length; at += step)
      for (const [kind, damage] of Object.entries(damages)) await reopen(kind, damage(at))
  } finally {
    rmSync(dirname(room), { recursive: true, force: true })
  }
  figures.commits = kept.size
  const { mutations, commits, unharmed, ...faults } = figures
  return { mutations, commits, unharmed, ...faults, ok: Object.values(faults).every((value) => value === 0) }

  async function reopen(kind, bytes) {
    const first = firstChange(bytes)
    mkdirSync(room)
    const copy = join(room, 'log.db')
    copyFileSync(base, copy)
    writeFileSync(`${copy}-wal`, bytes)
    // every commit that ended before the first damaged byte stands, and none behind it
    const expected = first < 0 ? order.length : ends.filter((end) => end <= first).length
    figures.mutations++
    if (first < 0) figures.unharmed++
    const opened = await openStore('sqlite', copy)
    const log = await logOf(opened)
    const verified = await opened.verify('w', 'c')
    const facts = await opened.get('w', 'c')
    await opened.close()
    const isPrefix = log.every(({ id, seq }, i) => id === order[i] && seq === i + 1) && facts.entries === log.length
    if (!isPrefix) figures.notPrefix++
    if (log.some(({ id, text }) => text !== textOf(seed, id, sizes))) figures.half++
    if (log.length !== expected) {
      figures.wrongLength++
      note(`${kind} at ${first}: ${log.length} entries, expected ${expected}`)
    }
    if (!verified.ok || (await integrityOf(copy)) !== 'ok') figures.corrupt++
    kept.add(log.length)
    rmSync(room, { recursive: true, force: true })
  }

  function changed(at, length, change, offset = 0) {
    const bytes = Buffer.from(wal)
    for (let i = at + offset; i < Math.min(at + offset + length, bytes.length); i++) bytes[i] = change(bytes[i])
    return bytes
  }

  /** -1 when nothing is changed. */
  function firstChange(bytes) {
    if (bytes.length < wal.length) return bytes.length
    for (let i = 0; i < wal.length; i++) if (bytes[i] !== wal[i]) return i
    return -1
  }
}
