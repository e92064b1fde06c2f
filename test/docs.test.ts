/** The snippets of the pages themselves are a gate of `npm run check` and of CI. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build } from '../src/cli/cli.fixture.js'
import { root } from './lib/tree.js'

beforeAll(build)

const folder = mkdtempSync(join(tmpdir(), 'throughline-docs-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a snippet that prints something else is shown as a difference', async () => {
  const page = write('differs.md', [
    '```ts run',
    `const who: string = 'you'`,
    'console.log(`hello\\n${who}`)',
    '```',
    '',
    '```text output',
    'hello',
    'me',
    '```',
  ])
  const { code, report } = await docs(page)
  expect(code).toBe(1)
  expect(report).toContain('- me')
  expect(report).toContain('+ you')
})

test('a snippet that throws fails with its words', async () => {
  const { code, report } = await docs(write('throws.md', ['```js run', `throw new Error('no such luck')`, '```']))
  expect(code).toBe(1)
  expect(report).toContain('no such luck')
})

test('a snippet that is not marked is not run', async () => {
  const { code } = await docs(write('shown.md', ['```ts', `throw new Error('not run')`, '```']))
  expect(code).toBe(0)
})

test('shell snippets of one page share a folder', async () => {
  const lines = [
    '```sh run',
    'echo one > file',
    '```',
    '',
    '```sh run',
    'cat file',
    '```',
    '',
    '```text output',
    'one',
    '```',
  ]
  const { code, report } = await docs(write('shell.md', lines))
  expect(code, report).toBe(0)
})

test('--write puts the printed text into the page and touches nothing else', async () => {
  const page = write('rewrite.md', [
    '# a',
    '```sh run',
    'printf "x\\ny\\n"',
    '```',
    'between',
    '```text output',
    'old',
    '```',
    'end',
  ])
  await docs('--write', page)
  expect(readFileSync(page, 'utf8')).toBe(
    '# a\n```sh run\nprintf "x\\ny\\n"\n```\nbetween\n```text output\nx\ny\n```\nend',
  )
})

async function docs(...args: string[]): Promise<{ code: number; report: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts', 'docs.mjs'), ...args])
    return { code: 0, report: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, report: stdout + stderr }
  }
}

function write(name: string, lines: readonly string[]): string {
  const page = join(folder, name)
  writeFileSync(page, lines.join('\n'))
  return page
}
