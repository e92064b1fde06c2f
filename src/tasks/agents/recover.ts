/** Agents whose owner died: what is left of them on this machine is ended, and their records say so. */
import { hostname } from 'node:os'
import type { Task } from '../contract.js'
import { type Desk, kinds, shelf } from '../desk.js'
import { endGroup, killStrays, strays } from '../runners/group.js'
import { isOver } from '../state.js'
import { log, type TaskRecord } from '../timeline.js'
import type { Agent } from './contract.js'
import { keep } from './life.js'

export async function recoverAgents(desk: Desk): Promise<number> {
  let lost = 0
  for await (const { task } of shelf<TaskRecord>(desk, kinds.task)) {
    if (!mayHaveAgents(task)) continue
    for await (const agent of shelf<Agent>(desk, kinds.agent(task.id)))
      if (isLost(desk, agent)) {
        await bury(desk, agent)
        lost++
      }
  }
  return lost
}

const mayHaveAgents = (task: Task): boolean => task.counts.agents > 0 && (!isOver(task) || task.state === 'cancelled')

/** An agent whose owner is alive is left to it. */
export async function buriedIfLost(desk: Desk, agent: Agent): Promise<Agent> {
  return isLost(desk, agent) ? bury(desk, agent) : agent
}

function isLost({ env, limits }: Desk, { endedAt, seenAt }: Agent): boolean {
  return endedAt === null && Date.parse(env.now()) - Date.parse(seenAt) > limits.lostMs
}

async function bury(desk: Desk, { id, task, owner, pid }: Agent): Promise<Agent> {
  // the number alone proves nothing: it may belong to another process by now
  const isHere = owner.host === hostname() && pid !== null && strays(id).length > 0
  if (isHere) await endGroup(pid, desk.limits.graceMs)
  if (isHere) killStrays(id)
  const endedAt = desk.env.now()
  const error = { code: 'lost', message: 'the process that ran it is gone' }
  const exit = { code: null, signal: null, error, result: null }
  const gone = await keep(desk, id, task, (known) =>
    known.endedAt ? known : { ...known, state: 'failed', exit, endedAt },
  )
  await log(desk, task, { type: 'agent', agent: id, state: gone.state })
  return gone
}
