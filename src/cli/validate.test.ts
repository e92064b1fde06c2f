import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, desk, history, run } from './cli.fixture.js'

const { folder, file } = desk()

beforeAll(build, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('validate says what each message is, which dialects were seen, and ends with 0', async () => {
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

test('validate lists every problem with its path and ends with 1', async () => {
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
  const json = JSON.parse((await run(['validate', path, '--policy', 'handoff-assistant-first', '--json'])).stdout) as {
    ok: boolean
    errors: unknown[]
  }
  expect([json.ok, json.errors.length]).toEqual([false, 3])
})

test('validate ends with 0 and warns when the policy leaves the wrong messages out', async () => {
  const path = file('lenient.json', [...history, 'no message'])
  const { code, stdout, stderr } = await run(['validate', path])
  expect(code).toBe(0)
  expect(stdout).not.toContain('✖')
  expect(stderr).toContain('! messages[3]  admit.object')
})
