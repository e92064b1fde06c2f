/** The examples, run as a reader would run them: from the built package, with the clients of the world. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, run } from '../../src/cli/cli.fixture.js'
import { root } from '../lib/tree.js'

const folder = mkdtempSync(join(tmpdir(), 'throughline-examples-'))
beforeAll(async () => {
  await build()
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(root, join(modules, 'throughline'), 'junction')
  for (const name of ['openai', '@openai'])
    symlinkSync(join(root, 'test', 'clients', 'node_modules', name), join(modules, name), 'junction')
}, 180_000)
afterAll(() => rmSync(folder, { recursive: true }))

test.each([
  ['openai', '6 items in conv_…, receipt ctx_…\n'],
  ['openai-agents', 'user, function_call, function_call_output, assistant\n'],
])(
  'the example %s works',
  async (name, printed) => {
    const script = join(folder, `${name}.mjs`)
    cpSync(join(root, 'examples', 'clients', `${name}.mjs`), script)
    const { code, stdout, stderr } = await run([], { script })
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: printed, stderr: '' })
  },
  90_000,
)
