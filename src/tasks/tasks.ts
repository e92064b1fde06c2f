/** The object people hold: the tasks of a workspace on a store, and the agents of this process. */
import type { Policy } from '../core/policy/schema.js'
import type { Env } from '../engine/window/entries.js'
import { envOf } from '../engine/writing.js'
import type { Models } from '../models/wire/contract.js'
import type { Store } from '../store/contract/store.js'
import { agentOf, openCrew, taskIdOf } from './agents/crew.js'
import { agentOutput } from './agents/output.js'
import { buriedIfLost, endedSoon, recoverAgents } from './agents/recover.js'
import { taskPage } from './list.js'
import { agentsOf, ancestryOf, detailOf, keptOf, liveOf, statusOf, taskOf } from './look.js'
import { type Briefing, promptOf } from './prompt.js'
import type { Agent, DeployRequest, Runner } from './record/agent.js'
import { bounded } from './record/bounded.js'
import type { HandoffPreset, Task, TaskMove, Tasks } from './record/contract.js'
import { type Board, kinds, read } from './record/desk.js'
import { type TaskLimits, taskLimits } from './record/limits.js'
import { illegalMove, invalid } from './record/refuse.js'
import { isTaskOver, movedTask } from './record/state.js'
import { finding, log, progress, timeline } from './record/timeline.js'
import { register } from './register.js'
import { type Command, commandRunner } from './runners/command.js'
import { commands } from './runners/commands.js'
import { type Roots, workFolder } from './runners/folder.js'
import { modelRunner } from './runners/model.js'

/** On which store, whose, and what agents may do. */
export interface TasksOptions {
  readonly store: Store
  readonly workspace?: string
  /** For the runner `model` and for summaries. */
  readonly models?: Models
  /** Your own runners, or commands, beside the ready-made ones; null takes one of those away. */
  readonly runners?: Readonly<Record<string, Runner | Command | null>>
  /** Folders that agents may work in; left out, any. */
  readonly roots?: Roots
  readonly env?: Partial<Env>
  readonly limits?: Partial<TaskLimits>
  /** How the history of a task is cut whose creator names no preset; specification 0's `handoff-user-first` when left out. */
  readonly handoff?: HandoffPreset
  /** Presets with settings of their own, as specification 2's constants. */
  readonly policies?: Partial<Readonly<Record<HandoffPreset, Policy>>>
}

/** Hands work to agents, with its history. @example const { task } = await openTasks({ store }).register({ description: 'Fix the login' }) */
export function openTasks(options: TasksOptions): Tasks {
  const { store, workspace = 'default', models = null, roots = 'any' } = options
  const { handoff = 'handoff-user-first', policies = {} } = options
  const [env, limits] = [envOf(options.env), taskLimits(options.limits)]
  const desk: Board = { store, workspace, env, limits, models, handoff, policies }
  const runners = runnersOf(desk, options.runners)
  const crew = openCrew(desk)

  const briefingOf = async (task: Task): Promise<Briefing> => {
    const { context, section, tokens } = await keptOf(desk, task.id)
    return { task, context, section, tokens }
  }

  const kill = async (id: string): Promise<Agent> => endedSoon(desk, await buriedIfLost(desk, await crew.kill(id)))

  return {
    register: (input) => register(desk, input, null),
    async spawn(parent, input) {
      const above = await taskOf(desk, parent)
      if (isTaskOver(above)) throw illegalMove(above.state, 'a parent')
      return register(desk, input, parent)
    },
    get: (task) => detailOf(desk, task),
    list: (query) => taskPage(desk, query),
    status: (task) => statusOf(desk, task),
    async move(task, move) {
      const now = await moveTask(desk, task, move)
      // nobody works on what nobody wants
      if (move.to === 'cancelled') await Promise.all((await agentsOf(desk, task)).map(({ id }) => kill(id)))
      return now
    },

    progress: (task, update) => progress(desk, task, update),
    finding: (task, found) => finding(desk, task, found),
    timeline: (task, query) => timeline(desk, task, query),

    prompt: async (task, request) => promptOf(await briefingOf(await taskOf(desk, task)), request),
    ancestors: (task, { tokens = desk.limits.promptTokens } = {}) => ancestryOf(desk, task, tokens),
    live: (task) => liveOf(desk, task),

    async deploy(id, given) {
      const request = bounded(given, 'deploy', desk.limits) as DeployRequest
      const runner = checked(request, runners)
      const task = await taskOf(desk, id)
      const folder = task.client_cwd === null ? null : await workFolder(task.client_cwd, roots)
      const briefing = await briefingOf(task)
      const own = request.prompt === undefined ? {} : { prompt: request.prompt }
      const prompt = (agent: string) => promptOf(briefing, { ...own, agent })
      return crew.deploy(task, folder, { request, runner, prompt })
    },
    agents: (task) => agentsOf(desk, task),
    agent: async (id) => read(desk, kinds.agent(taskIdOf(id)), id),
    async output(id, query = {}) {
      const agent = await agentOf(desk, id)
      return agentOutput(agent, await crew.prints(agent), query)
    },
    kill,
    recover: () => recoverAgents(desk),
    close: () => crew.close(),
  }
}

async function moveTask(desk: Board, id: string, move: TaskMove): Promise<Task> {
  const { to, note = null } = move
  const result = move.to === 'completed' ? (move.result ?? null) : null
  const { task } = await log(
    desk,
    id,
    ({ state: from }) => ({ type: 'state', agent: null, from, to, note }),
    (now) => ({ ...movedTask(now, to, desk.env.now(), note), result }),
  )
  return task
}

function runnersOf(desk: Board, given: TasksOptions['runners'] = {}): ReadonlyMap<string, Runner> {
  const { models, limits } = desk
  const all = { ...commands, ...(models && { model: modelRunner(models, limits.modelSteps) }), ...given }
  return new Map(
    Object.entries(all).flatMap(([name, one]): [string, Runner][] => {
      if (one === null) return []
      return [[name, 'start' in one ? one : commandRunner(one, limits.graceMs)]]
    }),
  )
}

const longest = 24 * 60 * 60_000

function checked(request: DeployRequest, runners: ReadonlyMap<string, Runner>): Runner {
  const { runner: name, timeoutMs, prompt, model } = request
  const runner = runners.get(name)
  if (!runner) throw wrong('runner', `there is no runner '${name}'; there are ${[...runners.keys()].join(', ')}`)
  if (timeoutMs !== undefined && !(Number.isSafeInteger(timeoutMs) && timeoutMs > 0 && timeoutMs <= longest))
    throw wrong('timeoutMs', 'timeoutMs must be a whole number from 1 to a day')
  if (prompt !== undefined && typeof prompt !== 'string') throw wrong('prompt', 'prompt must be text')
  if (model !== undefined && typeof model !== 'string') throw wrong('model', 'model must be text')
  return runner
}

const wrong = (field: string, message: string): Error => invalid([{ code: 'task.deploy', field, message }])
