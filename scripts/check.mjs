// What a change must pass before it is proposed, in two minutes: every gate, and the tests beside the code
// but for those of the command line, which start a process each.
import { gates, tests } from './lib/gates.mjs'
import { prepareTests } from './lib/prepare.mjs'
import { say, seconds } from './lib/progress.mjs'
import { fail } from './lib/run.mjs'

const began = performance.now()

try {
  await prepareTests()
  const apart = ['src/cli/**', '**/*.all.test.ts'].flatMap((glob) => ['--exclude', glob])
  const failures = await gates([['tests beside the code', () => tests('src/', ...apart)]])
  const time = `npm run check took ${seconds(performance.now() - began)}`
  say(failures.length ? `\n${failures.length} failed: ${failures.join(', ')} (${time})` : `\nall good (${time})`)
  if (failures.length) process.exitCode = 1
} catch (error) {
  fail(error)
}
