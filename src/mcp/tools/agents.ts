/** Agents: deployed, read, ended. */
import { z } from 'zod'
import * as operations from '../../operations/agents.js'
import { agentShape } from '../../operations/shapes/task.js'
import { exposeTool } from '../kit/expose.js'
import { clipText, fitItems, room } from '../kit/room.js'
import { uris } from '../kit/uris.js'
import { briefAgent } from './shapes.js'

export const deployTool = exposeTool('deploy_headless_agent', operations.deployAgent, {
  title: 'Deploy an agent',
  description:
    'Starts an agent on a task. It reads the whole task with its conversation history, and behind it the prompt given here. Returns at once; get_agent_output shows what it prints.',
  hints: { open: true },
  // specification 0 names both
  ask: { input: operations.deployAgent.input.required({ agent_type: true, prompt: true }) },
  show: {
    output: agentShape.extend({ success: z.literal(true) }),
    from: (agent) => ({ success: true, ...briefAgent(agent) }),
  },
  text: ({ agent_id, status, runner, prompt_tokens }) =>
    `Agent ${agent_id} is ${status} with the runner ${runner}; its prompt has ${prompt_tokens} tokens.`,
  links: (_, { task_id }) => [{ uri: uris.timeline(task_id), name: 'progress-timeline' }],
})

export const agentOutput = exposeTool('get_agent_output', operations.readAgent, {
  title: 'Read what an agent printed',
  description: 'What an agent has printed so far: all of it, its last or first lines, or from a byte on (next_byte).',
  show: {
    output: operations.readAgent.output.extend({
      truncated: z.boolean().describe('More was printed than fits here: use tail, head or from_byte'),
    }),
    from: ({ agent, text: printed, values: parsed, ...rest }) => {
      const { text, cut } = clipText(printed, room / 2, 'use tail, head or from_byte')
      const values = parsed && fitItems(parsed, room / 2)
      return {
        agent: briefAgent(agent),
        text,
        ...(values && { values: [...values.items] }),
        ...rest,
        truncated: cut || (values?.left ?? 0) > 0,
      }
    },
  },
  text: ({ agent, text, values, total_bytes }) =>
    `Agent ${agent.agent_id} is ${agent.status}; ${total_bytes} bytes printed.\n${values ? JSON.stringify(values) : text}`,
})

export const killTool = exposeTool('kill_real_agent', operations.killAgent, {
  title: 'End an agent',
  description: 'Ends an agent and every process it started. One that has ended already stays as it is.',
  hints: { repeats: true },
  show: {
    output: agentShape.extend({
      success: z.boolean().describe('Whether it has ended, with every process it started'),
    }),
    from: (agent) => ({ success: agent.ended_at !== null, ...briefAgent(agent) }),
  },
  text: ({ agent_id, status, success }) =>
    `Agent ${agent_id} ${success ? `is ${status}` : 'was asked to end, and has not ended yet'}.`,
})
