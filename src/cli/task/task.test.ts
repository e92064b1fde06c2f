import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { build } from '../cli.fixture.js'
import { type Stored, stored } from '../stored.fixture.js'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
type Data = any

let at: Stored
beforeAll(async () => {
  await build()
  at = await stored()
}, 120_000)

test('a task goes to an agent with the conversation that led to it', async () => {
  const made = await at.tl(['task', 'create', 'Compare', 'prices', '-t', 'tea', '--files', '["a.ts","b.ts"]'])
  expect(made.stdout).toMatch(/^task_\S+\n$/)
  expect(made.stderr).toContain('4 messages of history')
  const ran = await at.tl(['task', 'deploy', '@last', '--command', 'cat; echo oops >&2'])
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stdout).toContain('Compare prices')
  expect(ran.stdout).toContain('Half oxidised.')
  expect(ran.stdout).toContain('b.ts')
  expect(ran.stderr).toContain('oops')
  const id = made.stdout.trim()
  expect(await at.json(['task', 'status', id.slice(0, 12)])).toMatchObject({
    task: { task_id: id, status: 'completed' },
    agents: [{ agent_id: `${id}.1`, status: 'completed', runner: 'shell' }],
  })
  expect(await at.tl(['task', 'output', id, '--err'])).toMatchObject({ stdout: 'oops\n' })
  expect((await at.tl(['task', 'list', '-q', 'prices'])).stdout).toContain(id)
})

test("a task's registry is a file in the shape of specification 0 [S0-5] [S0-6]", async () => {
  await at.tl(['task', 'create', 'Compare', 'prices', '-t', 'tea', '--deliverables', 'A table'])
  const registry = await at.json(['task', 'show', '@last'])
  expect(registry).toMatchObject({
    task_id: expect.stringMatching(/^task_/),
    description: 'Compare prices',
    task_context: {
      expected_deliverables: ['A table'],
      conversation_history: {
        total_messages: 4,
        truncated_count: 1,
        metadata: { collection_time: expect.any(String), oldest_message: expect.any(String) },
      },
    },
  })
  const [first] = (registry as Data).task_context.conversation_history.messages
  expect(Object.keys(first).sort()).toEqual(['content', 'original_length', 'role', 'timestamp', 'truncated'])
  expect((await at.tl(['task', 'show', '@last'])).stdout).toContain('CONVERSATION HISTORY')
})

test('an agent that fails gives 1, and Ctrl-C ends one that does not', async () => {
  await at.tl(['task', 'create', 'Wait'])
  expect(await at.tl(['task', 'deploy', '@last', '--command', 'exit 3'])).toMatchObject({ code: 1 })
  const child = at.start(['task', 'deploy', '@last', '--command', 'echo ready; sleep 60'])
  child.stdin.end()
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  expect((await once(child, 'close'))[0]).toBe(1)
  expect(await at.json(['task', 'status', '@last'])).toMatchObject({ agent_states: { failed: 1, killed: 1 } })
})

test.each([
  [2, ['task', 'deploy', '@last'], '--runner'],
  [1, ['task', 'create'], 'description is needed'],
  [1, ['task', 'create', 'x', '--priority', 'P9'], 'priority must be one of'],
  [3, ['task', 'status', 'task_none'], 'there is no task'],
  [3, ['task', 'create', 'x', '-t', 'coffee'], 'no conversation coffee'],
  [2, ['task', 'stat'], "did you mean 'status'?"],
])('%i for %j', async (code, args, words) => {
  const ran = await at.tl(args)
  expect(ran).toMatchObject({ code, stdout: '' })
  expect(ran.stderr).toContain(words)
})
