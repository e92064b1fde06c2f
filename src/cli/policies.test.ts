import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, desk, run, start } from './cli.fixture.js'

const { folder, file } = desk()

beforeAll(build, 120_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('policies list shows all seven in 100 columns', async () => {
  const { stdout } = await run(['policies', 'list'])
  for (const name of ['balanced', 'handoff-balanced', 'handoff-user-first', 'stateless-query', 'agent-turns'])
    expect(stdout).toContain(`\n${name} `)
  expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(100)
  const { policies } = JSON.parse((await run(['policies', 'list', '--json'])).stdout) as { policies: unknown[] }
  expect(policies).toHaveLength(7)
})

test('policies show prints one, and what it prints as JSON can be used as a policy file', async () => {
  const { stdout } = await run(['policies', 'show', 'session-window', '--json'])
  const path = file('shown.json', stdout)
  const { stdout: diff, stderr } = await run(['policies', 'diff', 'session-window', path])
  expect([diff, stderr]).toEqual(['', 'no difference\n'])
  expect((await run(['policies', 'show', 'session-window'])).stdout).toMatch(/^fit\.tokens +6000$/m)
})

test('policies diff tells the fields that differ, each with both values', async () => {
  const { stdout } = await run(['policies', 'diff', 'handoff-user-first', 'handoff-assistant-first'])
  expect(stdout).toMatch(/^field +handoff-user-first +handoff-assistant-first$/m)
  expect(stdout).toMatch(/^clip\.user\.over +8000 +150$/m)
  expect(stdout).not.toContain('fit.grain')
  const { fields } = JSON.parse((await run(['policies', 'diff', 'balanced', 'agent-turns', '--json'])).stdout) as {
    fields: { field: string; a: unknown; b: unknown }[]
  }
  expect(fields).toContainEqual({ field: 'fit.turns', a: null, b: 20 })
})

test('a command ends quietly when its reader leaves', async () => {
  const child = start(['policies', 'show', 'balanced'])
  child.stdout.destroy()
  let words = ''
  child.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString()
  })
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0)
  expect(words).toBe('')
})
