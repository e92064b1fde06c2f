import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { deep } from '../../../test/runs.js'
import { strays } from '../runners/group.js'
import { liveStage, refusedBy, sh, times, user } from '../tasks.fixture.js'
import { openTasks, type TasksOptions } from '../tasks.js'
import type { Agent } from './contract.js'

const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((tasks) => tasks.close())))

const crew = async (script: string, more: Partial<TasksOptions> = {}, client_cwd: string | null = null) => {
  const staged = liveStage({ runners: { agent: sh(script) }, ...more })
  opened.push(staged.tasks)
  const { task } = await staged.tasks.register({
    description: 'x',
    client_cwd,
    conversation_history: [user('hello there')],
  })
  const run = async (request: object = {}): Promise<Agent> =>
    (await staged.tasks.deploy(task.id, { runner: 'agent', ...request })).ended
  return { ...staged, task, run }
}

const isRunning = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

const eventually = async (check: () => unknown): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await check()) return
    await wait(20)
  }
  throw new Error('it never happened')
}

describe('a command', () => {
  test('reads the prompt with the history on stdin, and what it prints is kept [S0-50]', async () => {
    const { tasks, task, run } = await crew('cat; echo oops >&2')
    const agent = await run({ prompt: 'Look at the tests.' })
    expect(agent).toMatchObject({
      id: `${task.id}.1`,
      state: 'completed',
      exit: { code: 0, signal: null, error: null },
    })
    const { text } = await tasks.output(agent.id)
    expect(text).toBe((await tasks.prompt(task.id, { agent: agent.id, prompt: 'Look at the tests.' })).text)
    expect(text).toContain('hello there')
    expect((await tasks.output(agent.id, { stream: 'err' })).text).toBe('oops\n')
    expect(agent.outputBytes).toBe(Buffer.byteLength(text) + 5)
    expect((await tasks.status(task.id)).task).toMatchObject({ state: 'active', counts: { agents: 1 } })
  })

  test('gets the same history as every other agent of the task, to the byte [S0-50]', async () => {
    const { tasks, task, run } = await crew('cat')
    const agents = await Promise.all([run({ prompt: 'be quick' }), run(), run()])
    const texts = await Promise.all(agents.map(async ({ id }) => (await tasks.output(id)).text))
    const { history } = await tasks.prompt(task.id)
    for (const text of texts) expect(text.split(history)).toHaveLength(2)
    expect(new Set(texts.map((text) => text.slice(0, text.indexOf(history) + history.length))).size).toBe(1)
    expect(agents.map(({ id }) => id).sort()).toEqual(times(3, (at) => `${task.id}.${at + 1}`))
  })

  test('need not read what it is told, however much that is', async () => {
    const { tasks, run } = await crew('exit 3')
    const { task } = await tasks.register({ description: 'x', background_context: 'y'.repeat(1_000_000) })
    expect(await (await tasks.deploy(task.id, { runner: 'agent' })).ended).toMatchObject({
      state: 'failed',
      exit: { code: 3 },
    })
    expect(await run()).toMatchObject({ state: 'failed', exit: { code: 3 } })
  })

  test('that does not exist fails, and says why', async () => {
    const { run } = await crew('', { runners: { agent: { command: '/no/such/thing' } } })
    expect(await run()).toMatchObject({ state: 'failed', pid: null, exit: { error: { code: 'not_started' } } })
  })

  test('sees only the variables it was allowed', async () => {
    process.env.TASK_TEST_SECRET = 'hush'
    process.env.TASK_TEST_KEY = 'open'
    const { tasks, run } = await crew('', { runners: { agent: sh('env', { env: ['TASK_TEST_KEY'] }) } })
    const { id } = await run()
    const { text } = await tasks.output(id)
    expect(text).toContain('TASK_TEST_KEY=open')
    expect(text).toContain(`THROUGHLINE_AGENT=${id}`)
    expect(text).not.toContain('hush')
  })

  test('is told the model in the way it knows, and nothing that is no name', async () => {
    const runner = { command: 'echo', args: ['exec'], model: ['--model', '{model}'] }
    const { tasks, run } = await crew('', { runners: { agent: runner } })
    expect((await tasks.output((await run({ model: 'gpt-5' })).id)).text).toBe('exec --model gpt-5\n')
    expect(await run({ model: '--yolo' })).toMatchObject({ state: 'failed', exit: { error: { code: 'not_started' } } })
  })

  test('waits for a place when enough agents run', async () => {
    const { tasks, task, run } = await crew('sleep 0.2', { limits: { agentsAtOnce: 1 } })
    const both = [run(), run()]
    await eventually(async () => (await tasks.status(task.id)).states.running === 1)
    expect((await tasks.status(task.id)).states).toEqual({ running: 1, queued: 1 })
    expect((await Promise.all(both)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  })

  test('of a task that is over is not started', async () => {
    const { tasks, task, run } = await crew('true')
    await tasks.move(task.id, { to: 'cancelled' })
    expect((await refusedBy(run())).code).toBe('illegal_move')
    expect(await refusedBy(run({ runner: 'nobody' }))).toMatchObject({ field: 'runner' })
    expect(await refusedBy(run({ timeoutMs: 0 }))).toMatchObject({ field: 'timeoutMs' })
  })
})

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
    await eventually(() => strays(agent.id).length > 0)
    // another process whose clock says that the owner has been silent for long
    const later = () => new Date(Date.now() + 3_600_000).toISOString()
    const other = openTasks({ store, workspace: 'w', env: { now: later }, limits: { graceMs: 200 } })
    expect(await other.recover()).toBe(1)
    expect(strays(agent.id)).toEqual([])
  })
})

