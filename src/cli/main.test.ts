import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build, run, start, tour } from './cli.fixture.js'

const folder = mkdtempSync(join(tmpdir(), 'throughline-cli-'))
const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

beforeAll(build)
afterAll(() => rmSync(folder, { recursive: true }))

const history = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hi, how can I help?' },
  { role: 'user', content: 'What is 2 + 2?' },
]

describe('the exit code', () => {
  test.each([
    [0, ['--version']],
    [0, ['--help']],
    [0, ['help', 'assemble']],
    [0, ['policies', 'list']],
    [0, ['--json', 'policies', 'list']],
    [0, ['assemble', '--sample']],
    [1, ['assemble', join(folder, 'missing.json')]],
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
  test.each([[[]], [['assemble']], [['explain']], [['validate']], [['policies']], [['policies', 'diff']]])(
    'of %j fits a screen of 24 lines and 100 columns and begins with examples',
    async (path) => {
      const { code, stdout, stderr } = await run([...path, '--help'])
      const lines = stdout.trimEnd().split('\n')
      expect([code, stderr]).toEqual([0, ''])
      expect(lines.length).toBeLessThanOrEqual(24)
      expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
      expect(lines[2]).toMatch(/^ {2}throughline /)
    },
  )
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
    execFileSync('script', ['-qec', `${extra} ${process.execPath} ${tour}`, '/dev/null'], {
      env: { ...process.env, TERM: 'xterm', NO_COLOR: '', FORCE_COLOR: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).toString()
  expect(shown('')).toContain('\x1b[')
  expect(shown('NO_COLOR=1')).not.toContain('\x1b[')
})

describe('assemble', () => {
  test('prints the request whose hash the receipt has, and nothing else', async () => {
    const path = file('history.json', history)
    for (const target of ['openai-chat', 'openai-responses', 'anthropic', 'google', 'messages', 'text-tagged']) {
      const { stdout, stderr } = await run(['assemble', path, '--target', target])
      const receipt = JSON.parse((await run(['assemble', path, '--target', target, '--receipt'])).stdout) as {
        wire: { hash: string }
      }
      expect(createHash('sha256').update(stdout.replace(/\n$/, '')).digest('hex')).toBe(receipt.wire.hash)
      expect(stderr).toBe('')
    }
  })

  test.each([
    ['an array', JSON.stringify(history)],
    ['one message per line', history.map((message) => JSON.stringify(message)).join('\n')],
    ['a request', JSON.stringify({ messages: history })],
    ['an array over many lines, with a byte order mark', `\ufeff${JSON.stringify(history, null, 2)}`],
  ])('reads %s from a file and from standard input', async (_, content) => {
    const path = file('any.json', content)
    const whole = await run(['assemble', path, '--json'])
    const piped = await run(['assemble', '--json'], { input: content })
    const dash = await run(['assemble', '-', '--json'], { input: content })
    const items = (JSON.parse(whole.stdout) as { items: { text: string }[] }).items
    expect(items.map(({ text }) => text)).toEqual(history.map(({ content }) => content))
    expect([piped.stdout, dash.stdout]).toEqual([whole.stdout, whole.stdout])
  })

  test.each([
    ['', 'is empty'],
    ['{"messages": [', 'is not JSON'],
    ['{"role": "user", "content": "a"}\n{"role"', ':2 is not JSON'],
    ['{"mesages": []}', "did you mean 'messages'?"],
    ['12', 'a request is a JSON object'],
  ])('refuses a file of %j and says why', async (content, reason) => {
    const { code, stdout, stderr } = await run(['assemble', file('bad.json', content)])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(reason)
  })

  test('writes warnings to the error stream and data to the other', async () => {
    const path = file('warned.json', [...history, { role: 'robot', content: 'beep' }])
    const { code, stdout, stderr } = await run(['assemble', path])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toHaveProperty('messages')
    expect(stderr).toMatch(/^! .*robot.*\(admit\.role\)/)
  })

  test('puts a refusal on standard output as well when JSON is asked for', async () => {
    const { code, stdout, stderr } = await run(['assemble', '--sample', '--budget', '10', '--json'])
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({ id: null, ok: false, error: { code: 'fit.budget', type: null } })
    expect(stderr).toContain('fit.budget')
  })

  test('takes a policy from a file, from options and from the environment', async () => {
    const path = file('longer.json', [...history, ...history.slice(1)])
    const policy = file('policy.json', { extends: 'session-window', fit: { messages: 2 } })
    const name = async (args: readonly string[], env: Record<string, string> = {}) => {
      const { stdout, stderr } = await run(['assemble', path, '--receipt', ...args], { env })
      expect(stderr.replaceAll(/^! .*\n/gm, '')).toBe('')
      const { policy, totals } = JSON.parse(stdout) as { policy: { name: string }; totals: { dropped: number } }
      return [policy.name, totals.dropped]
    }
    expect(await name(['--policy-file', policy])).toEqual(['session-window', 2])
    expect(await name(['--policy', 'session-window', '--overrides', '{"fit":{"messages":2}}'])).toEqual([
      'session-window',
      2,
    ])
    expect(await name([], { THROUGHLINE_POLICY: 'stateless-query' })).toEqual(['stateless-query', 0])
    expect(await name([], { conversation_max_history_messages: '2' })).toEqual(['session-window', 2])
    expect(await name(['--policy', 'balanced'], { THROUGHLINE_POLICY: 'stateless-query' })).toEqual(['balanced', 0])
  })

  test('refuses a setting of the environment that is wrong and names it', async () => {
    const { code, stderr } = await run(['assemble', '--sample'], { env: { CONVERSATION_MAX_CONTEXT_TOKENS: 'many' } })
    expect(code).toBe(1)
    expect(stderr).toContain('conversation_max_context_tokens')
  })
})

describe('explain', () => {
  test('says the same of a history, of its result and of its receipt', async () => {
    const args = ['--sample', '--model', 'gpt-4o', '--budget', '10000']
    const receipt = (await run(['assemble', ...args, '--receipt'])).stdout
    const result = (await run(['assemble', ...args, '--json'])).stdout
    const told = (await run(['explain', ...args])).stdout
    const bare = told.replace(/Specifics at risk.*\n/, '')
    expect((await run(['explain'], { input: receipt })).stdout).toBe(bare)
    expect((await run(['explain'], { input: result })).stdout).toBe(bare)
    for (const word of ['window', 'not sent', '● kept', '✂ clipped', '⊂ folded', '∅ dropped', 'Specifics at risk'])
      expect(told).toContain(word)
  })

  test('explains the answers of a stream one after the other', async () => {
    const line = `${JSON.stringify({ messages: history })}\n`
    const { stdout } = await run(['assemble', '--jsonl'], { input: line + line })
    const told = await run(['explain'], { input: stdout })
    expect(told.stdout.match(/^window/gm)).toHaveLength(2)
    expect((await run(['explain', '--json'], { input: stdout })).stdout).toContain('throughline.explain/1')
  })

  test('does not explain a refusal', async () => {
    const { stdout } = await run(['assemble', '--jsonl'], { input: '{"messages": [], "budget": -1}\n' })
    const { code, stderr } = await run(['explain'], { input: stdout })
    expect(code).toBe(1)
    expect(stderr).toContain('is a refusal')
  })

  test('draws bars whose parts add up to what the receipt says', async () => {
    const { stdout } = await run(['explain', '--sample', '--model', 'gpt-4o', '--budget', '10000', '--json'])
    const { window, notSent, receipt } = JSON.parse(stdout) as {
      window: { kind: string; tokens: number }[]
      notSent: { kind: string; tokens: number }[]
      receipt: {
        budget: { used: number; free: number; reserve: { system: number; tools: number } }
        lines: { restore: number }[]
      }
    }
    const sum = (parts: { tokens: number }[]) => parts.reduce((total, { tokens }) => total + tokens, 0)
    const { used, free, reserve } = receipt.budget
    expect(sum(window)).toBe(used + free + reserve.system + reserve.tools)
    expect(sum(notSent)).toBe(receipt.lines.reduce((total, { restore }) => total + restore, 0))
  })

  test('keeps within the width of the terminal', async () => {
    for (const columns of ['60', '80', '100']) {
      const { stdout } = await run(['explain', '--sample', '--budget', '6000'], { env: { COLUMNS: columns } })
      const bars = stdout.split('\n').filter((line) => /^(window|not sent| {11})/.test(line))
      expect(bars.length).toBeGreaterThan(3)
      expect(Math.max(...bars.map((line) => [...line].length))).toBeLessThanOrEqual(Number(columns))
    }
  })
})

describe('validate', () => {
  test('says what each message is, which dialects were seen, and ends with 0', async () => {
    const path = file('mixed.json', [
      ...history,
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'clock', input: { zone: 'UTC' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: '12:00' }] },
    ])
    const { code, stdout, stderr } = await run(['validate', path, '--target', 'anthropic'])
    expect(code).toBe(0)
    expect(stdout).toContain('dialects: openai-chat 3, anthropic 2')
    expect(stdout).toContain('clock({"zone":"UTC"})')
    expect(stdout).toContain('result of t1')
    expect(stderr).toBe('valid, 0 warnings\n')
  })

  test('lists every problem with its path and ends with 1', async () => {
    const path = file('wrong.json', [
      { role: 'robot', content: 'beep' },
      { role: 'user', content: 'fine', timestamp: '2026-01-01T00:00:00Z' },
      { role: 'user', content: 5 },
      'no message',
    ])
    const { code, stdout } = await run(['validate', path, '--policy', 'handoff-assistant-first'])
    expect(code).toBe(1)
    expect(stdout).toContain('✖ conversation_history[0].role  admit.role  ')
    expect(stdout).toContain('✖ conversation_history[2].content  admit.content  ')
    expect(stdout).toContain('✖ conversation_history[3]  admit.object  ')
    expect(stdout.match(/✖/g)).toHaveLength(3)
    const json = JSON.parse(
      (await run(['validate', path, '--policy', 'handoff-assistant-first', '--json'])).stdout,
    ) as {
      ok: boolean
      errors: unknown[]
    }
    expect([json.ok, json.errors.length]).toEqual([false, 3])
  })

  test('ends with 0 and warns when the policy leaves the wrong messages out', async () => {
    const path = file('lenient.json', [...history, 'no message'])
    const { code, stdout, stderr } = await run(['validate', path])
    expect(code).toBe(0)
    expect(stdout).not.toContain('✖')
    expect(stderr).toContain('! messages[3]  admit.object')
  })
})

describe('policies', () => {
  test('lists all seven in 100 columns', async () => {
    const { stdout } = await run(['policies', 'list'])
    for (const name of ['balanced', 'handoff-balanced', 'handoff-user-first', 'stateless-query', 'agent-turns'])
      expect(stdout).toContain(`\n${name} `)
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(100)
    const { policies } = JSON.parse((await run(['policies', 'list', '--json'])).stdout) as { policies: unknown[] }
    expect(policies).toHaveLength(7)
  })

  test('shows one, and what it prints as JSON can be used as a policy file', async () => {
    const { stdout } = await run(['policies', 'show', 'session-window', '--json'])
    const path = file('shown.json', stdout)
    const { stdout: diff, stderr } = await run(['policies', 'diff', 'session-window', path])
    expect([diff, stderr]).toEqual(['', 'no difference\n'])
    expect((await run(['policies', 'show', 'session-window'])).stdout).toMatch(/^fit\.tokens +6000$/m)
  })

  test('differ in fields, each with both values', async () => {
    const { stdout } = await run(['policies', 'diff', 'handoff-user-first', 'handoff-assistant-first'])
    expect(stdout).toMatch(/^field +handoff-user-first +handoff-assistant-first$/m)
    expect(stdout).toMatch(/^clip\.user\.over +8000 +150$/m)
    expect(stdout).not.toContain('fit.grain')
    const { fields } = JSON.parse((await run(['policies', 'diff', 'balanced', 'agent-turns', '--json'])).stdout) as {
      fields: { field: string; a: unknown; b: unknown }[]
    }
    expect(fields).toContainEqual({ field: 'fit.turns', a: null, b: 20 })
  })

  test('end quietly when their reader leaves', async () => {
    const child = start(['policies', 'show', 'balanced'])
    child.stdout.destroy()
    let words = ''
    child.stderr.on('data', (chunk: Buffer) => {
      words += chunk.toString()
    })
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
    expect(words).toBe('')
  })
})

describe('the tour', () => {
  test('shows every fate, finds nothing illegal, and fits one screen', async () => {
    const { code, stdout, stderr } = await run([], { script: tour })
    expect([code, stderr]).toEqual([0, ''])
    for (const said of ['● kept', '✂ clipped', '⊂ folded', '∅ dropped', 'characters omitted', 'at risk', '✔ anthropic'])
      expect(stdout).toContain(said)
    expect(stdout).not.toContain('✖')
    expect(stdout).not.toContain('\x1b')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(40)
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(100)
  })

  test('says the same each time', async () => {
    const [one, other] = await Promise.all([run([], { script: tour }), run([], { script: tour })])
    expect(one?.stdout).toBe(other?.stdout)
  })

  test('names commands that work from where it was started', async () => {
    const { stdout } = await run([], { script: tour, cwd: folder })
    const commands = [...stdout.matchAll(/^ {2}node (\S+) (.+?) {2,}/gm)]
    expect(commands).toHaveLength(3)
    for (const [, script = '', rest = ''] of commands) {
      const { code, stdout: said } = await run(rest.split(' '), { script, cwd: folder })
      expect(code).toBe(0)
      expect(said).not.toBe('')
    }
  })
})
