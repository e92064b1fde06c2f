import { beforeAll, expect, test } from 'vitest'
import { build, run } from '../../src/cli/cli.fixture.js'
import { root } from '../lib/tree.js'

const script = `${root}/examples/handoff/run.mjs`
beforeAll(build, 60_000)

test('the example hands a conversation over to two programs and a model, and reads what they found [S0-31] [S0-50] [S0-47]', async () => {
  const { code, stdout, stderr } = await run([], { script })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('insight: the investigator knows why the task exists')
  expect(stdout).toContain('insight: the builder knows why the task exists')
  expect(stdout).toContain('issue: login.js says TODO: sign the token with a key of its own')
  expect(stdout).toContain('all three read the same history, byte for byte')
}, 90_000)

test('the example fails when an agent misses the words of the user', async () => {
  const { code, stdout, stderr } = await run(['words nobody said'], { script })
  expect(code).toBe(1)
  expect(stdout).toContain('issue: the words of the user are missing: words nobody said')
  expect(stderr).toContain('The hand-off went wrong')
}, 90_000)
