import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Store } from '../../store/contract/store.js'
import { memoryStore } from '../../store/memory/store.js'
import { refusal } from '../../store/shared/refuse.js'
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

  /** Deployed by an owner on another machine; another process's clock says that it has been silent for long. */
  const abroad = async () => {
    const base = memoryStore()
    let isCut = false
    const putRecord: Store['putRecord'] = async (workspace, record) => {
      if (isCut) throw refusal('unavailable', 'the line is cut')
      const body = { ...(record.body as Agent), owner: { host: 'elsewhere', pid: 1, identity: null } }
      return base.putRecord(workspace, record.kind.startsWith('task-agent/') ? { ...record, body } : record)
    }
    const { tasks, task } = await crew('sleep 1000', { store: { ...base, putRecord } })
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await eventually(async () => (await tasks.agent(agent.id))?.pid)
    const later = () => new Date(Date.now() + 3_600_000).toISOString()
    const other = openTasks({ store: base, workspace: 'w', env: { now: later }, limits: { graceMs: 200, beatMs: 300 } })
    const cut = (): void => {
      isCut = true
    }
    return { base, tasks, task, agent, ended, other, cut }
  }

  test('whose owner died is found again and ended', async () => {
    const { tasks, agent, other, cut } = await abroad()
    cut()
    expect(await other.recover()).toBe(1)
    expect(await other.agent(agent.id)).toMatchObject({ state: 'failed', exit: { error: { code: 'lost' } } })
    await tasks.close()
    expect(strays(agent.id)).toEqual([])
  })

  test('whose owner says a word is not lost, whatever the clocks say (issue 21)', async () => {
    const { agent, other } = await abroad()
    expect(await other.recover()).toBe(0)
    expect(await other.agent(agent.id)).toMatchObject({ state: 'running' })
  })

  test('ends its process when it was taken for dead, and the record stays as it is (issue 21)', async () => {
    const { base, task, agent, ended } = await abroad()
    const endedAt = '2026-01-02T03:04:05.000Z'
    const exit = { code: null, signal: null, error: { code: 'lost', message: 'gone' }, result: null }
    await eventually(async () => {
      const known = await base.getRecord('w', kinds.agent(task.id), agent.id)
      const body = { ...(known?.body as Agent), state: 'failed', exit, endedAt }
      const put = { kind: kinds.agent(task.id), id: agent.id, body, at: endedAt, expect: known?.revision ?? 0 }
      return base.putRecord('w', put).catch(() => null)
    })
    expect(await ended).toMatchObject({ state: 'failed', exit, endedAt })
    expect(strays(agent.id)).toEqual([])
  })

  test('and waits for a place is killed at once, and lives while it waits (issue 21)', async () => {
    const { tasks, task, store } = await crew('sleep 1000', { limits: { agentsAtOnce: 1, beatMs: 20, graceMs: 200 } })
    const first = await tasks.deploy(task.id, { runner: 'agent' })
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await eventually(async () => (await tasks.agent(agent.id))?.seenAt !== agent.seenAt)
    expect(await tasks.kill(agent.id)).toMatchObject({ state: 'killed', startedAt: null })
    expect(await ended).toMatchObject({ state: 'killed' })
    expect(await openTasks({ store, workspace: 'w' }).agent(first.agent.id)).toMatchObject({ endedAt: null })
    await tasks.kill(first.agent.id)
  })
})

describe('a process that dies between two writes', () => {
  /** Tasks whose store takes so many more writes of records, and no other ever after. */
  const dying = async (writes: number) => {
    const base = memoryStore()
    const { task } = await openTasks({ store: base, workspace: 'w' }).register({ description: 'x' })
    let left = writes
    const putRecord: Store['putRecord'] = (workspace, record) =>
      left-- > 0 ? base.putRecord(workspace, record) : Promise.reject(new Error('the process is dead'))
    return { base, task, tasks: openTasks({ store: { ...base, putRecord }, workspace: 'w' }) }
  }

  test('does as its entry says, or nothing: the next one counts it (issue 21)', async () => {
    const { base, task, tasks } = await dying(1)
    await expect(tasks.progress(task.id, { status: 'working', message: 'half done' })).rejects.toThrow('dead')
    const next = openTasks({ store: base, workspace: 'w' })
    await next.finding(task.id, { kind: 'issue', message: 'found' })
    expect(await next.get(task.id)).toMatchObject({ state: 'active', counts: { progress: 1, findings: 1 } })
    const { items } = await next.timeline(task.id, { limit: 10 })
    expect(items.map(({ type, number }) => [type, number])).toEqual([
      ['finding', 3],
      ['progress', 2],
      ['state', 1],
    ])
    expect(Object.keys(items[0] ?? {})).not.toContain('makes')
  })

  test('leaves no end that is told and is none (issue 21)', async () => {
    const { base, task, tasks } = await dying(3)
    await tasks.move(task.id, { to: 'active' })
    await expect(tasks.move(task.id, { to: 'completed', result: 7 })).rejects.toThrow('dead')
    const next = openTasks({ store: base, workspace: 'w' })
    await next.recover()
    expect(await next.get(task.id)).toMatchObject({ state: 'completed', result: 7 })
  })

  test('leaves no task at work on which nobody works (issue 21)', async () => {
    for (const writes of [1, 2, 3]) {
      const { base, task, tasks } = await dying(writes)
      await tasks.deploy(task.id, { runner: 'claude' }).catch(() => null)
      // its process is gone
      for (const { id, body, revision } of (await base.records('w', { kind: kinds.agent(task.id), limit: 10 })).items) {
        const dead = { ...(body as Agent), owner: { host: 'elsewhere', pid: 1, identity: null } }
        await base.putRecord('w', { kind: kinds.agent(task.id), id, body: dead, at: '', expect: revision })
      }
      const now = () => new Date(Date.now() + 3_600_000).toISOString()
      const next = openTasks({ store: base, workspace: 'w', env: { now }, limits: { beatMs: 10 } })
      await next.recover()
      const agents = await next.agents(task.id)
      expect(agents.map(({ endedAt }) => endedAt === null)).toEqual([false])
      expect((await next.get(task.id))?.state).not.toBe('active')
      await tasks.close()
    }
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
