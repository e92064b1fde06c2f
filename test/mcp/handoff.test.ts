import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { build, main } from '../../src/cli/cli.fixture.js'
import { jwt } from '../specs/examples.fixture.js'
import { type Data, type Desk, eventually, freshDesk, isAlive, type OverStdio, overStdio } from './clients.js'

const script = fileURLToPath(new URL('../../examples/handoff/agent.mjs', import.meta.url))

/** Settings that name the small agent, and one that never ends. */
function deskWithAgents(): Desk {
  const { db } = freshDesk()
  const args = [script, main, db, 'Focus on JWT tokens first']
  const { config } = freshDesk({
    small: { command: process.execPath, args },
    endless: { command: 'sh', args: ['-c', 'echo up; sleep 1000 & sleep 1000'] },
  })
  return { db, config }
}

let desk: Desk
let orchestrator: OverStdio
beforeAll(async () => {
  await build()
  desk = deskWithAgents()
  orchestrator = await overStdio(desk)
}, 60_000)
afterAll(() => orchestrator?.close())

const created = (more: object = {}) =>
  orchestrator.call('create_real_task', { description: 'Implement JWT tokens', conversation_history: jwt, ...more })

test('two agents get the same history, know why they work, and report back [S0-31] [S0-50]', async () => {
  const { call } = orchestrator
  // the user talks to the orchestrator, which keeps the conversation
  const { conversation_id } = await call('conversation_append', { title: 'Authentication', messages: jwt })
  const { task_id, conversation_messages_count } = await created({
    conversation_history: { conversation: conversation_id },
  })
  expect(conversation_messages_count).toBe(3)
  for (const agent_type of ['investigator', 'builder']) {
    const deployed = await call('deploy_headless_agent', { task_id, agent_type, prompt: 'Be brief.', parent: 'test' })
    expect(deployed).toMatchObject({ success: true, runner: 'small', task_id })
  }
  const status = await eventually(async () => {
    const seen = await call('get_real_task_status', { task_id })
    return seen.agent_states.completed === 2 && seen
  })
  expect(status.finding_severities).toEqual({ high: 2 })
  const findings = status.recent.filter((one: Data) => one.type === 'finding')
  expect(findings.map((one: Data) => one.message).sort()).toEqual([
    'the builder knows why the task exists',
    'the investigator knows why the task exists',
  ])
  expect(new Set(findings.map((one: Data) => one.data.shared)).size).toBe(1)
  const output = await call('get_agent_output', { task_id, agent_id: `${task_id}.1`, format: 'jsonl' })
  expect(output.values).toEqual([{ agent: `${task_id}.1` }])
  const done = await call('update_agent_progress', {
    task_id,
    agent_id: 'orchestrator',
    status: 'completed',
    message: 'both agents are done',
    progress: 100,
    task_state: 'completed',
    result: { merged: true },
  })
  expect(done.task_status).toBe('completed')
}, 60_000)

test('a child agent works on a task of its own and can read the history above it [S0-P5]', async () => {
  const { call } = orchestrator
  const { task_id } = await created()
  const child = await call('spawn_child_agent', {
    task_id,
    parent_agent_id: `${task_id}.1`,
    child_agent_type: 'tester',
    child_prompt: 'Test the tokens',
    conversation_history: JSON.stringify(jwt),
  })
  expect(child).toMatchObject({ parent_task_id: task_id, conversation_messages_count: 3, agent: { runner: 'small' } })
  const status = await eventually(async () => {
    const seen = await call('get_real_task_status', { task_id: child.task_id, include: ['ancestors'] })
    return seen.agent_states.completed === 1 && seen
  })
  expect(status.finding_severities).toEqual({ high: 1 })
  expect(status.ancestors.text).toContain('Focus on JWT tokens first')
  expect((await call('get_real_task_status', { task_id })).children).toBe(1)
}, 60_000)

test('an agent is ended when asked, with every process it started', async () => {
  const { call } = orchestrator
  const { task_id } = await created()
  const { agent_id } = await call('deploy_headless_agent', { task_id, agent_type: 'x', prompt: '', runner: 'endless' })
  const { agent } = await eventually(async () => {
    const seen = await call('get_agent_output', { task_id, agent_id })
    return seen.text.includes('up') && seen
  })
  expect(isAlive(agent.pid)).toBe(true)
  const killed = await call('kill_real_agent', { task_id, agent_id, reason: 'no longer needed' })
  expect(killed).toMatchObject({ status: 'killed', agent_id })
  expect(isAlive(agent.pid)).toBe(false)
}, 30_000)

test.each([['when its client leaves'], ['on SIGTERM']])(
  'a server ends %s, and its agents with it',
  async (how) => {
    const other = await overStdio(desk)
    const { task_id } = await other.call('create_real_task', { description: 'wait' })
    const given = { task_id, agent_type: 'x', prompt: '', runner: 'endless' }
    const { agent_id } = await other.call('deploy_headless_agent', given)
    const { agent } = await eventually(async () => {
      const seen = await other.call('get_agent_output', { task_id, agent_id })
      return seen.text.includes('up') && seen
    })
    if (how === 'on SIGTERM') process.kill(other.pid, 'SIGTERM')
    else void other.close()
    await eventually(async () => !isAlive(other.pid))
    expect(isAlive(agent.pid)).toBe(false)
    expect(other.stderr()).toBe('')
    const after = await orchestrator.call('get_agent_output', { task_id, agent_id })
    expect(after.agent.status).toBe('killed')
  },
  30_000,
)
