/** The examples of the dialects run, and say what they should. */
import { execFile } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { root } from '../lib/tree.js'

const folder = join(root, 'examples', 'clients')
beforeAll(async () => {
  await build()
  // they use the clients that the tests use
  const link = join(folder, 'node_modules')
  if (!existsSync(link)) symlinkSync(join('..', '..', 'test', 'clients', 'node_modules'), link, 'junction')
}, 120_000)

test.each([
  ['anthropic.mjs', '6 messages in one conversation'],
  ['ai-sdk.mjs', '4 messages; 2000 tokens at most'],
])('examples/clients/%s runs', async (name, words) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, name)])
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(words)
})
