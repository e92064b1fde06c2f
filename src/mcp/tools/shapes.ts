/** Tasks, agents and what happens to them, in the words of the tools. */
import { z } from 'zod'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { issueSchema } from '../../operations/shapes/common.js'
import { requestSchema } from '../../operations/shapes/receipt.js'
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
import { clip, sized } from '../kit/room.js'

export const warningShape = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  severity: z.string().optional(),
  suggestion: z.string().optional(),
})

export const warningOf = ({
  code,
  message,
  field,
  severity,
  suggestion,
}: z.output<typeof issueSchema>): z.output<typeof warningShape> => ({
  code,
  message: clip(message, 1_000).text,
  ...(field === undefined ? null : { field }),
  ...(severity === undefined ? null : { severity }),
  ...(suggestion === undefined ? null : { suggestion }),
})

/** The request in numbers, without those of each message. */
export const numbersShape = requestSchema.omit({ each: true })

export function numbersIn({ request: { each: _, ...numbers } }: Receipt): z.output<typeof numbersShape> {
  return numbers
}

type TaskWire = z.output<typeof taskShape>
type AgentWire = z.output<typeof agentShape>
type EventWire = z.output<typeof eventShape>

/** What an answer has room for. */
export const briefTask = (task: TaskWire): TaskWire => ({
  ...task,
  description: clip(task.description, 2_000).text,
  result: sized(task.result, 4_000),
})

export const briefAgent = (agent: AgentWire): AgentWire => ({
  ...agent,
  exit: agent.exit && { ...agent.exit, result: agent.exit.result && clip(agent.exit.result, 2_000).text },
})

/** `most`: bytes of a message and of data. */
export const briefEvent = (event: EventWire, most = 2_000): EventWire => ({
  ...event,
  ...(typeof event.message === 'string' && { message: clip(event.message, most).text }),
  ...('data' in event && { data: sized(event.data, most) }),
})

export const taskOf = (task: Task): TaskWire => briefTask(taskToWire(task))
export const agentOf = (agent: Agent): AgentWire => briefAgent(agentToWire(agent))
export const eventOf = (entry: TimelineEntry, most?: number): EventWire => briefEvent(eventToWire(entry), most)

/** One line for people and models. */
export function eventLine(event: EventWire): string {
  const { number, at, agent_id, type, from, to, note, state, status, percent, severity, finding_type } = event
  const head = `[${number}] ${at}${agent_id === null ? '' : ` ${agent_id}`}`
  if (type === 'state') return `${head} task ${from === null ? '' : `${from} → `}${to}${note ? `: ${note}` : ''}`
  if (type === 'agent') return `${head} ${state}`
  const message = clip(String(event.message), 2_000).text
  if (type === 'progress') return `${head} ${status}${percent === null ? '' : ` ${percent} %`}: ${message}`
  return `${head} ${severity} ${finding_type}: ${message}`
}
