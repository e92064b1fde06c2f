import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, desk, history, run } from './cli.fixture.js'

const { folder, file } = desk()

beforeAll(build, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('assemble prints the request whose hash the receipt has, and nothing else', async () => {
  const path = file('history.json', history)
  for (const target of ['openai-responses', 'google', 'text-tagged']) {
    const args = ['assemble', path, '--target', target]
    const [{ stdout, stderr }, told] = await Promise.all([run(args), run([...args, '--receipt'])])
    const receipt = JSON.parse(told.stdout) as { wire: { hash: string } }
    expect(createHash('sha256').update(stdout.replace(/\n$/, '')).digest('hex')).toBe(receipt.wire.hash)
    expect(stderr).toBe('')
  }
})

test.each([
  ['an array', JSON.stringify(history), '-'],
  ['one message per line', history.map((message) => JSON.stringify(message)).join('\n')],
  ['a request', JSON.stringify({ messages: history })],
  ['an array over many lines, with a byte order mark', `\ufeff${JSON.stringify(history, null, 2)}`],
])('assemble reads %s from a file and from standard input', async (_, content, ...dash) => {
  const path = file('any.json', content)
  const [whole, piped] = await Promise.all([
    run(['assemble', path, '--json']),
    run(['assemble', ...dash, '--json'], { input: content }),
  ])
  const items = (JSON.parse(whole.stdout) as { items: { text: string }[] }).items
  expect(items.map(({ text }) => text)).toEqual(history.map(({ content }) => content))
  expect(piped.stdout).toBe(whole.stdout)
})

test.each([
  ['', 'is empty'],
  ['{"messages": [', 'is not JSON'],
  ['{"role": "user", "content": "a"}\n{"role"', ':2 is not JSON'],
  ['{"mesages": []}', "did you mean 'messages'?"],
  ['12', 'a request is a JSON object'],
])('assemble refuses a file of %j and says why', async (content, reason) => {
  const { code, stdout, stderr } = await run(['assemble', file('bad.json', content)])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain(reason)
})

test('assemble writes warnings to the error stream and data to the other', async () => {
  const path = file('warned.json', [...history, { role: 'robot', content: 'beep' }])
  const { code, stdout, stderr } = await run(['assemble', path])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toHaveProperty('messages')
  expect(stderr).toMatch(/^! .*robot.*\(admit\.role\)/)
})

test('assemble puts a refusal on standard output as well when JSON is asked for', async () => {
  const { code, stdout, stderr } = await run(['assemble', '--sample', '--budget', '10', '--json'])
  expect(code).toBe(6)
  expect(JSON.parse(stdout)).toMatchObject({ id: null, ok: false, error: { code: 'fit.budget', type: null } })
  expect(stderr).toContain('fit.budget')
})

test('assemble takes a policy from a file, from options and from the environment', async () => {
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

test('assemble refuses a setting of the environment that is wrong and names it', async () => {
  const { code, stderr } = await run(['assemble', '--sample'], { env: { CONVERSATION_MAX_CONTEXT_TOKENS: 'many' } })
  expect(code).toBe(1)
  expect(stderr).toContain('conversation_max_context_tokens')
})
