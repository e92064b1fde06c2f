/** Every example in examples/clients runs and says what its last line promises. `npm run pack` compiles and runs them from the tarball. */
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build as bundle } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../../src/cli/cli.fixture.js'
import { root } from '../lib/tree.js'

const run = promisify(execFile)
const folder = join(root, 'examples', 'clients')
const out = join(folder, 'out')
const names = readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? [name.slice(0, -3)] : []))

beforeAll(async () => {
  await build()
  await run(process.execPath, [join(root, 'scripts', 'clients.mjs'), '--link'])
  mkdirSync(out, { recursive: true })
  const entryPoints = names.map((name) => join(folder, `${name}.ts`))
  await bundle({ entryPoints, outdir: out, outExtension: { '.js': '.mjs' }, format: 'esm', target: 'node20' })
}, 120_000)
afterAll(() => rmSync(out, { recursive: true, force: true }))

test.each(names)('examples/clients/%s.ts runs', async (name) => {
  const promised = /^\/\/ prints: (.*)\n$/m.exec(readFileSync(join(folder, `${name}.ts`), 'utf8'))?.[1]
  const { stdout } = await run(process.execPath, [join(out, `${name}.mjs`)])
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(promised)
})

test('there are ten of them, and none has a cast', () => {
  const code = (name: string) =>
    readFileSync(join(folder, `${name}.ts`), 'utf8').replaceAll(/^(import .*|\s*\/\/.*)$/gm, '')
  expect(names.filter((name) => /\bas (?!const\b)|: any\b|@ts-/.test(code(name)))).toEqual([])
  expect(names).toHaveLength(10)
})
