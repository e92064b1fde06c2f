/** Tasks, agents and what happens to them, in the words of the tools. */
import { z } from 'zod'
import type { Issue } from '../../core/message/issue.js'
import type { Agent } from '../../tasks/agents/contract.js'
import type { Task, TimelineEntry } from '../../tasks/contract.js'
import { clip, sized } from '../room.js'

export const taskId = z.string().min(1).max(200).describe('As create_real_task gave it')
export const agentId = z.string().min(1).max(200).describe('As deploy_headless_agent gave it')

export const warningShape = z.object({
  code: z.string(),
  message: z.string(),
  field: z.string().optional(),
  severity: z.string().optional(),
  suggestion: z.string().optional(),
})

export const warningOf = ({ code, message, field, severity, suggestion }: Issue): z.output<typeof warningShape> => ({
  code,
  message: clip(message, 1_000).text,
  ...(field === undefined ? null : { field }),
  ...(severity === undefined ? null : { severity }),
  ...(suggestion === undefined ? null : { suggestion }),
})

export const taskShape = z.object({
  task_id: z.string(),
  description: z.string(),
  priority: z.string(),
  status: z.string().describe('registered, active, blocked, completed, failed or cancelled'),
  note: z.string().nullable(),
  client_cwd: z.string().nullable(),
  preset: z.string(),
  parent_task_id: z.string().nullable(),
  has_enhanced_context: z.boolean(),
  conversation_messages_count: z.int(),
  counts: z.object({ agents: z.int(), progress: z.int(), findings: z.int() }),
  result: z.unknown(),
  created_at: z.string(),
  updated_at: z.string(),
})

export const taskOf = (task: Task): z.output<typeof taskShape> => ({
  task_id: task.id,
  description: clip(task.description, 2_000).text,
  priority: task.priority,
  status: task.state,
  note: task.note,
  client_cwd: task.client_cwd,
  preset: task.preset,
  parent_task_id: task.parent,
  has_enhanced_context: task.has_enhanced_context,
  conversation_messages_count: task.conversation_messages_count,
  counts: { ...task.counts },
  result: sized(task.result, 4_000),
  created_at: task.createdAt,
  updated_at: task.updatedAt,
})

export const agentShape = z.object({
  agent_id: z.string(),
  task_id: z.string(),
  runner: z.string(),
  model: z.string().nullable(),
  status: z.string().describe('queued, running, completed, failed, killed or timed_out'),
  pid: z.int().nullable(),
  prompt_tokens: z.int(),
  output_bytes: z.int(),
  exit: z
    .object({
      code: z.int().nullable(),
      signal: z.string().nullable(),
      error: z.string().nullable(),
      result: z.string().nullable(),
    })
    .nullable(),
  deployed_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
})

export const agentOf = (agent: Agent): z.output<typeof agentShape> => ({
  agent_id: agent.id,
  task_id: agent.task,
  runner: agent.runner,
  model: agent.model,
  status: agent.state,
  pid: agent.pid,
  prompt_tokens: agent.promptTokens,
  output_bytes: agent.outputBytes,
  exit: agent.exit && {
    code: agent.exit.code,
    signal: agent.exit.signal,
    error: agent.exit.error?.message ?? null,
    result: agent.exit.result === null ? null : clip(agent.exit.result, 2_000).text,
  },
  deployed_at: agent.deployedAt,
  started_at: agent.startedAt,
  ended_at: agent.endedAt,
})

export const eventShape = z.looseObject({
  number: z.int().describe('The order in which it happened'),
  at: z.string(),
  agent_id: z.string().nullable(),
  type: z.string().describe('state, agent, progress or finding'),
})

/** `most`: bytes of a message and of data. */
export function eventOf(entry: TimelineEntry, most = 2_000): z.output<typeof eventShape> {
  const { number, at, agent, ...rest } = entry
  const event = { number, at, agent_id: agent }
  if (rest.type === 'progress') return { ...event, ...rest, message: clip(rest.message, most).text }
  if (rest.type !== 'finding') return { ...event, ...rest }
  const { type, kind, severity, message, data } = rest
  return { ...event, type, finding_type: kind, severity, message: clip(message, most).text, data: sized(data, most) }
}

/** One line for people and models. */
export function eventLine(entry: TimelineEntry): string {
  const who = entry.agent === null ? '' : ` ${entry.agent}`
  const head = `[${entry.number}] ${entry.at}${who}`
  if (entry.type === 'state')
    return `${head} task ${entry.from === null ? '' : `${entry.from} → `}${entry.to}${entry.note ? `: ${entry.note}` : ''}`
  if (entry.type === 'agent') return `${head} ${entry.state}`
  const message = clip(entry.message, 2_000).text
  if (entry.type === 'progress')
    return `${head} ${entry.status}${entry.percent === null ? '' : ` ${entry.percent} %`}: ${message}`
  return `${head} ${entry.severity} ${entry.kind}: ${message}`
}
