/** Tasks, agents and what happens to them, in the words of the tools. */
import type { z } from 'zod'
import type { issueSchema } from '../../operations/shapes/common.js'
import {
  type agentShape,
  agentToWire,
  type eventShape,
  eventToWire,
  type taskShape,
  taskToWire,
} from '../../operations/shapes/task.js'
import type { Agent } from '../../tasks/record/agent.js'
import type { Task, TimelineEntry } from '../../tasks/record/contract.js'
import { clipText, sized } from '../kit/room.js'

type IssueWire = z.output<typeof issueSchema>

export const briefIssue = (issue: IssueWire): IssueWire => ({
  ...issue,
  message: clipText(issue.message, 1_000).text,
  ...('value' in issue && { value: sized(issue.value, 500) }),
})

type TaskWire = z.output<typeof taskShape>
type AgentWire = z.output<typeof agentShape>
type EventWire = z.output<typeof eventShape>

/** What an answer has room for. */
export const briefTask = (task: TaskWire): TaskWire => ({
  ...task,
  description: clipText(task.description, 2_000).text,
  result: sized(task.result, 4_000),
})

export const briefAgent = (agent: AgentWire): AgentWire => ({
  ...agent,
  exit: agent.exit && { ...agent.exit, result: agent.exit.result && clipText(agent.exit.result, 2_000).text },
})

/** `most`: bytes of a message and of data. */
export const briefEvent = (event: EventWire, most = 2_000): EventWire => ({
  ...event,
  ...(typeof event.message === 'string' && { message: clipText(event.message, most).text }),
  ...('data' in event && { data: sized(event.data, most) }),
})

export const taskWire = (task: Task): TaskWire => briefTask(taskToWire(task))
export const agentWire = (agent: Agent): AgentWire => briefAgent(agentToWire(agent))
export const eventWire = (entry: TimelineEntry, most?: number): EventWire => briefEvent(eventToWire(entry), most)

/** One line for people and models. */
export function eventLine(event: EventWire): string {
  const { number, at, agent_id, type, from, to, note, state, status, percent, severity, finding_type } = event
  const head = `[${number}] ${at}${agent_id === null ? '' : ` ${agent_id}`}`
  if (type === 'state') return `${head} task ${from === null ? '' : `${from} → `}${to}${note ? `: ${note}` : ''}`
  if (type === 'agent') return `${head} ${state}`
  const message = clipText(String(event.message), 2_000).text
  if (type === 'progress') return `${head} ${status}${percent === null ? '' : ` ${percent} %`}: ${message}`
  return `${head} ${severity} ${finding_type}: ${message}`
}
