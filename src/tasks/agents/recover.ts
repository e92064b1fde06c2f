/** Agents whose owner died: what is left of them on this machine is ended, and their records say so. */
import { hostname } from 'node:os'
import type { Agent } from '../record/agent.js'
import { type Board, kinds, read, shelf, sleep } from '../record/desk.js'
import { isTaskOver } from '../record/state.js'
import { catchUp, type TaskRecord } from '../record/timeline.js'
import { endGroup, endStrays, isRunning, strays } from '../runners/group.js'
import { conclude, endAgent } from './end.js'

export async function recoverAgents(desk: Board): Promise<number> {
  let lost = 0
  const silent: Agent[] = []
  const open: string[] = []
  for await (const { task, entries } of shelf<TaskRecord>(desk, kinds.task)) {
    // what its writer did not live to count
    if (!isTaskOver(task)) await catchUp(desk, task.id, entries + 1)
    open.push(task.id)
    for await (const agent of shelf<Agent>(desk, kinds.agent(task.id))) {
      const sign = signOf(desk, agent)
      if (sign === 'silent') silent.push(agent)
      if (sign === 'gone' && (await bury(desk, agent)).endedAt !== null) lost++
    }
  }
  for (const agent of await stillSilent(desk, silent)) if ((await bury(desk, agent)).endedAt !== null) lost++
  for (const task of open) await conclude(desk, task)
  return lost
}

/** An agent whose owner is alive is left to it. */
export async function buriedIfLost(desk: Board, agent: Agent): Promise<Agent> {
  const sign = signOf(desk, agent)
  if (sign === 'alive') return agent
  const [lost] = sign === 'gone' ? [agent] : await stillSilent(desk, [agent])
  return lost ? bury(desk, lost) : agent
}

/** Its owner is known to be gone, or seems not to have said a word for long: its clock may be another. */
function signOf({ env, limits }: Board, { endedAt, seenAt, owner }: Agent): 'alive' | 'silent' | 'gone' {
  if (endedAt !== null) return 'alive'
  const isAlive = owner.identity ? isRunning(owner.pid, owner.identity) : null
  if (isAlive !== null) return isAlive ? 'alive' : 'gone'
  return Math.abs(Date.parse(env.now()) - Date.parse(seenAt)) > limits.lostMs ? 'silent' : 'alive'
}

/** A clock may have jumped: who says a word within a few beats is alive, whatever the clocks say. */
async function stillSilent(desk: Board, agents: readonly Agent[]): Promise<Agent[]> {
  if (agents.length === 0) return []
  await sleep(desk.limits.beatMs * beats)
  const now = await Promise.all(agents.map(({ id, task }) => read<Agent>(desk, kinds.agent(task), id)))
  return now.flatMap((agent, at) =>
    agent && agent.endedAt === null && agent.seenAt === agents[at]?.seenAt ? [agent] : [],
  )
}

const beats = 5

async function bury(desk: Board, agent: Agent): Promise<Agent> {
  const { id, task, asked } = agent
  // what cannot be ended is not said to have ended
  if (!(await endProcesses(desk, agent))) return agent
  const error = { code: 'lost', message: 'the process that ran it is gone' }
  const exit = { code: null, signal: null, error, result: null }
  return endAgent(desk, id, task, { state: asked === 'kill' ? 'killed' : 'failed', exit })
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
    await sleep(50)
    now = await buriedIfLost(desk, (await read<Agent>(desk, kinds.agent(agent.task), agent.id)) ?? now)
  }
  return now
}
