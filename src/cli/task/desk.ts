/** The tasks of a workspace, on the database of the service. */
import { lazyModels } from '../../models/lazy.js'
import type { OperationContext } from '../../operations/context.js'
import { all, paged } from '../../store/shared/page.js'
import type { Agent } from '../../tasks/record/agent.js'
import type { Task, Tasks } from '../../tasks/record/contract.js'
import { openTasks, type TasksOptions } from '../../tasks/tasks.js'
import { theOne } from '../history/find.js'
import { agentSettings } from '../kit/agents.js'
import type { Cli } from '../kit/desk.js'
import { misused, notFound } from '../kit/failure.js'
import { modelsOf } from '../kit/models.js'
import { short } from '../kit/term.js'

/** What operations on tasks work with; models are only looked for when one is needed. */
export const openTasksAt =
  (own: TasksOptions['runners'] = {}) =>
  async (desk: Cli): Promise<Pick<OperationContext, 'tasksOf' | 'runner'>> => {
    const { store, workspace, settled } = desk
    const { runner, runners, ...agents } = agentSettings(settled.config, 'owner')
    const models = lazyModels(() => modelsOf(desk), settled.config.model ?? '')
    const tasks = openTasks({ store, workspace, ...agents, runners: { ...runners, ...own }, models })
    return { tasksOf: () => tasks, runner }
  }

/** A whole id, a beginning that only one has (with or without `task_`), or `@last`. */
export async function findTask(tasks: Tasks, name: string | undefined): Promise<Task> {
  if (name === undefined) throw misused('the ID of a task is needed', 'throughline task list has them')
  if (name === '@last') {
    const [newest] = (await tasks.list({ limit: 1 })).items
    if (newest) return newest
    throw notFound('there is no task yet', 'throughline task create registers one')
  }
  const exact = await tasks.get(name)
  if (exact) return exact
  const some = await all(paged((from) => tasks.list({ limit: 200, ...from })))
  const matches = some.filter(({ id }) => id.startsWith(name) || id.startsWith(`task_${name}`))
  return theOne(matches, `task ${name}`, ({ id, description }) => `${id}  ${short(description, 50)}`)
}

/** An agent by its id, or the newest of a task. */
export async function findAgent(tasks: Tasks, name: string | undefined): Promise<Agent> {
  const [, task, number] = /^(.+)\.(\d+)$/.exec(name ?? '') ?? []
  const { id } = await findTask(tasks, task ?? name)
  const agents = await tasks.agents(id)
  const found = number === undefined ? agents.at(-1) : agents.find((one) => one.id === `${id}.${number}`)
  if (!found) throw notFound(number === undefined ? `${id} has no agents yet` : `there is no agent ${name}`)
  return found
}
