import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Agent } from '../record/agent.js'
import { kinds } from '../record/desk.js'
import { strays } from '../runners/group.js'
import { refusedBy } from '../tasks.fixture.js'
import { openTasks } from '../tasks.js'
import { crew, eventually } from './agents.fixture.js'

const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

describe('an agent that does not end', () => {
  const stubborn = 'trap "" TERM; sleep 1000 & sleep 1000'

  test('is ended by its timeout, with everything it started', async () => {
    const { run } = await crew(stubborn)
    const agent = await run({ timeoutMs: 200 })
    expect(agent).toMatchObject({ state: 'timed_out', exit: { signal: 'SIGKILL', error: { code: 'timed_out' } } })
    expect(isRunning(agent.pid ?? 0)).toBe(false)
    expect(strays(agent.id)).toEqual([])
  })

  test('is killed on request, also when it left its group', async () => {
    const { tasks, task } = await crew('setsid sleep 1000 & echo ready; sleep 1000')
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await eventually(async () => (await tasks.output(agent.id)).text === 'ready\n')
    await eventually(() => strays(agent.id).length >= 3)
    expect(await tasks.kill(agent.id)).toMatchObject({ state: 'killed', asked: 'kill' })
    expect((await ended).state).toBe('killed')
    expect(strays(agent.id)).toEqual([])
    expect((await tasks.kill(agent.id)).state).toBe('killed')
  })

  test('is killed by another process through the store', async () => {
    const { tasks, task, store } = await crew('sleep 1000')
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await openTasks({ store, workspace: 'w' }).kill(agent.id)
    expect((await ended).state).toBe('killed')
  })

  test('goes when its task is cancelled, and before it has a place', async () => {
    const { tasks, task } = await crew('sleep 1000', { limits: { agentsAtOnce: 1 } })
    await tasks.deploy(task.id, { runner: 'agent' })
    await tasks.deploy(task.id, { runner: 'agent' })
    await tasks.move(task.id, { to: 'cancelled' })
    expect((await tasks.status(task.id)).states).toEqual({ killed: 2 })
  })

  test('that left something in the background leaves nothing', async () => {
    const { run } = await crew('sleep 1000 & setsid sleep 1000 & exit 0')
    const agent = await run()
    expect(agent.state).toBe('completed')
    expect(strays(agent.id)).toEqual([])
  })

  test('goes when the tasks are closed, and no other is started', async () => {
    const { tasks, task, run } = await crew('sleep 1000')
    const { ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await tasks.close()
    expect(await ended).toMatchObject({ state: 'killed', exit: { error: { code: 'closed' } } })
    expect((await refusedBy(run())).code).toBe('invalid')
  })

  test('whose owner died is found again and ended', async () => {
    const { tasks, task, store } = await crew('sleep 1000')
    const { agent } = await tasks.deploy(task.id, { runner: 'agent' })
    await eventually(async () => (await tasks.agent(agent.id))?.pid)
    // another process whose clock says that the owner has been silent for long
    const later = () => new Date(Date.now() + 3_600_000).toISOString()
    const other = openTasks({ store, workspace: 'w', env: { now: later }, limits: { graceMs: 200 } })
    // an owner that is seen to live is not lost, whatever the clock says
    expect(await other.recover()).toBe(0)
    const kind = kinds.agent(task.id)
    const owner = { ...agent.owner, identity: null }
    await eventually(async () => {
      const { body, revision: expect } = (await store.getRecord('w', kind, agent.id)) ?? { body: null, revision: 0 }
      const unseen = { kind, id: agent.id, body: { ...(body as Agent), owner }, at: later(), expect }
      return store.putRecord('w', unseen).catch(() => null)
    })
    expect(await other.recover()).toBe(1)
    expect(strays(agent.id)).toEqual([])
  })
})

describe('a store that fails', () => {
  test('leaves no agent behind that nobody knows of', async () => {
    const { tasks, task, store } = await crew('sleep 1000')
    const { putRecord } = store
    let broken = false
    Object.assign(store, {
      putRecord: (...given: Parameters<typeof putRecord>) => {
        const body = given[1].body as Partial<Agent>
        broken ||= body.state === 'running'
        return broken ? Promise.reject(new Error('the disk is gone')) : putRecord(...given)
      },
    })
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await expect(ended).rejects.toThrow('the disk is gone')
    expect(strays(agent.id)).toEqual([])
  })
})
