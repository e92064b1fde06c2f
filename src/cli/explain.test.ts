import { beforeAll, expect, test } from 'vitest'
import { build, history, run } from './cli.fixture.js'

beforeAll(build, 120_000)

test('explain says the same of a history, of its result and of its receipt', async () => {
  const args = ['--sample', '--model', 'gpt-4o', '--budget', '5000']
  const [result, { stdout: told }] = await Promise.all([
    run(['assemble', ...args, '--json']),
    run(['explain', ...args]),
  ])
  const { receipt } = JSON.parse(result.stdout) as { receipt: unknown }
  const bare = told.replace(/Specifics at risk.*\n/, '')
  const again = await Promise.all([
    run(['explain'], { input: JSON.stringify(receipt) }),
    run(['explain'], { input: result.stdout }),
  ])
  expect(again.map(({ stdout }) => stdout)).toEqual([bare, bare])
  for (const word of ['window', 'not sent', '● kept', '✂ clipped', '↩ recalled', '∅ dropped', 'Specifics at risk'])
    expect(told).toContain(word)
})

test('explain tells the answers of a stream one after the other', async () => {
  const line = `${JSON.stringify({ messages: history })}\n`
  const { stdout } = await run(['assemble', '--jsonl'], { input: line + line })
  const told = await run(['explain'], { input: stdout })
  expect(told.stdout.match(/^window/gm)).toHaveLength(2)
  expect((await run(['explain', '--json'], { input: stdout })).stdout).toContain('throughline.explain/1')
})

test('explain has nothing to say of a refusal and ends with 1', async () => {
  const { stdout } = await run(['assemble', '--jsonl'], { input: '{"messages": [], "budget": -1}\n' })
  const { code, stderr } = await run(['explain'], { input: stdout })
  expect(code).toBe(1)
  expect(stderr).toContain('is a refusal')
})

test('explain draws bars whose parts add up to what the receipt says', async () => {
  const { stdout } = await run(['explain', '--sample', '--model', 'gpt-4o', '--budget', '6000', '--json'])
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

test('explain keeps within the width of the terminal', async () => {
  for (const columns of ['60', '100']) {
    const { stdout } = await run(['explain', '--sample', '--budget', '5000'], { env: { COLUMNS: columns } })
    const bars = stdout.split('\n').filter((line) => /^(window|not sent| {11})/.test(line))
    expect(bars.length).toBeGreaterThan(3)
    expect(Math.max(...bars.map((line) => [...line].length))).toBeLessThanOrEqual(Number(columns))
  }
})

test('a history cannot drive the terminal', async () => {
  const text = 'see \x1b]0;owned\x07 docs/\x1b[31m.md and `git log \x1b[2J`'
  const input = JSON.stringify([
    { role: 'user', content: text },
    { role: '\x1b[2J', content: text },
    ...Array.from({ length: 40 }, (_, i) => ({
      role: i % 2 ? 'user' : 'assistant',
      content: `${text} ${'word '.repeat(90)}`,
    })),
  ])
  const ran = await Promise.all([
    run(['explain', '--budget', '2000'], { input }),
    run(['validate'], { input }),
    run(['validate', '--policy', 'handoff-assistant-first'], { input }),
  ])
  for (const { stdout, stderr } of ran) expect(stdout + stderr).not.toMatch(/[\x07\x1b]/)
})
