import { HistoryError, type Issue } from '../core/message/issue.js'
import { findModel } from '../core/tokens/models.js'
import type { Model, ModelEvent, ModelRequest, Models } from '../models/wire/contract.js'
import type { TaskValidationError } from '../recipes/refusal.js'
import type { Store } from '../store/contract/store.js'
import { memoryStore } from '../store/memory/store.js'
import type { TaskInput } from './record/input.js'
import type { Command } from './runners/command.js'
import { openTasks, type TasksOptions } from './tasks.js'

export const now = '2026-01-02T03:04:05.000Z'

/** Tasks on a store in memory, with a clock that stands still and ids that count. */
export function stage(more: Partial<TasksOptions> & { readonly store?: Store } = {}) {
  const store = more.store ?? memoryStore()
  let count = 0
  const env = { now: () => now, id: () => String(++count) }
  return { store, tasks: openTasks({ workspace: 'w', env, ...more, store }) }
}

/** Tasks with the clock of the machine, for agents that take their time. */
export const liveStage = (more: Partial<TasksOptions> = {}) =>
  stage({ ...more, env: {}, limits: { graceMs: 300, beatMs: 50, ...more.limits } })

export const sh = (script: string, more: Partial<Command> = {}): Command => ({
  command: 'sh',
  args: ['-c', script],
  ...more,
})

/** The error of something that is refused; fails when it is not. */
export async function refusedBy(act: Promise<unknown>): Promise<TaskValidationError> {
  const value = await act.catch((error: unknown) => {
    if (HistoryError.is(error)) return error
    throw error
  })
  if (HistoryError.is(value)) return value as TaskValidationError
  throw new Error(`nothing was refused: ${JSON.stringify(value)?.slice(0, 200)}`)
}

export const codes = (issues: readonly Issue[]): string[] => issues.map(({ code }) => code)

export type Script = (request: ModelRequest, call: number) => AsyncIterable<ModelEvent>

export const finish: ModelEvent = { type: 'finish', reason: 'stop', usage: null }

export const saying = (text: string): Script =>
  async function* () {
    yield { type: 'text', text }
    yield finish
  }

/** Models of which there is one, that does as the script says. */
export function scripted(script: Script, requests: ModelRequest[] = []): Models {
  const model: Model = {
    id: 'test/scripted',
    label: 'scripted',
    kind: 'local',
    facts: { ...findModel('gpt-4o'), id: 'test/scripted' },
    target: 'openai-chat',
    stream(request) {
      requests.push(request)
      return script(request, requests.length - 1)
    },
  }
  return { usual: model.id, list: async () => [], find: async () => model }
}

export const user = (content: string) => ({ role: 'user', content, timestamp: now })
export const assistant = (content: string) => ({ role: 'assistant', content, timestamp: now })

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Registers tasks about one matter and reads their prompts. */
export const talk = (input: Partial<TaskInput>, models?: Script, requests: ModelRequest[] = []) => {
  const { tasks, store } = stage(models ? { models: scripted(models, requests) } : {})
  const made = async (more: Partial<TaskInput> = {}) => {
    const registered = await tasks.register({ description: 'Add JWT tokens to the login page', ...input, ...more })
    return { ...registered, ...(await tasks.prompt(registered.task.id)), requests }
  }
  return { tasks, store, made }
}
