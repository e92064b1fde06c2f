/** Tasks: work handed to agents, with the conversation that led to it, and what they report. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import type { ProgressUpdate, TaskQuery, Tasks } from '../tasks/record/contract.js'
import type { TaskInput } from '../tasks/record/input.js'
import type { OperationContext } from './context.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { id, pageSchema, paging } from './shapes/common.js'
import {
  agentShape,
  agentToWire,
  createdTask,
  createdToWire,
  eventShape,
  eventToWire,
  task_id,
  taskParameters,
  taskShape,
  taskToWire,
} from './shapes/task.js'

const owned = { task_id: 'task' } as const
const states = ['registered', 'active', 'blocked', 'completed', 'failed', 'cancelled'] as const

export const createTask = operation({
  name: 'tasks.create',
  summary: 'Register a task together with the conversation that led to it',
  detail: 'Every agent that is deployed on it knows why it exists and what the user wants.',
  scope: 'write',
  input: z.strictObject({ ...taskParameters, parent_task_id: id.optional().describe('The task it is a part of') }),
  // what is wrong with a task is told where tasks are registered, by specification 0's own words
  accepts: z.looseObject({ parent_task_id: id.optional() }),
  output: createdTask,
  refusals: ['invalid', 'not_found', 'too_large', 'unavailable'],
  example: { description: 'Find out why the import is slow' },
  run: async (context, { parent_task_id: parent, ...given }) => {
    const [tasks, input] = [tasksIn(context), defined<TaskInput>(given)]
    return createdToWire(await (parent === undefined ? tasks.register(input) : tasks.spawn(parent, input)))
  },
})

export const listTasks = operation({
  name: 'tasks.list',
  summary: 'The tasks, newest first',
  scope: 'read',
  input: z.strictObject({
    ...paging,
    state: z.enum(states).optional(),
    priority: taskParameters.priority.unwrap().unwrap().optional(),
    parent_task_id: id.optional(),
    q: z.string().min(1).max(500).optional().describe('Words of the description or of a finding'),
  }),
  output: pageSchema(taskShape),
  refusals: ['invalid', 'unavailable'],
  run: async (context, { parent_task_id: parent, q: text, ...query }) => {
    const { items, cursor } = await tasksIn(context).list(defined<TaskQuery>({ ...query, parent, text }))
    return { items: items.map(taskToWire), next_cursor: cursor }
  },
})

export const taskParts = ['context', 'prompt', 'ancestors', 'live'] as const

export const getTask = operation({
  name: 'tasks.get',
  summary: 'Where a task is, who works on it, and what they found',
  scope: 'read',
  owned,
  input: z.strictObject({
    task_id,
    include: z
      .union([z.array(z.enum(taskParts)).max(taskParts.length), z.enum(taskParts)])
      .optional()
      .describe('More about it: its context, the prompt of its agents, the histories above it, its conversation now'),
  }),
  output: z.object({
    task: taskShape,
    agents: z.array(agentShape),
    agent_states: z.record(z.string(), z.int()),
    finding_severities: z.record(z.string(), z.int()),
    children: z.int(),
    recent: z.array(eventShape).describe('The newest first'),
    context: z.unknown().optional().describe('task_context as it is stored'),
    prompt: z.object({ text: z.string(), tokens: z.int(), excess: z.int() }).optional(),
    ancestors: z.object({ text: z.string(), tokens: z.int() }).optional(),
    live: z.object({ moved: z.boolean(), text: z.string() }).nullable().optional(),
  }),
  refusals: ['unavailable'],
  run: async (context, { task_id, include = [] }) => {
    const tasks = tasksIn(context)
    const { task, agents, states, severities, children, recent } = await tasks.status(task_id)
    const more = await Promise.all([...new Set([include].flat())].map((part) => partOf(tasks, task_id, part)))
    return {
      task: taskToWire(task),
      agents: agents.map(agentToWire),
      agent_states: defined<Record<string, number>>(states),
      finding_severities: defined<Record<string, number>>(severities),
      children,
      recent: recent.map(eventToWire),
      ...(Object.assign({}, ...more) as Partial<TaskParts>),
    }
  },
})

interface TaskParts {
  readonly context: unknown
  readonly prompt: { readonly text: string; readonly tokens: number; readonly excess: number }
  readonly ancestors: { readonly text: string; readonly tokens: number }
  readonly live: { readonly moved: boolean; readonly text: string } | null
}

async function partOf(tasks: Tasks, id: string, part: (typeof taskParts)[number]): Promise<Partial<TaskParts>> {
  if (part === 'prompt') {
    const { text, tokens, excess } = await tasks.prompt(id)
    return { prompt: { text, tokens, excess } }
  }
  if (part === 'ancestors') {
    const { text, tokens } = await tasks.ancestors(id, { tokens: 4_000 })
    return { ancestors: { text, tokens } }
  }
  if (part === 'live') {
    const live = await tasks.live(id)
    return { live: live && { moved: live.moved, text: live.section } }
  }
  const detail = await tasks.get(id)
  if (!detail) throw notFound('task_id', id)
  return { context: detail.task_context }
}

const reporter = id.describe('Who reports; any name for agents from elsewhere')
const reported = z.object({ entry: eventShape, task_status: z.string() })

export const reportProgress = operation({
  name: 'progress.report',
  summary: 'Report how far an agent is, and move the task if that says so',
  scope: 'write',
  owned,
  input: z.strictObject({
    task_id,
    agent_id: reporter,
    status: z.string().describe('working, blocked, completed, … in one word'),
    message: z.string(),
    progress: z.number().default(0).describe('Per cent, 0 to 100'),
    task_state: z.enum(['active', 'blocked', 'completed', 'failed', 'cancelled']).optional(),
    result: z.unknown().optional().describe('What came out, with task_state: completed'),
  }),
  output: reported,
  refusals: ['invalid', 'illegal_move', 'too_large', 'record_moved', 'unavailable'],
  example: { agent_id: 'outside', status: 'working', message: 'Reading the logs', progress: 10 },
  run: async (context, { task_id, agent_id, status, message, progress, task_state: to, result }) => {
    const tasks = tasksIn(context)
    const update: ProgressUpdate = { agent: agent_id, status, message, percent: progress }
    const entry = await tasks.progress(task_id, update)
    if (to !== undefined)
      await tasks.move(task_id, to === 'completed' ? { to, note: message, result } : { to, note: message })
    return { entry: eventToWire(entry), task_status: await stateOf(tasks, task_id) }
  },
})

export const reportFinding = operation({
  name: 'findings.report',
  summary: 'Report something an agent found',
  scope: 'write',
  owned,
  input: z.strictObject({
    task_id,
    agent_id: reporter,
    finding_type: z.string().describe('issue, solution, insight, recommendation, or a word of your own'),
    severity: z.string().default('medium').describe('low, medium, high or critical'),
    message: z.string(),
    data: z.unknown().optional().describe('Anything more, as JSON or a JSON string'),
  }),
  output: reported,
  refusals: ['invalid', 'too_large', 'record_moved', 'unavailable'],
  example: { agent_id: 'outside', finding_type: 'issue', message: 'The index is missing' },
  run: async (context, { task_id, agent_id, finding_type: kind, severity, message, data }) => {
    const tasks = tasksIn(context)
    const found = { agent: agent_id, kind, severity: severity as 'low', message, data: plain(data) }
    const entry = await tasks.finding(task_id, found)
    return { entry: eventToWire(entry), task_status: await stateOf(tasks, task_id) }
  },
})

export const tasksIn = ({ tasksOf, workspace }: OperationContext): Tasks => tasksOf(workspace)

const stateOf = async (tasks: Tasks, task: string): Promise<string> => (await tasks.get(task))?.state ?? 'unknown'

/** Models pass objects as JSON or as a string of JSON. */
function plain(data: unknown): unknown {
  if (typeof data !== 'string' || !/^\s*[[{]/.test(data)) return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}
