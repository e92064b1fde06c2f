/** `create_real_task`: work to hand over, with the conversation that led to it. */
import { z } from 'zod'
import type { Registered } from '../../tasks/contract.js'
import type { TaskInput } from '../../tasks/input.js'
import { fit } from '../room.js'
import { type Told, tool } from '../tool.js'
import { uris } from '../uris.js'
import { warningOf, warningShape } from './shapes.js'

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
      z.string(),
    ])
    .nullish()
    .describe('Only one branch, or only turns that score at least so much against the description'),
  tokens: z.int().min(500).optional().describe('Tokens of the prompt that all agents get'),
}

export const created = {
  success: z.literal(true),
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
    .describe('What became of the messages; receipt_explain tells why'),
  warnings: z.array(warningShape),
}

export const createTask = tool({
  name: 'create_real_task',
  title: 'Create a task',
  description:
    'Registers a task together with the conversation that led to it, so that every agent deployed on it knows why it exists and what the user wants. Lists and objects may be JSON or a JSON string.',
  scope: 'write',
  hints: {},
  input: z.strictObject(taskParameters),
  accepts: z.looseObject({}),
  output: z.object(created),
  run: async (input, { tasks }) => toldOf(await tasks.register(input as unknown as TaskInput)),
})

function toldOf(registered: Registered): Told {
  const data = dataOf(registered)
  const { task_id, conversation_messages_count: count, history, warnings } = data
  const cut =
    history && history.clipped + history.dropped > 0 ? ` (${history.clipped} cut, ${history.dropped} left out)` : ''
  return {
    data,
    text: [
      `Task ${task_id} is registered (${data.priority}) with ${count} messages of history${cut}.`,
      ...warnings.map(({ message }) => `Warning: ${message}`),
      `Next: deploy_headless_agent with task_id ${task_id}.`,
    ].join('\n'),
    links: [{ uri: uris.status(task_id), name: 'status' }],
  }
}

export function dataOf({ task, receipt, warnings }: Registered): z.output<z.ZodObject<typeof created>> {
  const { totals } = receipt ?? {}
  return {
    success: true,
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
    warnings: [...fit(warnings.map(warningOf), 8_000).items],
  }
}