describe('an agent that prints', () => {
  test('without end costs little memory; its beginning, its end and the count are kept', async () => {
    // a gigabyte takes seconds where others work, too
    const size = (deep ? 1_024 : 256) * 1024 ** 2
    const script = `echo first; head -c ${size} /dev/zero; echo; echo last`
    const { tasks, run } = await crew(script, { limits: { beatMs: 1_000 } })
    // of this thread alone: others work in the same process
    const used = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
    const before = used()
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, used() - before)
    }, 10)
    const agent = await run()
    clearInterval(timer)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThan(100 * 1024 ** 2)
    const { text, total, missing } = await tasks.output(agent.id)
    expect(total).toBe(size + 12)
    expect(missing).toBe(total - (256 + 1024) * 1024)
    expect(text.startsWith('first\n')).toBe(true)
    expect(text.endsWith('\nlast\n')).toBe(true)
    expect(text).toContain(`\n[… ${missing} bytes are not kept …]\n`)
    expect(text.length).toBeLessThan(1_400_000)
  })

  test('is read by lines, by bytes and as JSON, while it runs and after', async () => {
    const { tasks, task, store } = await crew('printf \'{"a":1}\\nplain\\n{"b":2}\\n\'; sleep 0.3; echo end')
    const { agent, ended } = await tasks.deploy(task.id, { runner: 'agent' })
    await eventually(async () => (await tasks.output(agent.id)).next === 22)
    await ended
    // from the store, as another process sees it
    const other = openTasks({ store, workspace: 'w' })
    expect((await other.output(agent.id, { tail: 1 })).text).toBe('end')
    expect((await other.output(agent.id, { head: 2, format: 'lines' })).lines).toEqual(['{"a":1}', 'plain'])
    expect((await other.output(agent.id, { format: 'jsonl' })).values).toEqual([{ a: 1 }, { b: 2 }])
    expect(await other.output(agent.id, { from: 22 })).toMatchObject({ text: 'end\n', next: 26, state: 'completed' })
    expect(await refusedBy(other.output(agent.id, { tail: -1 }))).toMatchObject({ field: 'tail' })
  })
})

describe('the folder of a task', () => {
  const place = () => {
    const root = mkdtempSync(join(tmpdir(), 'hlp-tasks-'))
    mkdirSync(join(root, 'in', 'deep'), { recursive: true })
    mkdirSync(join(root, 'out'))
    writeFileSync(join(root, 'in', 'file'), 'x')
    symlinkSync(join(root, 'out'), join(root, 'in', 'link'))
    return root
  }

  test('is where its agents work', async () => {
    const root = place()
    const { tasks, run } = await crew('pwd', { roots: [join(root, 'in')] }, join(root, 'in', 'deep'))
    const agent = await run()
    expect((await tasks.output(agent.id)).text.trim().endsWith('/in/deep')).toBe(true)
  })

  test.each([
    ['deep', 'must be an absolute path'],
    ['{in}/../out', 'is outside'],
    ['{in}/link', 'is outside'],
    ['{in}/../../../../../../etc', 'is outside'],
    ['/', 'is outside'],
    ['{in}x', 'is outside'],
    ['{in}/nowhere', 'does not exist'],
    ['{in}/file', 'is no folder'],
    ['file:///etc', 'must be an absolute path'],
  ])('%s is told when a task is registered and refused when an agent is deployed', async (path, reason) => {
    const root = place()
    const given = path.replace('{in}', join(root, 'in'))
    const { task, run } = await crew('pwd', { roots: [join(root, 'in')] }, given)
    expect(task.client_cwd).toBe(given)
    expect(await refusedBy(run())).toMatchObject({
      code: 'invalid',
      field: 'client_cwd',
      message: expect.stringContaining(reason),
    })
  })

  test('and the files that matter are only words until then', async () => {
    const { tasks } = liveStage()
    const marker = join(tmpdir(), `hlp-tasks-${process.pid}-never`)
    const { task } = await tasks.register({
      description: 'x',
      client_cwd: `${marker}/\n; touch ${marker}`,
      relevant_files: [`../../${marker}`, '/etc/shadow', 'http://127.0.0.1:1/x'],
    })
    expect((await tasks.prompt(task.id)).text).toContain('/etc/shadow')
    expect(existsSync(marker)).toBe(false)
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
