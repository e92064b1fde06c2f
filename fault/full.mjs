// F-04: a disk that is full, and then is not.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isClean } from './lib/audit.mjs'
import { startWorker } from './lib/child.mjs'
import { between } from './lib/dice.mjs'

const sizes = [100, 20_000]

export async function full({ seed, quick, dice, folder, note }) {
  const figures = { rounds: 0, acked: 0, refused: 0, reads: 0, recoveryMs: 0 }
  const codes = {}
  const findings = {}
  let isSound = true
  for (let round = 0; round < (quick ? 2 : 10); round++) {
    const disk = join(folder, `disk-${round}`)
    mkdirSync(disk)
    const why = mounted(disk)
    if (why) return { skipped: why, ok: true }
    const one = await fill(disk, `r${round}`).finally(() => unmount(disk, note))
    figures.rounds++
    for (const key of ['acked', 'refused', 'reads']) figures[key] += one[key]
    figures.recoveryMs = Math.max(figures.recoveryMs, one.recoveryMs)
    for (const [code, value] of Object.entries(one.codes)) codes[code] = (codes[code] ?? 0) + value
    for (const [key, value] of Object.entries(one.findings)) findings[key] = (findings[key] ?? 0) + value
    isSound &&= one.verified && one.integrity === 'ok' && one.reads === one.refused
  }
  const isTyped = Object.keys(codes).join() === 'storage_full'
  const isSwift = figures.recoveryMs < 1_000
  return { ...figures, codes, ...findings, sound: isSound, ok: isSound && isTyped && isSwift && isClean(findings) }

  async function fill(disk, name) {
    const [target, ballast] = [join(disk, 'log.db'), join(disk, 'ballast')]
    const size = between(dice, 700_000, 1_000_000)
    const worker = startWorker({ mode: 'brimful', target, seed, name, sizes, ballast, size })
    const { code, complaint } = await worker.ended
    const result = worker.said.find(([kind]) => kind === 'result')
    if (code !== 0 || !result) throw new Error(`the worker failed: ${complaint}`)
    return result[1]
  }
}

function mounted(disk) {
  if (process.platform !== 'linux') return 'a small disk is mounted on Linux only'
  if (process.getuid() !== 0) return 'only root may mount a small disk'
  const args = ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk]
  const { error, status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (error || status !== 0) return `a small disk cannot be mounted here: ${error?.message ?? stderr.trim()}`
  return null
}

function unmount(disk, note) {
  const { status, stderr } = spawnSync('umount', [disk], { encoding: 'utf8' })
  if (status !== 0) note(stderr)
}
