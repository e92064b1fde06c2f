// Everything a change must pass, in about a minute. Each step says its name and its time.
import { join } from 'node:path'
import { prepare } from './lib/prepare.mjs'
import { say, seconds, step } from './lib/progress.mjs'
import { biome, node, root, tsc, vitest } from './lib/run.mjs'

const test = (...args) => vitest(['run', '--reporter=dot', ...args], { env: { NO_COLOR: '1' } })
const script = (name, ...args) => node([join(root, 'scripts', name), ...args])
const guards = ['test/boundaries.test.ts', 'test/requirements.test.ts', 'test/surface.test.ts', 'test/docs.test.ts']

const steps = [
  ['format', () => biome(['check', '--linter-enabled=false', '.'])],
  ['lint', () => biome(['lint', '--error-on-warnings', '.'])],
  ['types', () => tsc(['--noEmit'])],
  ['types of the app', () => tsc(['--noEmit', '-p', 'web'])],
  ['boundaries', () => test('test/boundaries.test.ts')],
  ['surface', () => script('surface.mjs', '--check')],
  ['requirements', () => test('test/requirements.test.ts')],
  ['docs', () => script('docs.mjs')],
  ['unit tests', () => test(...guards.flatMap((file) => ['--exclude', file]))],
]

const began = performance.now()
const failures = []

try {
  await prepare()
} catch (error) {
  failures.push(['prepare', error])
}

for (const [label, work] of steps) await step(label, work).catch((error) => failures.push([label, error]))

for (const [label, error] of failures) say(`\n--- ${label}\n${(error.output || error.message).trim()}`)

const time = seconds(performance.now() - began)
say(
  failures.length
    ? `\n${failures.length} failed: ${failures.map(([label]) => label).join(', ')} (${time})`
    : `\nall good (${time})`,
)
process.exitCode = failures.length ? 1 : 0
