// Breaks the stores on purpose: `npm run fault [-- F-01 F-08 --quick --full --seed 7]`. One JSON line a test on the standard
// output, the course of it on the other one.
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '../scripts/lib/prepare.mjs'
import { root } from '../scripts/lib/run.mjs'
import { control, postgresWriters, skewedPostgresWriters, skewedSqliteWriters, sqliteWriters } from './concurrent.mjs'
import { cut } from './cut.mjs'
import { failover } from './failover.mjs'
import { four } from './four.mjs'
import { full as fullDisk } from './full.mjs'
import { io } from './io.mjs'
import { kill } from './kill.mjs'
import { diceOf } from './lib/dice.mjs'
import { maintenance } from './maintenance.mjs'
import { mixed } from './mixed.mjs'
import { mutants } from './mutants.mjs'
import { order } from './order.mjs'
import { restart } from './restart.mjs'
import { killed, killedSkewed } from './service/killed.mjs'
import { resume } from './service/resume.mjs'
import { rolling } from './service/rolling.mjs'
import { slow } from './service/slow.mjs'
import { soak } from './service/soak.mjs'
import { hold } from './service/stage.mjs'
import { zombie } from './service/zombie.mjs'
import { torn } from './torn.mjs'

const tests = {
  'F-00': ['the audit itself, on logs that are wrong', mutants],
  'F-01': ['kill -9 during appends, SQLite', kill],
  'F-02': ['kill -9 during an answer', killed],
  'F-03': ['moving I/O failure, SQLite', io],
  'F-04': ['disk full, SQLite', fullDisk],
  'F-05a': ['synced before acknowledged, SQLite', order],
  'F-05b': ['torn write-ahead log, SQLite', torn],
  'F-06': ['server crash under writers, PostgreSQL', restart],
  'F-07': ['failover to a standby under writers, PostgreSQL', failover],
  'F-08': ['connection cut around a commit, PostgreSQL', cut],
  'F-09s': ['concurrent writers, SQLite', sqliteWriters],
  'F-09p': ['concurrent writers, PostgreSQL', postgresWriters],
  'F-09n': ['negative control: JSON column', control],
  'F-11s': ['streams cut and resumed elsewhere, SQLite', resume('sqlite')],
  'F-11p': ['streams cut and resumed elsewhere, PostgreSQL', resume('postgres')],
  'F-12': ['readers that do not read', slow],
  'F-13s': ['concurrent writers whose clocks are wrong, SQLite', skewedSqliteWriters],
  'F-13p': ['concurrent writers whose clocks are wrong, PostgreSQL', skewedPostgresWriters],
  'F-13r': ['kill -9 during an answer, clocks wrong', killedSkewed],
  'F-14s': ['rolling restart under load, SQLite', rolling('sqlite')],
  'F-14p': ['rolling restart under load, PostgreSQL', rolling('postgres')],
  'F-16': ['a server that comes back from the dead', zombie],
  'F-17': ['0.1.0 and this release on one file, SQLite', mixed],
  'F-18': ['kill -9 during maintenance commands, SQLite', maintenance],
  'F-19': ['soak: memory and file do not creep, SQLite', soak],
  'B-03': ['four processes on one file, SQLite', four],
}

const args = process.argv.slice(2)
const [quick, full] = [args.includes('--quick'), args.includes('--full')]
const seedAt = args.indexOf('--seed')
const seed = seedAt < 0 ? Math.floor(Math.random() * 1e9) : Number(args[seedAt + 1])
const wanted = args.filter((arg, i) => !arg.startsWith('--') && (seedAt < 0 || i !== seedAt + 1))
const chosen = Object.keys(tests).filter((id) => wanted.length === 0 || wanted.some((want) => id.startsWith(want)))
const unknown = wanted.filter((want) => !Object.keys(tests).some((id) => id.startsWith(want)))
if (unknown.length > 0 || !Number.isInteger(seed)) {
  process.stderr.write(`Usage: npm run fault [-- ${Object.keys(tests).join(' ')} --quick --full --seed 7]\n`)
  process.exit(2)
}

await prepare()
const copy = copyOfBuild()
const results = []
try {
  for (const id of chosen) results.push(await once(id))
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.stderr.write(`\n${table(results)}\n`)
process.exit(results.every(({ ok }) => ok) ? 0 : 1)

async function once(id) {
  const [title, test] = tests[id]
  const note = (line) => process.stderr.write(`  ${id} ${line}\n`)
  process.stderr.write(`${id} ${title} (seed ${seed})\n`)
  const folder = mkdtempSync(join(tmpdir(), 'throughline-fault-'))
  const begun = performance.now()
  Object.assign(hold, { longestMs: 0, busyMs: 0 })
  const figures = await test({ seed, quick, full, dice: diceOf(`${seed}/${id}`), folder, note }).catch((error) => {
    note(error.stack)
    return { error: error.message, ok: false }
  })
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    note(`${folder} is left behind: ${error.message}`)
  }
  const { ok, ...rest } = figures
  const line = {
    id,
    seed,
    ...(quick ? { quick } : null),
    ...(full ? { full } : null),
    ...rest,
    ...(hold.longestMs > 0 ? { longestHoldMs: hold.longestMs, busyOfThatMs: hold.busyMs } : null),
    seconds: seconds(begun),
    ok,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return line
}

/** The tests run on one build to the end, even when another is made meanwhile. It stands where it finds the packages. */
function copyOfBuild() {
  const cache = join(root, 'node_modules', '.cache', 'throughline')
  mkdirSync(cache, { recursive: true })
  const copy = mkdtempSync(join(cache, 'fault-'))
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  process.env.THROUGHLINE_FAULT_DIST = join(copy, 'dist')
  return copy
}

function table(lines) {
  const rows = lines.map(({ id, ok, skipped, unproved, seconds }) => {
    const state = skipped ? `skipped: ${skipped}` : !ok ? 'FAILED' : unproved ? `ok, but not proved: ${unproved}` : 'ok'
    return `${id.padEnd(6)} ${tests[id][0].padEnd(48)} ${String(seconds).padStart(6)} s  ${state}`
  })
  return rows.join('\n')
}

function seconds(begun) {
  return Math.round((performance.now() - begun) / 100) / 10
}
