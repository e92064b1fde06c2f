/** Tasks, agents and what happens to them, on the wire. */
import { z } from 'zod'
import type { Agent } from '../../tasks/record/agent.js'
import type { Registered, Task, TimelineEntry } from '../../tasks/record/contract.js'
import { id, issueSchema } from './common.js'

export const task_id = id.describe('The id of a task')
export const agent_id = id.describe('The id of an agent')

const lines = (says: string) =>
  z
    .union([z.array(z.string()), z.string()])
    .nullish()
    .describe(says)

const message = z.looseObject({
  role: z.enum(['user', 'assistant', 'orchestrator']),
  content: z.string(),
  timestamp: z.string().optional().describe('ISO 8601; filled in when missing'),
})

const reference = z.strictObject({ conversation: z.string(), branch: z.string().optional() })

/** The parameters of specification 0, and behind them ours. */
export const taskParameters = {
  description: z.string().describe('What is to be done'),
  priority: z.enum(['P0', 'P1', 'P2', 'P3', 'P4']).default('P2').optional(),
  client_cwd: z.string().nullish().describe('Absolute folder in which the agents work'),
  background_context: z.string().nullish(),
  expected_deliverables: lines('What must come out'),
  success_criteria: lines('When it is done well'),
  constraints: lines('What must not be done'),
  relevant_files: lines('Paths to examine; told to the agents, never opened here'),
  related_documentation: lines('Where to read more'),
  conversation_history: z
    .union([z.array(message), reference, z.string()])
    .nullish()
    .describe(
      'Messages that led to the task, oldest first; or {conversation, branch} kept here; also as a JSON string',
    ),
  preset: z
    .enum(['handoff-balanced', 'handoff-user-first', 'handoff-assistant-first'])
    .optional()
    .describe(
      'How the history is cut; handoff-user-first (user 8,000 chars, others 150) unless the server says otherwise',
    ),
  compress: z.enum(['none', 'extractive', 'model']).optional().describe('What stands for messages that do not fit'),
  model: z.string().optional().describe('The model that summarises, with compress: model'),
  thread: z
    .union([
      z.strictObject({ branch: z.string() }),
      z.strictObject({ relevance: z.number().min(0).max(1) }),
      z.strictObject({ max_relevance_score: z.number().min(0).max(1) }),
      z.string(),
    ])
    .nullish()
    .describe('Only one branch, or only turns that score at least so much against the description'),
  tokens: z.int().min(500).optional().describe('Tokens of the prompt that all agents get'),
}

export const createdTask = z
  .object({
    task_id: z.string(),
    description: z.string(),
    priority: z.string(),
    status: z.string(),
    preset: z.string(),
    has_enhanced_context: z.boolean(),
    conversation_messages_count: z.int().describe('Messages of the history that were handed over'),
    history: z
      .object({ given: z.int(), kept: z.int(), clipped: z.int(), dropped: z.int(), tokens: z.int() })
      .nullable()
      .describe('What became of the messages; the receipt says why'),
    warnings: z.array(issueSchema),
  })
  .meta({ id: 'CreatedTask', description: 'A task as it was registered' })

export function createdToWire({ task, receipt, warnings }: Registered): z.output<typeof createdTask> {
  const { totals } = receipt ?? {}
  return {
    task_id: task.id,
    description: task.description,
    priority: task.priority,
    status: task.state,
    preset: task.preset,
    has_enhanced_context: task.has_enhanced_context,
    conversation_messages_count: task.conversation_messages_count,
    history: totals
      ? {
          given: totals.messages,
          kept: totals.kept,
          clipped: totals.clipped,
          dropped: totals.dropped,
          tokens: totals.tokens.after,
        }
      : null,
    warnings: [...warnings],
  }
}

export const taskShape = z
  .object({
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
  .meta({ id: 'Task', description: 'Work that is handed to agents' })

export const taskToWire = (task: Task): z.output<typeof taskShape> => ({
  task_id: task.id,
  description: task.description,
  priority: task.priority,
  status: task.state,
  note: task.note,
  client_cwd: task.client_cwd,
  preset: task.preset,
  parent_task_id: task.parent,
  has_enhanced_context: task.has_enhanced_context,
  conversation_messages_count: task.conversation_messages_count,
  counts: { ...task.counts },
  result: task.result,
  created_at: task.createdAt,
  updated_at: task.updatedAt,
})

export const agentShape = z
  .object({
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
  .meta({ id: 'Agent', description: 'One run of a runner on a task' })

export const agentToWire = (agent: Agent): z.output<typeof agentShape> => ({
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
    result: agent.exit.result,
  },
  deployed_at: agent.deployedAt,
  started_at: agent.startedAt,
  ended_at: agent.endedAt,
})

export const eventShape = z
  .looseObject({
    number: z.int().describe('The order in which it happened'),
    at: z.string(),
    agent_id: z.string().nullable(),
    type: z.string().describe('state, agent, progress or finding'),
  })
  .meta({ id: 'TaskEvent', description: 'Something that happened to a task' })

export function eventToWire(entry: TimelineEntry): z.output<typeof eventShape> {
  const { number, at, agent, ...rest } = entry
  const event = { number, at, agent_id: agent }
  if (rest.type !== 'finding') return { ...event, ...rest }
  const { type, kind, severity, message, data } = rest
  return { ...event, type, finding_type: kind, severity, message, data }
}
