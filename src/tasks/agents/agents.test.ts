import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refusedBy, sh, times } from '../tasks.fixture.js'
import { crew, eventually } from './agents.fixture.js'

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
    expect((await tasks.status(task.id)).task).toMatchObject({ state: 'completed', counts: { agents: 1 } })
  })

  test('that ended leaves a task that is completed or failed, and another one or a word changes it [field report A]', async () => {
    const { tasks, task } = await crew('exit 3')
    const state = async () => (await tasks.status(task.id)).task
    const { ended } = await tasks.deploy(task.id, { runner: 'agent' })
    expect(await state()).toMatchObject({ state: 'active' })
    await ended
    expect(await state()).toMatchObject({ state: 'failed', note: 'the agent ended with code 3' })
    const again = await tasks.deploy(task.id, { runner: 'agent' })
    expect(await state()).toMatchObject({ state: 'active', note: null })
    await again.ended
    expect(await tasks.move(task.id, { to: 'completed', note: 'it was done by hand' })).toMatchObject({
      state: 'completed',
    })
    expect(await refusedBy(tasks.deploy(task.id, { runner: 'agent' }))).toMatchObject({ code: 'illegal_move' })
    const told = (await tasks.timeline(task.id, { limit: 20 })).items.filter(({ type }) => type === 'state')
    expect(told.map(({ agent }) => agent)).toEqual([null, `${task.id}.2`, `${task.id}.1`, null])
  })

  test('of several: the task is over when the last of them is, and ends as that one did', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'throughline-agents-')), 'go')
    const { tasks, task } = await crew(`grep -q quick && exit 1; until [ -e ${file} ]; do sleep 0.02; done`)
    const slow = await tasks.deploy(task.id, { runner: 'agent' })
    const quick = await tasks.deploy(task.id, { runner: 'agent', prompt: 'be quick' })
    expect(await quick.ended).toMatchObject({ state: 'failed' })
    expect((await tasks.status(task.id)).task.state).toBe('active')
    writeFileSync(file, '')
    await slow.ended
    expect((await tasks.status(task.id)).task.state).toBe('completed')
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
