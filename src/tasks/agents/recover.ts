/** Agents whose owner died: what is left of them on this machine is ended, and their records say so. */
import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import type { Agent } from '../record/agent.js'
import type { Task } from '../record/contract.js'
import { type Board, kinds, read, shelf } from '../record/desk.js'
import { isTaskOver } from '../record/state.js'
import type { TaskRecord } from '../record/timeline.js'
import { endGroup, endStrays, isRunning, strays } from '../runners/group.js'
import { conclude, endAgent } from './end.js'

export async function recoverAgents(desk: Board): Promise<number> {
  let lost = 0
  for await (const { task } of shelf<TaskRecord>(desk, kinds.task)) {
    if (!mayHaveAgents(task)) continue
    for await (const agent of shelf<Agent>(desk, kinds.agent(task.id)))
      if (isLost(desk, agent)) {
        await bury(desk, agent)
        lost++
      }
    await conclude(desk, task.id)
  }
  return lost
}

const mayHaveAgents = (task: Task): boolean =>
  task.counts.agents > 0 && (!isTaskOver(task) || task.state === 'cancelled')

/** An agent whose owner is alive is left to it. */
export async function buriedIfLost(desk: Board, agent: Agent): Promise<Agent> {
  return isLost(desk, agent) ? bury(desk, agent) : agent
}

/** Its owner is known to be gone, or has not said a word for too long. */
function isLost({ env, limits }: Board, { endedAt, seenAt, owner }: Agent): boolean {
  if (endedAt !== null) return false
  const isAlive = owner.identity ? isRunning(owner.pid, owner.identity) : null
  return isAlive === null ? Date.parse(env.now()) - Date.parse(seenAt) > limits.lostMs : !isAlive
}

async function bury(desk: Board, agent: Agent): Promise<Agent> {
  const { id, task, asked } = agent
  // what cannot be ended is not said to have ended
  if (!(await endProcesses(desk, agent))) return agent
  const endedAt = desk.env.now()
  const error = { code: 'lost', message: 'the process that ran it is gone' }
  const exit = { code: null, signal: null, error, result: null }
  const state = asked === 'kill' ? 'killed' : 'failed'
  return endAgent(desk, id, task, (known) => (known.endedAt ? known : { ...known, state, exit, endedAt }))
}

/** Ends what is left of an agent on this machine; false when something of it lives on. */
async function endProcesses({ limits }: Board, { id, pid, identity, owner }: Agent): Promise<boolean> {
  if (owner.host !== hostname()) return true
  // the number alone proves nothing: it may belong to another process by now
  const isOurs = pid !== null && ((identity && isRunning(pid, identity)) || strays(id).length > 0)
  const isEnded = isOurs ? await endGroup(pid, limits.graceMs) : true
  return (await endStrays(id)) && isEnded
}

/** Someone else's agent that was asked to end: waits until its owner has said so, for as long as that may take. */
export async function endedSoon(desk: Board, agent: Agent): Promise<Agent> {
  const { beatMs, graceMs } = desk.limits
  let now = agent
  for (let waited = 0; now.endedAt === null && waited < 3 * beatMs + graceMs + 2_000; waited += 50) {
    await wait(50)
    now = await buriedIfLost(desk, (await read<Agent>(desk, kinds.agent(agent.task), agent.id)) ?? now)
  }
  return now
}
