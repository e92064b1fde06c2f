/** Work that is handed over: tasks are registered, agents work on them and report, and someone moves or ends them. */
import { HistoryError } from '../../src/core/message/issue.js'
import type { Store } from '../../src/store/contract/store.js'
import type { Runner } from '../../src/tasks/record/agent.js'
import type { Tasks } from '../../src/tasks/record/contract.js'
import { openTasks } from '../../src/tasks/tasks.js'
import { Broken, type Place } from './laws.js'
import { type Desk, pause, type Server, type World, workspaces } from './world.js'

/** How long the world's agents may go without a word, and how often they say one. */
const limits = { beatMs: 500, lostMs: 6_000, graceMs: 300, agentsAtOnce: 2, agentsPerTask: 6 }

/** The tasks of one server, whose agents are processes of its machine. */
export function tasksFor(store: Store, world: World, server: () => Server): (workspace: string) => Tasks {
  const known = new Map<string, Tasks>()
  return (workspace) => {
    const { env, models } = world
    const runners = { simulated: simulated(world, server) }
    const made = known.get(workspace) ?? openTasks({ store, workspace, env, models, runners, limits })
    known.set(workspace, made)
    return made
  }
}

/** Says a few words, reports, and ends; some never end by themselves, and all end a moment after they are told to. */
function simulated({ roll, chance, handLaws }: World, server: () => Server): Runner {
  return {
    start({ task, agent, prompt, signal, write, progress, finding }) {
      const over = handLaws.begun(server(), { task, agent, prompt })
      const told = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      const work = async (): Promise<void> => {
        for (let steps = roll(4); steps > 0; steps--) {
          await Promise.race([pause(roll(1_500)), told])
          if (signal.aborted) return
          write('out', new TextEncoder().encode(`${agent} step ${steps}\n`))
          const message = `${agent} says ${steps}`
          const said = chance(70) ? progress({ status: 'working', message }) : finding({ kind: 'issue', message })
          await Promise.race([said.then(() => handLaws.reported(task, message)).catch(() => {}), told])
        }
        if (chance(15)) await told
      }
      const ended = work().then(async () => {
        if (signal.aborted) await pause(roll(200))
        over()
        return { code: chance(80) ? 0 : 1, signal: null, error: null, result: null }
      })
      return { pid: null, ended }
    },
  }
}

export function openHand({ roll, chance, pick, servers, go, within, open, handLaws, counts }: World): Desk {
  /** An honest caller is told that the store cannot be reached, or that the task's state does not allow it. */
  const refused =
    (what: string) =>
    (error: unknown): null => {
      const fine = ['unavailable', 'illegal_move', 'too_large', 'record_moved', 'head_moved']
      if (HistoryError.is(error) && fine.includes(error.code)) return null
      throw HistoryError.is(error) ? new Broken(`${what} was told ${error.code}: ${error.message}`) : error
    }
  const tasksOf = (workspace: string, server = pick(servers())): Tasks => server.tasks(workspace)

  const register = async (n: number, { workspace, conversation }: Place): Promise<void> => {
    const parent = chance(20) ? handLaws.anyTask(roll, workspace) : undefined
    const history = chance(50) ? { conversation } : [{ role: 'user', content: `${workspace}-inline-${n}` }]
    for (let attempt = 0; attempt < 3; attempt++) {
      const input = { description: `${workspace}-task-${n}-${attempt}`, conversation_history: history }
      const tasks = tasksOf(workspace)
      const made = await within(parent ? tasks.spawn(parent.id, input) : tasks.register(input)).catch(refused('a task'))
      if (!made) continue
      handLaws.registered(workspace, made.task)
      counts.tasks++
      return
    }
  }

  const act: Desk['act'] = (n, place) => {
    const { workspace } = place
    const task = handLaws.anyTask(roll, workspace)
    const what = task ? roll(100) : 0
    if (what < 25 || !task) return go(register(n, place))
    const { id } = task
    const tasks = tasksOf(workspace)
    if (what < 55) {
      const request = { runner: 'simulated', timeoutMs: 1_000 + roll(14_000) }
      const deployed = within(tasks.deploy(id, request)).catch(refused('a deployment'))
      return go(
        deployed.then((made) => {
          if (!made) return
          handLaws.deployed(made.agent)
          made.ended.then(
            (agent) => handLaws.toldEnd(agent),
            () => {},
          )
        }),
      )
    }
    if (what < 65) {
      const message = `${workspace}-report-${n}`
      const said = chance(50) ? { status: 'working', message } : null
      const report = said ? tasks.progress(id, said) : tasks.finding(id, { kind: 'issue', message })
      return go(
        within(report.catch(refused('a report'))).then((entry) => void (entry && handLaws.reported(id, message))),
      )
    }
    if (what < 75) {
      const to = pick(['active', 'blocked', 'completed', 'failed', 'cancelled'] as const)
      const moved = within(tasks.move(id, { to, note: `${n}` }).catch(refused('a move')), 20_000)
      return go(moved.then((now) => (now ? handLaws.moved(now, to) : undefined)))
    }
    if (what < 87) {
      const agent = handLaws.anyAgent(roll, id)
      if (!agent) return
      const killed = within(tasks.kill(agent).catch(refused('a kill')), 20_000)
      return go(killed.then((now) => void (now?.endedAt && handLaws.toldEnd(now))))
    }
    go(look(task.workspace, id))
  }

  /** What one workspace has another does not see; and every agent of a task is told the same. */
  const look = async (workspace: string, id: string): Promise<void> => {
    const other = workspaces.find((one) => one !== workspace) as string
    const passing = refused('a look')
    if (await within(tasksOf(other).get(id)).catch(passing)) throw new Broken(`${other} sees ${id} of ${workspace}`)
    const list = await within(tasksOf(other).list({ limit: 100 })).catch(passing)
    if (list?.items.some(({ description }) => !description.startsWith(`${other}-`)))
      throw new Broken(`${other} sees tasks of ${workspace}`)
    const prompt = await within(tasksOf(workspace).prompt(id)).catch(passing)
    if (prompt) handLaws.prompted(id, prompt.text, prompt.history)
  }

  return {
    act,
    look: async () => handLaws.look(),
    recover: async (server) => {
      for (const workspace of workspaces) await server.tasks(workspace).recover().catch(refused('a recovery'))
    },
    isBusy: handLaws.isBusy,
    atRest: () => handLaws.atRest((workspace) => open().tasks(workspace)),
  }
}
