// F-17: a process of 0.1.0 writes to a file and goes on while processes of this release open it, bring it up and write to it.
// Whatever either was told is written is there once, and the file is whole for this release.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'esbuild'
import { root } from '../scripts/lib/run.mjs'
import { audit, isClean } from './lib/audit.mjs'
import { historyOf, startWorker } from './lib/child.mjs'
import { between } from './lib/dice.mjs'
import { fileFaults, integrityOf, logOf, openStore } from './lib/stores.mjs'

/** The tree of 0.1.0. */
const released = '992c9eb8665cb1edc24755c84b72a2e624acb2f1'
const sizes = [100, 2_000]

export async function mixed({ seed, quick, full, dice, folder, note }) {
  const rounds = quick ? 2 : full ? 20 : 8
  const old = await storeOf010(folder)
  if (old.reason) return { skipped: old.reason, ok: true }
  const figures = { rounds, ackedByOld: 0, oldAfterTheOpening: 0, oldToldNo: {}, ackedByNew: 0 }
  const bad = []
  for (let round = 0; round < rounds; round++) {
    const target = join(folder, `round-${round}.db`)
    const job = { mode: 'insist', kind: 'sqlite', target, seed, sizes, width: 2 }
    const before = startWorker({ ...job, name: 'old' }, [], old.env)
    await before.heard('ack')
    await pause(between(dice, 100, 600))
    const after = startWorker({ ...job, name: 'new' })
    await after.heard('ready')
    const known = before.said.length
    await pause(between(dice, 300, 900))
    before.child.stdin.end()
    after.child.stdin.end()
    // one that is refused tries again for ever
    const impatience = setTimeout(() => before.child.kill('SIGKILL'), 3_000)
    const [first, second] = await Promise.all([before.ended, after.ended])
    clearTimeout(impatience)
    const [theirs, ours] = [historyOf(before.said), historyOf(after.said)]
    const expect = (holds, fault) => holds || bad.push(`round ${round}: ${fault}`)
    expect(second.code === 0, `the newer process ended with ${second.code}: ${second.complaint.slice(0, 400)}`)
    // it may be told no, and does not know the reason: that is not its release's to say
    for (const [code, count] of Object.entries(theirs.errors))
      figures.oldToldNo[code] = (figures.oldToldNo[code] ?? 0) + count
    if (first.code !== 0 && Object.keys(theirs.errors).length === 0) expect(false, first.complaint.slice(0, 400))
    figures.ackedByOld += theirs.acks.length
    figures.oldAfterTheOpening += before.said.slice(known).filter(([word]) => word === 'ack').length
    figures.ackedByNew += ours.acks.length
    const store = await openStore('sqlite', target)
    const log = await logOf(store)
    const verdict = await store.verify('w', 'c')
    await store.close()
    const acks = [...theirs.acks, ...ours.acks]
    const findings = audit({ seed, sizes, acks, tried: new Map([...theirs.tried, ...ours.tried]) }, log)
    expect(isClean(findings), JSON.stringify(findings))
    expect(verdict.ok, JSON.stringify(verdict.faults?.slice(0, 2)))
    const faults = await fileFaults(target)
    expect(faults.length === 0, JSON.stringify(faults.slice(0, 2)))
    expect((await integrityOf(target)) === 'ok', 'its pages are damaged')
  }
  for (const line of bad.slice(0, 8)) note(line)
  return { ...figures, failures: bad.length, ok: bad.length === 0 && figures.ackedByOld > 0 && figures.ackedByNew > 0 }
}

/** Its store alone, from the history of the repository. */
async function storeOf010(folder) {
  const tree = join(folder, '0.1.0')
  try {
    const files = execFileSync('git', ['ls-tree', '-r', '--name-only', released, 'src'], {
      cwd: root,
      encoding: 'utf8',
    })
    for (const path of files
      .trim()
      .split('\n')
      .filter((name) => name.endsWith('.ts'))) {
      mkdirSync(dirname(join(tree, path)), { recursive: true })
      writeFileSync(join(tree, path), execFileSync('git', ['show', `${released}:${path}`], { cwd: root }))
    }
  } catch (error) {
    return { reason: `0.1.0 is not in the history here: ${error.message.split('\n')[0]}` }
  }
  // beside the build under test, where the packages are found
  const dist = join(process.env.THROUGHLINE_FAULT_DIST, '0.1.0')
  const entry = 'store/sqlite/index'
  await build({
    entryPoints: [join(tree, 'src', `${entry}.ts`)],
    outfile: join(dist, `${entry}.js`),
    ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'silent' },
  })
  return { env: { THROUGHLINE_FAULT_DIST: dist } }
}
