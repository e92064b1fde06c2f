/** `spawn_child_agent`: an agent hands a part of its task to another one. */
import { z } from 'zod'
import { deployment, deployRequestOf } from '../../operations/agents.js'
import { agentShape, createdToWire, task_id, taskParameters } from '../../operations/shapes/task.js'
import { missing } from '../kit/refusal.js'
import { tool } from '../kit/tool.js'
import { uris } from '../kit/uris.js'
import { created, createdShown } from './create.js'
import { agentOf } from './shapes.js'

const { background_context, expected_deliverables, constraints, relevant_files, conversation_history } = taskParameters
const context = { background_context, expected_deliverables, constraints, relevant_files, conversation_history }

const own = {
  task_id: task_id.describe('The task of the parent'),
  parent_agent_id: z.string().min(1).max(200),
  child_agent_type: z.string().min(1).max(200),
  child_prompt: z.string().min(1).max(30_000).describe('What the child is to do'),
  ...deployment,
}

export const spawnChild = tool({
  name: 'spawn_child_agent',
  title: 'Deploy a child agent',
  description:
    'Registers a child task and deploys an agent on it. The child works in the folder of its parent and can read the histories above it: get_real_task_status with include: ancestors.',
  scope: 'write',
  hints: { open: true },
  input: z.strictObject({ ...own, ...context }),
  // what becomes the child's context is judged where tasks are registered
  accepts: z.looseObject(own),
  output: z.object({ ...created, parent_task_id: z.string(), agent: agentShape }),
  run: async (input, context) => {
    const { task_id, parent_agent_id, child_agent_type, child_prompt, runner, model, timeout_seconds, ...given } = input
    const { tasks } = context
    const parent = await tasks.get(task_id)
    if (!parent) throw missing('task_id')
    const { client_cwd, priority } = parent
    const registered = await tasks.spawn(task_id, { client_cwd, priority, ...given, description: child_prompt })
    const child = registered.task.id
    const words = `Ask for the histories above with get_real_task_status, task_id ${child}, include: ancestors.`
    const part = { agent_type: child_agent_type, prompt: words, parent: parent_agent_id }
    const request = deployRequestOf({ ...part, runner, model, timeout_seconds }, context)
    const { agent } = await tasks.deploy(child, request).catch(async (error: unknown) => {
      // a child that no one works on would wait for ever
      await tasks.move(child, { to: 'cancelled', note: 'its agent could not be deployed' })
      throw error
    })
    return {
      data: { ...createdShown(createdToWire(registered)), parent_task_id: task_id, agent: agentOf(agent) },
      text: `Child task ${child} of ${task_id} is registered; agent ${agent.id} is ${agent.state} with the runner ${agent.runner}.`,
      links: [{ uri: uris.status(child), name: 'status' }],
    }
  },
})
