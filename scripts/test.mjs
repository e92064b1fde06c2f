// npm test: the first tier. npm run test:all: both tiers, as CI runs them; the second is *.all.test.ts. Files can be named.
// The last line is the tally, alone: `N passed, N failed, N skipped`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium, whyNot } from './lib/chromium.mjs'
import { gates } from './lib/gates.mjs'
import { prepareTests } from './lib/prepare.mjs'
import { say, seconds } from './lib/progress.mjs'
import { fail, vitest } from './lib/run.mjs'
import { tally } from './lib/tally.mjs'

/** How many cases a property is tried on, where the environment does not say it. */
const runs = { '--all': '300', '--deep': '10000' }

const flags = ['--all', '--deep', '--gates']
const args = process.argv.slice(2).filter((arg) => !flags.includes(arg))
const has = (flag) => process.argv.includes(flag)
const tier = flags.find((flag) => flag in runs && has(flag))
const named = args.some((arg) => !arg.startsWith('-'))

const began = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'throughline-test-'))
const report = join(folder, 'report.json')
const second = join(folder, 'second.json')
let broken = []

try {
  await prepareTests()
  if (has('--gates')) broken = await gates()
  try {
    await test(report, [...(tier || named ? [] : ['--exclude', '**/*.all.test.ts']), ...args])
  } catch (error) {
    await again(error)
  }
  if (broken.length) process.exitCode = 1
} catch (error) {
  fail(error)
} finally {
  finish(tally(report, second))
  rmSync(folder, { recursive: true, force: true })
}

function test(into, files) {
  return vitest(['run', '--reporter=default', '--reporter=json', `--outputFile.json=${into}`, ...files], {
    show: true,
    env: tier ? { THROUGHLINE_RUNS: process.env.THROUGHLINE_RUNS || runs[tier] } : {},
  })
}

/**
 * A few files that failed are tried once more, by themselves and with the same seed: what fails every time fails, and
 * what failed only beside others on a busy machine is named at the end, not hidden and not in the way.
 */
async function again(error) {
  const files = tally(report).failing
  if (tier !== '--all' || files.length === 0 || files.length > 3) throw error
  say(`\nOnce more, alone: ${files.join(', ')}`)
  await test(second, files)
}

function finish({ passed, failed, skipped, untested, unsteady }) {
  const tests = failed + broken.length
  const all = process.exitCode ? Math.max(tests, 1) : tests
  if (untested.length) say(`\nNot tested: ${untested.map(({ file, count }) => `${file} (${count})`).join(', ')}`)
  if (unsteady.length) say(`\nFailed beside others and passed alone: ${unsteady.join(', ')}`)
  if (findChromium() === null) say(`The app was not tested in a browser: ${whyNot}`)
  if (broken.length) say(`\nFailed before the tests: ${broken.join(', ')}`)
  say(`\n${tier ? 'Both tiers' : named ? 'These files' : 'npm test'} took ${seconds(performance.now() - began)}.`)
  process.stdout.write(`${passed} passed, ${all} failed, ${skipped} skipped\n`)
}
