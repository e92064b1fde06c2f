import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, history, main, run, start } from './cli.fixture.js'
import { colourless, exitsWith, fitsScreen, hintsAt, saysOf } from './main.fixture.js'

beforeAll(build, 120_000)

describe('the exit code', () => {
  exitsWith([
    [0, ['--version']],
    [1, ['assemble', 'no-such-folder/missing.json']],
    [2, ['policies', 'show', 'balance']],
    [2, ['--frobnicate']],
    [6, ['assemble', '--sample', '--budget', '10']],
  ])

  test('is 130 after an interrupt', async () => {
    const child = start(['assemble', '--jsonl'])
    child.stdin.write(`${JSON.stringify({ messages: history })}\n`)
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
  })

  hintsAt([[['assmble'], "did you mean 'assemble'?"]])
})

describe('--help', () => {
  fitsScreen([[], ['assemble'], ['task', 'deploy']])
})

describe('what is said of an operation', () => {
  saysOf([['list', 'conversations.list']])

  test('throughline call NAME --help shows its fields, what is needed and the defaults', async () => {
    const { stdout, code } = await run(['call', 'memories.add', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('throughline call memories.add: remember something')
    expect(stdout).toMatch(/^ {2}text \* +string$/m)
    expect(stdout).toMatch(/^ {2}kind +profile \| semantic \| episodic \| derived {2}\("semantic"\)$/m)
    expect((await run(['call', 'nonsense', '--help'])).stdout).toMatch(/^throughline call \[OPERATION/)
  })
})

describe('what is no terminal', () => {
  colourless([['explain', '--sample']])
})

test('a terminal gets colour, and none when it asks for none', () => {
  if (process.platform !== 'linux') return
  const shown = (extra: string) =>
    execFileSync('script', ['-qec', `${extra} ${process.execPath} ${main} tour`, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', NO_COLOR: '', FORCE_COLOR: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString()
  expect(shown('')).toContain('\x1b[')
  expect(shown('NO_COLOR=1')).not.toContain('\x1b[')
})
