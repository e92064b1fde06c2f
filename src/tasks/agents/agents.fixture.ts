import { setTimeout as wait } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { Agent } from '../record/agent.js'
import { liveStage, sh, user } from '../tasks.fixture.js'
import type { TasksOptions } from '../tasks.js'

const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((tasks) => tasks.close())))

export const crew = async (script: string, more: Partial<TasksOptions> = {}, client_cwd: string | null = null) => {
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

export const eventually = async (check: () => unknown): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await check()) return
    await wait(20)
  }
  throw new Error('it never happened')
}
