import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { freshFiles } from '../store/sqlite/file.fixture.js'
import { sqliteStore } from '../store/sqlite/store.js'
import { identityOf, isRunning, strays } from './runners/group.js'
import { openTasks } from './tasks.js'

const file = freshFiles()
// inside the repository, so that it finds the packages
const script = join(import.meta.dirname, `../../node_modules/.cache/throughline/tasks-${randomUUID()}.mjs`)
const entryPoints = [join(import.meta.dirname, 'worker.fixture.ts')]
buildSync({ entryPoints, outfile: script, bundle: true, platform: 'node', format: 'esm', packages: 'external' })
afterAll(() => rmSync(script, { force: true }))

function start(...words: string[]) {
  const child = spawn(process.execPath, ['--no-warnings', script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve))
  const ended = new Promise<unknown>((resolve) => child.once('close', (code, signal) => resolve(signal ?? code)))
  return { child, ended, said: said.then((text) => text.trim()) }
}

const gone = async (agent: string): Promise<boolean> => {
  for (let tries = 0; tries < 100 && strays(agent).length > 0; tries++) await wait(20)
  return strays(agent).length === 0
}

describe('two processes on one file', () => {
  test('see the same tasks, and neither loses what the other reports', async () => {
    const path = file()
    const store = await sqliteStore(path)
    const tasks = openTasks({ store, workspace: 'w' })
    const { task } = await tasks.register({ description: 'shared' })
    const workers = ['one', 'two'].map((name) => start(path, 'report', task.id, name, '20'))
    const made = await Promise.all(workers.map(({ said }) => said))
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0])
    const ids = (await tasks.list({ limit: 10, text: 'made' })).items.map(({ id }) => id)
    expect(ids.sort()).toEqual(made.sort())
    const { items } = await tasks.timeline(task.id, { limit: 100 })
    expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 41 }, (_, at) => 41 - at))
    expect((await tasks.status(task.id)).task).toMatchObject({ state: 'active', counts: { findings: 40 } })
    await store.close()
  })
})

describe('a process that ends', () => {
  test('takes its agents with it', async () => {
    const { said, ended } = start(file(), 'deploy', 'exit')
    const agent = await said
    expect(await ended).toBe(0)
    expect(await gone(agent)).toBe(true)
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('by %s ends so, and its agents too', async (signal) => {
    const { child, said, ended } = start(file(), 'deploy', 'stay')
    const agent = await said
    expect(strays(agent).length).toBeGreaterThan(0)
    child.kill(signal)
    expect(await ended).toBe(signal)
    expect(await gone(agent)).toBe(true)
  })
})

describe('a process that is killed leaves agents behind (B6)', () => {
  const left = async (runner: string) => {
    const path = file()
    const { child, said, ended } = start(path, 'deploy', 'stay', runner)
    const id = await said
    child.kill('SIGKILL')
    await ended
    const store = await sqliteStore(path)
    const tasks = openTasks({ store, workspace: 'w', limits: { graceMs: 500 } })
    const agent = await tasks.agent(id)
    if (!agent?.pid || !agent.identity) throw new Error('the agent was not started')
    expect(isRunning(agent.pid, agent.identity)).toBe(true)
    return { store, tasks, agent, lives: () => isRunning(agent.pid as number, agent.identity as string) }
  }

  test.each(['agent', 'bare'])('%s: whoever comes next can kill them at once, and it is true', async (runner) => {
    const { store, tasks, agent, lives } = await left(runner)
    expect(await tasks.kill(agent.id)).toMatchObject({ state: 'killed', exit: { error: { code: 'lost' } } })
    expect(lives()).toBe(false)
    expect(strays(agent.id)).toEqual([])
    await store.close()
  })

  test('the next start ends them without being asked, and does not wait until they are silent for long', async () => {
    const { store, tasks, agent, lives } = await left('bare')
    expect(await tasks.recover()).toBe(1)
    expect(lives()).toBe(false)
    expect(await tasks.agent(agent.id)).toMatchObject({ state: 'failed' })
    await store.close()
  })

  test('a process with the same number that began at another time is not theirs', () => {
    const own = identityOf(process.pid) as string
    expect(isRunning(process.pid, own)).toBe(true)
    expect(isRunning(process.pid, own.replace(/\d+$/, '1'))).toBe(false)
    expect(isRunning(process.pid, 'another machine 1')).toBeNull()
  })
})
