/** An agent's end, and what it means for its task: when all its agents have ended, it is completed or failed. */
import type { Agent } from '../record/agent.js'
import { type Board, change, kinds, read, shelf } from '../record/desk.js'
import { movedTask } from '../record/state.js'
import { log, type TaskRecord } from '../record/timeline.js'

export const keep = (desk: Board, id: string, task: string, make: (agent: Agent) => Agent): Promise<Agent> =>
  change<Agent>(desk, { kind: kinds.agent(task), id, field: 'agent' }, make)

export async function endAgent(desk: Board, id: string, task: string, make: (agent: Agent) => Agent): Promise<Agent> {
  const ended = await keep(desk, id, task, make)
  await log(desk, task, { type: 'agent', agent: id, state: ended.state })
  await conclude(desk, task)
  return ended
}

/** The last agent decides. Whoever ends is stored first, so that the last one finds all the others. */
export async function conclude(desk: Board, id: string): Promise<void> {
  const record = await read<TaskRecord>(desk, kinds.task, id)
  if (record?.task.state !== 'active') return
  const agents: Agent[] = []
  for await (const agent of shelf<Agent>(desk, kinds.agent(id))) agents.push(agent)
  const last = lastOf(agents)
  if (!last || agents.some(({ endedAt }) => endedAt === null)) return
  const to = last.state === 'completed' ? 'completed' : 'failed'
  const note = to === 'completed' ? null : reasonOf(last)
  await log(
    desk,
    id,
    ({ state: from }) => ({ type: 'state', agent: last.id, from, to, note }),
    (now) =>
      now.state !== 'active' || now.counts.agents > agents.length
        ? now
        : { ...movedTask(now, to, desk.env.now(), note), result: last.exit?.result ?? null, endedBy: 'agents' },
  )
}

const lastOf = (agents: readonly Agent[]): Agent | undefined =>
  agents.reduce<Agent | undefined>(
    (one, next) => (one && (one.endedAt ?? '') >= (next.endedAt ?? '') ? one : next),
    undefined,
  )

function reasonOf({ exit }: Agent): string {
  if (exit?.error) return `the agent ended: ${exit.error.message}`
  return exit?.signal ? `the agent was ended by ${exit.signal}` : `the agent ended with code ${exit?.code ?? 'unknown'}`
}
