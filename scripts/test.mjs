// The whole test suite. The last line is the tally, alone: `N passed, N failed, N skipped`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { install, prepare } from './lib/prepare.mjs'
import { fail, root, vitest } from './lib/run.mjs'

const args = process.argv.slice(2)
const deep = args.includes('--deep')
const folder = mkdtempSync(join(tmpdir(), 'throughline-test-'))
const report = join(folder, 'report.json')

try {
  await prepare()
  await install(join(root, 'test', 'clients'), 'the clients of the tests')
  await vitest(
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...args.filter((arg) => arg !== '--deep'),
    ],
    { show: true, env: deep ? { THROUGHLINE_RUNS: process.env.THROUGHLINE_RUNS ?? '10000' } : {} },
  )
} catch (error) {
  fail(error)
} finally {
  const { passed, failed, skipped } = tally()
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`)
  rmSync(folder, { recursive: true, force: true })
}

/** A file that could not be loaded, or a run that ended badly with no failed test, counts as one failure. */
function tally() {
  const files = results()
  const tests = files.flatMap((file) => file.assertionResults.map((test) => test.status))
  const count = (...states) => tests.filter((state) => states.includes(state)).length
  const broken = files.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((t) => t.status === 'failed'),
  )
  const failed = count('failed') + broken.length
  return {
    passed: count('passed'),
    failed: process.exitCode ? Math.max(failed, 1) : failed,
    skipped: count('pending', 'skipped', 'todo', 'disabled'),
  }
}

function results() {
  try {
    return JSON.parse(readFileSync(report, 'utf8')).testResults
  } catch {
    return []
  }
}
