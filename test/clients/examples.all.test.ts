/** Every example in examples/clients runs, says what it should, and is short. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { root } from '../lib/tree.js'

const run = promisify(execFile)
const folder = join(root, 'examples', 'clients')
beforeAll(async () => {
  await build()
  await run(process.execPath, [join(root, 'scripts', 'clients.mjs'), '--link'])
}, 120_000)

/** The last thing each of them says. */
const last: Readonly<Record<string, string>> = {
  'openai.mjs': '6 items in conv_…, receipt ctx_…',
  'openai-agents-server.mjs': 'user, function_call, function_call_output, assistant',
  'openai-agents.mjs': '7 messages, ready for another provider',
  'langchain.mjs': '4 messages in the log',
  'langgraph.mjs': 'resumed with: yes',
  'anthropic.mjs': '6 messages in one conversation',
  'ai-sdk.mjs': '4 messages; 2000 tokens at most',
  'anthropic-memory.mjs': '9B\t/memories/user.txt',
}

test.each(Object.entries(last))('examples/clients/%s runs', async (name, words) => {
  const { stdout } = await run(process.execPath, [join(folder, name)])
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(words)
})

test('no example is left out', () => {
  const there = readdirSync(folder).filter((name) => name.endsWith('.mjs'))
  expect(there.filter((name) => !(name in last))).toEqual([])
})
