/** Agents: deployed on a task, read, ended. */
import { z } from 'zod'
import { defined } from '../core/message/defined.js'
import type { Agent, DeployRequest, OutputQuery } from '../tasks/record/agent.js'
import type { Tasks } from '../tasks/record/contract.js'
import type { TaskInput } from '../tasks/record/input.js'
import type { OperationContext } from './context.js'
import { operation } from './operation.js'
import { notFound } from './refusals.js'
import { id } from './shapes/common.js'
import {
  agent_id,
  agentShape,
  agentToWire,
  createdTask,
  createdToWire,
  task_id,
  taskParameters,
} from './shapes/task.js'
import { tasksIn } from './tasks.js'

const owned = { task_id: 'task', agent_id: 'agent' } as const

/** How an agent is started; `agent_type` and `parent` are words for its prompt. */
const deployment = {
  runner: z.string().max(100).optional().describe('claude, codex, gemini, model, … or one of the settings'),
  model: z.string().max(200).optional(),
  timeout_seconds: z.int().min(1).max(86_400).optional(),
}

const agentType = z.string().min(1).max(200).describe('Its part, such as investigator, builder or reviewer')

export const deployAgent = operation({
  name: 'agents.deploy',
  summary: 'Start an agent on a task; it goes on by itself',
  scope: 'write',
  owned: { task_id: 'task' },
  input: z.strictObject({
    task_id,
    agent_type: agentType.optional(),
    prompt: z.string().max(200_000).optional().describe('Words for this agent alone'),
    parent: z.string().max(200).optional().describe('Who deploys it'),
    ...deployment,
  }),
  output: agentShape,
  refusals: ['invalid', 'illegal_move', 'too_large', 'unavailable', 'record_moved'],
  example: { agent_type: 'investigator', prompt: 'Begin with the logs.' },
  run: async (context, { task_id, ...given }) => {
    const { agent } = await tasksIn(context).deploy(task_id, deployRequestOf(given, context))
    return agentToWire(agent)
  },
})

interface Deployment {
  readonly agent_type?: string | undefined
  readonly prompt?: string | undefined
  readonly parent?: string | undefined
  readonly runner?: string | undefined
  readonly model?: string | undefined
  readonly timeout_seconds?: number | undefined
}

function deployRequestOf(given: Deployment, context: Pick<OperationContext, 'runner'>): DeployRequest {
  const { agent_type, prompt, parent, runner = context.runner, model, timeout_seconds: seconds } = given
  const by = parent === undefined ? '' : `, deployed by ${parent}`
  const part = agent_type === undefined ? '' : `YOUR PART: ${agent_type}${by}\n`
  return defined<DeployRequest>({
    runner,
    prompt: part === '' ? prompt : `${part}${prompt ?? ''}`,
    model,
    timeoutMs: seconds === undefined ? undefined : seconds * 1_000,
  })
}

const { background_context, expected_deliverables, constraints, relevant_files, conversation_history } = taskParameters

const spawning = {
  task_id: task_id.describe('The task of the parent'),
  parent_agent_id: id,
  child_agent_type: agentType,
  child_prompt: z.string().min(1).max(30_000).describe('What the child is to do'),
  ...deployment,
}

export const spawnAgent = operation({
  name: 'agents.spawn',
  summary: 'Register a child task and deploy an agent on it',
  detail: 'The child works in the folder of its parent and can read the histories above it: include ancestors.',
  scope: 'write',
  owned: { task_id: 'task' },
  input: z.strictObject({
    ...spawning,
    ...{ background_context, expected_deliverables, constraints, relevant_files, conversation_history },
  }),
  // what becomes the child's context is judged where tasks are registered
  accepts: z.looseObject(spawning),
  output: createdTask.extend({ parent_task_id: id, agent: agentShape }),
  refusals: ['invalid', 'illegal_move', 'too_large', 'unavailable', 'record_moved'],
  example: { parent_agent_id: 'outside', child_agent_type: 'tester', child_prompt: 'Test the import' },
  run: async (context, asked) => {
    const { task_id, parent_agent_id, child_agent_type, child_prompt, runner, model, timeout_seconds, ...given } = asked
    const tasks = tasksIn(context)
    const parent = await tasks.get(task_id)
    if (!parent) throw notFound('task_id', task_id)
    const { client_cwd, priority } = parent
    const input = defined<TaskInput>({ client_cwd, priority, ...given, description: child_prompt })
    const registered = await tasks.spawn(task_id, input)
    const child = registered.task.id
    const prompt = `Ask for the histories above with get_real_task_status, task_id ${child}, include: ancestors.`
    const part = { agent_type: child_agent_type, prompt, parent: parent_agent_id }
    const request = deployRequestOf({ ...part, runner, model, timeout_seconds }, context)
    const { agent } = await tasks.deploy(child, request).catch(async (error: unknown) => {
      // a child that no one works on would wait for ever
      await tasks.move(child, { to: 'cancelled', note: 'its agent could not be deployed' })
      throw error
    })
    return { ...createdToWire(registered), parent_task_id: task_id, agent: agentToWire(agent) }
  },
})

export const readAgent = operation({
  name: 'agents.read',
  summary: 'What an agent has printed so far: all of it, its last or first lines, or from a byte on',
  scope: 'read',
  owned,
  input: z.strictObject({
    task_id,
    agent_id,
    tail: z.int().min(1).max(10_000).optional().describe('The last lines'),
    head: z.int().min(1).max(10_000).optional().describe('The first lines'),
    from_byte: z.int().min(0).optional(),
    stream: z.enum(['out', 'err']).default('out'),
    format: z.enum(['text', 'jsonl']).default('text').describe('jsonl: the lines that are JSON, parsed'),
  }),
  output: z.object({
    agent: agentShape,
    text: z.string(),
    values: z.array(z.unknown()).optional(),
    total_bytes: z.int(),
    missing_bytes: z.int().describe('No longer kept'),
    next_byte: z.int(),
  }),
  refusals: ['unavailable'],
  run: async (context, { task_id, agent_id, from_byte: from, ...query }) => {
    const tasks = tasksIn(context)
    const agent = await agentIn(tasks, task_id, agent_id)
    const printed = await tasks.output(agent_id, defined<OutputQuery>({ ...query, from }))
    return {
      agent: agentToWire(agent),
      text: query.format === 'jsonl' ? '' : printed.text,
      ...(printed.values && { values: printed.values }),
      total_bytes: printed.total,
      missing_bytes: printed.missing,
      next_byte: printed.next,
    }
  },
})

export const killAgent = operation({
  name: 'agents.kill',
  summary: 'End an agent and every process it started; one that has ended already stays as it is',
  scope: 'write',
  destroys: true,
  owned,
  input: z.strictObject({ task_id, agent_id, reason: z.string().max(2_000).optional() }),
  output: agentShape,
  refusals: ['unavailable', 'record_moved'],
  example: { reason: 'no longer needed' },
  run: async (context, { task_id, agent_id, reason }) => {
    const tasks = tasksIn(context)
    const before = await agentIn(tasks, task_id, agent_id)
    const agent = await tasks.kill(agent_id)
    if (reason !== undefined && before.endedAt === null)
      await tasks.progress(task_id, { agent: agent_id, status: 'killed', message: reason })
    return agentToWire(agent)
  },
})

async function agentIn(tasks: Tasks, task: string, id: string): Promise<Agent> {
  const agent = await tasks.agent(id)
  if (agent?.task !== task) throw notFound('agent_id', id)
  return agent
}
