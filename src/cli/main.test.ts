import { execFileSync } from 'node:child_process'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations } from '../operations/list.js'
import { build, history, main, run, start } from './cli.fixture.js'

beforeAll(build, 120_000)

describe('the exit code', () => {
  test.each([
    [0, ['--version']],
    [0, ['--help']],
    [0, ['help', 'assemble']],
    [0, ['policies', 'list']],
    [0, ['--json', 'policies', 'list']],
    [0, ['assemble', '--sample']],
    [1, ['assemble', 'no-such-folder/missing.json']],
    [1, ['assemble', '--sample', '--policy', 'handoff-assistant-first']],
    [1, ['assemble', '--sample', '--overrides', '{"fit":{"floor":-1}}']],
    [2, []],
    [2, ['policies']],
    [2, ['policies', 'show']],
    [2, ['policies', 'show', 'balance']],
    [2, ['policies', 'diff', 'balanced']],
    [2, ['assmble']],
    [2, ['--frobnicate']],
    [2, ['assemble', '--frobnicate']],
    [2, ['assemble', '--budget']],
    [2, ['assemble', '--budget', 'lots']],
    [2, ['assemble', '--sample', '--json=yes']],
    [2, ['assemble', '--sample', '--target', 'telegram']],
    [2, ['assemble', '--sample', '--policy', 'nope']],
    [2, ['assemble', '--sample', '--now', 'soon']],
    [2, ['assemble', 'a', 'b']],
    [2, ['assemble', 'a', '--sample']],
    [2, ['assemble', '--jsonl', 'a.jsonl']],
    [2, ['explain', '--sample', '--jsonl']],
    [6, ['assemble', '--sample', '--budget', '10']],
    [6, ['explain', '--sample', '--budget', '10']],
  ])('is %i for %j', async (code, args) => {
    const ran = await run(args)
    expect(ran.code, ran.stderr).toBe(code)
    if (code !== 0) {
      expect(ran.stderr).not.toBe('')
      expect(ran.stderr).not.toContain('    at ')
      expect(ran.stdout).toBe('')
    }
  })

  test('is 130 after an interrupt', async () => {
    const child = start(['assemble', '--jsonl'])
    child.stdin.write(`${JSON.stringify({ messages: history })}\n`)
    await new Promise((resolve) => child.stdout.once('data', resolve))
    child.kill('SIGINT')
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130)
  })

  test.each([
    [['assmble'], "did you mean 'assemble'?"],
    [['policies', 'lst'], "did you mean 'list'?"],
    [['assemble', '--polcy', 'x'], 'did you mean --policy?'],
    [['assemble', '--sample', '--policy', 'balnced'], "did you mean 'balanced'?"],
    [['assemble', '--sample', '--target', 'antropic'], "did you mean 'anthropic'?"],
  ])('of a slip such as %j comes with the name that was meant', async (args, hint) => {
    const { code, stderr } = await run(args)
    expect(code).toBe(2)
    expect(stderr).toContain(hint)
  })
})

describe('--help', () => {
  test.each([
    [[]],
    [['assemble']],
    [['explain']],
    [['validate']],
    [['policies']],
    [['policies', 'diff']],
    [['serve']],
    [['config']],
    [['keys']],
    [['doctor']],
    [['tour']],
    [['chat']],
    [['list']],
    [['show']],
    [['search']],
    [['fork']],
    [['context']],
    [['export']],
    [['verify']],
    [['backup']],
    [['task']],
    [['completion']],
    [['task', 'deploy']],
  ])('of %j fits a screen of 24 lines and 100 columns and begins with examples', async (path) => {
    const { code, stdout, stderr } = await run([...path, '--help'])
    const lines = stdout.trimEnd().split('\n')
    expect([code, stderr]).toEqual([0, ''])
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
    expect(lines[2]).toMatch(/^ {2}throughline /)
  })
})

describe('what is said of an operation', () => {
  test.each([
    ['list', 'conversations.list'],
    ['search', 'messages.search'],
    ['fork', 'branches.fork'],
    ['compact', 'conversations.compact'],
    ['import', 'transfer.import'],
    ['export', 'conversations.export'],
    ['receipts', 'receipts.list'],
    ['verify', 'conversations.verify'],
  ])('throughline %s --help says what the list says of %s', async (command, name) => {
    const summary = operations.find((one) => one.name === name)?.summary ?? ''
    const [head = ''] = (await run([command, '--help'])).stdout.split('\n')
    expect(head.toLowerCase()).toMatch(new RegExp(`^throughline ${command}\\b.*: `))
    expect(head.toLowerCase().endsWith(`: ${summary.toLowerCase()}`), head).toBe(true)
    expect(head.length).toBeLessThanOrEqual(100)
  })

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
  test.each([
    [['policies', 'list'], ''],
    [['explain', '--sample'], ''],
    [['validate', '--sample'], ''],
    [['assemble', '--sample'], ''],
    [['assemble', '--sample', '--budget', '10'], ''],
    [['assmble'], ''],
  ])('gets no colour from %j', async (args) => {
    const { stdout, stderr } = await run(args, { env: { FORCE_COLOR: '1', CI: '1' } })
    expect(stdout + stderr).not.toContain('\x1b')
  })
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
