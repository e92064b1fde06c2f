/** An agent's end, and what it means for its task: when all its agents have ended, it is completed or failed. */
import { HistoryError } from '../../core/message/issue.js'
import type { Agent } from '../record/agent.js'
import type { Task, TimelineEntry } from '../record/contract.js'
import { type Board, change, kinds, read, shelf } from '../record/desk.js'
import { illegalMove } from '../record/refuse.js'
import { movedTask } from '../record/state.js'
import { log, type TaskRecord } from '../record/timeline.js'

export const keep = (desk: Board, id: string, task: string, make: (agent: Agent) => Agent): Promise<Agent> =>
  change<Agent>(desk, { kind: kinds.agent(task), id, field: 'agent' }, make)

type Parting = Pick<Agent, 'state' | 'exit'> & Partial<Pick<Agent, 'outputBytes'>>

export type Insist = <T>(work: () => Promise<T>) => Promise<T>

/** It may work another time. */
export const isPassing = (error: unknown): boolean =>
  HistoryError.is(error) && ['unavailable', 'busy', 'record_moved'].includes(error.code)

/** Who has ended stays as they ended, whoever comes later. */
export async function endAgent(desk: Board, id: string, task: string, parting: Parting): Promise<Agent> {
  const endedAt = desk.env.now()
  const ended = await keep(desk, id, task, (known) =>
    known.endedAt === null ? { ...known, ...parting, endedAt, seenAt: endedAt } : known,
  )
  await log(desk, task, { type: 'agent', agent: id, state: ended.state }, undefined, tellsEnd(id))
  await conclude(desk, task)
  return ended
}

const tellsEnd =
  (id: string) =>
  (entry: TimelineEntry): boolean =>
    entry.type === 'agent' && entry.agent === id && entry.state !== 'queued' && entry.state !== 'running'

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
  const over = (now: Task): Task => {
    // someone was faster, or another agent has begun
    if (now.state !== 'active' || now.counts.agents > record.task.counts.agents) throw illegalMove(now.state, to)
    return { ...movedTask(now, to, desk.env.now(), note), result: last.exit?.result ?? null, endedBy: 'agents' }
  }
  try {
    await log(desk, id, ({ state: from }) => ({ type: 'state', agent: last.id, from, to, note }), over)
  } catch (error) {
    if (!HistoryError.is(error) || error.code !== 'illegal_move') throw error
  }
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
