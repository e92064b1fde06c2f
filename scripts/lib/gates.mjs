// What a change must pass beside its tests. Two lanes run side by side; each gate prints its name and its time.
import { join } from 'node:path'
import { measures } from './measures.mjs'
import { say, step } from './progress.mjs'
import { biome, node, root, tsc, vitest } from './run.mjs'

const script = (name, ...args) => node([join(root, 'scripts', name), ...args])

/** Vitest, with its output kept for the case that something fails. */
export const tests = (...args) => vitest(['run', '--reporter=dot', ...args], { env: { NO_COLOR: '1' } })

/** Test files that are gates of their own, so no other step needs to run them. */
export const guards = [
  'test/boundaries.test.ts',
  'test/requirements.test.ts',
  'test/surface.test.ts',
  'test/docs.test.ts',
]

const lanes = [
  [
    ['types', () => tsc(['--noEmit'])],
    ['types of the app', () => tsc(['--noEmit', '-p', 'web'])],
    ['types of the client', () => script('client.mjs', '--check')],
    ['surface', () => script('surface.mjs', '--check')],
    ['docs', () => script('docs.mjs')],
  ],
  [
    ['format and lint', () => biome(['check', '--error-on-warnings', '.'])],
    ['boundaries and requirements', () => tests('test/boundaries.test.ts', 'test/requirements.test.ts')],
    ['size and names', measures],
  ],
]

/** Runs every gate, and `more` after the second lane. Says and gives back what failed. */
export async function gates(more = []) {
  const failures = []
  const lane = async (steps) => {
    for (const [label, work] of steps) await step(label, work).catch((error) => failures.push([label, error]))
  }
  await Promise.all([lane(lanes[0]), lane([...lanes[1], ...more])])
  for (const [label, error] of failures) say(`\n--- ${label}\n${(error.output || error.message).trim()}`)
  return failures.map(([label]) => label)
}
