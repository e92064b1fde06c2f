/** Agents: deployed, read, ended. */
import { z } from 'zod'
import type { Agent, DeployRequest, OutputQuery } from '../../tasks/agents/contract.js'
import type { McpContext } from '../context.js'
import { missing } from '../refusal.js'
import { clip, fit, room } from '../room.js'
import { tool } from '../tool.js'
import { uris } from '../uris.js'
import { agentId, agentOf, agentShape, taskId } from './shapes.js'

/** How an agent is started; `agent_type` and `parent` are words for its prompt. */
export const deployment = {
  runner: z.string().max(100).optional().describe('claude, codex, gemini, model, … or one of the settings'),
  model: z.string().max(200).optional(),
  timeout_seconds: z.int().min(1).max(86_400).optional(),
}

export const deployAgent = tool({
  name: 'deploy_headless_agent',
  title: 'Deploy an agent',
  description:
    'Starts an agent on a task. It reads the whole task with its conversation history, and behind it the prompt given here. Returns at once; get_agent_output shows what it prints.',
  scope: 'write',
  hints: { open: true },
  input: z.strictObject({
    task_id: taskId,
    agent_type: z.string().min(1).max(200).describe('Its part, such as investigator, builder or reviewer'),
    prompt: z.string().max(200_000).describe('Words for this agent alone'),
    parent: z.string().max(200).optional().describe('Who deploys it'),
    ...deployment,
  }),
  output: agentShape.extend({ success: z.literal(true) }),
  run: async ({ task_id, ...given }, context) => {
    const { agent } = await context.tasks.deploy(task_id, requestOf(given, context))
    return {
      data: { success: true, ...agentOf(agent) },
      text: `Agent ${agent.id} is ${agent.state} with the runner ${agent.runner}; its prompt has ${agent.promptTokens} tokens.`,
      links: [{ uri: uris.timeline(task_id), name: 'progress-timeline' }],
    }
  },
})

export interface Deployment {
  readonly agent_type: string
  readonly prompt: string
  readonly parent?: string | undefined
  readonly runner?: string | undefined
  readonly model?: string | undefined
  readonly timeout_seconds?: number | undefined
}

export function requestOf(given: Deployment, context: Pick<McpContext, 'runner'>): DeployRequest {
  const { agent_type, prompt, parent, runner = context.runner, model, timeout_seconds: seconds } = given
  const by = parent === undefined ? '' : `, deployed by ${parent}`
  return {
    runner,
    prompt: `YOUR PART: ${agent_type}${by}\n${prompt}`,
    ...(model === undefined ? null : { model }),
    ...(seconds === undefined ? null : { timeoutMs: seconds * 1_000 }),
  }
}

export const agentOutput = tool({
  name: 'get_agent_output',
  title: 'Read what an agent printed',
  description: 'What an agent has printed so far: all of it, its last or first lines, or from a byte on (next_byte).',
  scope: 'read',
  hints: { reads: true },
  input: z.strictObject({
    task_id: taskId,
    agent_id: agentId,
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
    truncated: z.boolean().describe('More was printed than fits here: use tail, head or from_byte'),
  }),
  run: async ({ task_id, agent_id, from_byte, tail, head, stream, format }, context) => {
    const agent = await agentIn(context, task_id, agent_id)
    const query: OutputQuery = {
      stream,
      format,
      ...(tail === undefined ? null : { tail }),
      ...(head === undefined ? null : { head }),
      ...(from_byte === undefined ? null : { from: from_byte }),
    }
    const printed = await context.tasks.output(agent_id, query)
    const half = room / 2
    const { text, cut } = clip(format === 'jsonl' ? '' : printed.text, half, 'use tail, head or from_byte')
    const values = printed.values && fit(printed.values, half)
    return {
      data: {
        agent: agentOf(agent),
        text,
        ...(values && { values: values.items }),
        total_bytes: printed.total,
        missing_bytes: printed.missing,
        next_byte: printed.next,
        truncated: cut || (values?.left ?? 0) > 0,
      },
      text: `Agent ${agent_id} is ${agent.state}; ${printed.total} bytes printed.\n${values ? JSON.stringify(values.items) : text}`,
    }
  },
})

export const killAgent = tool({
  name: 'kill_real_agent',
  title: 'End an agent',
  description: 'Ends an agent and every process it started. One that has ended already stays as it is.',
  scope: 'write',
  hints: { destroys: true, repeats: true },
  input: z.strictObject({ task_id: taskId, agent_id: agentId, reason: z.string().max(2_000).optional() }),
  output: agentShape.extend({ success: z.boolean().describe('Whether it has ended, with every process it started') }),
  run: async ({ task_id, agent_id, reason }, context) => {
    const before = await agentIn(context, task_id, agent_id)
    const agent = await context.tasks.kill(agent_id)
    if (reason !== undefined && before.endedAt === null)
      await context.tasks.progress(task_id, { agent: agent_id, status: 'killed', message: reason })
    const isEnded = agent.endedAt !== null
    const told = isEnded ? `is ${agent.state}` : 'was asked to end, and has not ended yet'
    return { data: { success: isEnded, ...agentOf(agent) }, text: `Agent ${agent_id} ${told}.` }
  },
})

async function agentIn({ tasks }: McpContext, task: string, id: string): Promise<Agent> {
  const agent = await tasks.agent(id)
  if (agent?.task !== task) throw missing('agent_id')
  return agent
}
