/** `spawn_child_agent`: an agent hands a part of its task to another one. */
import { spawnAgent } from '../../operations/agents.js'
import { exposeTool } from '../kit/expose.js'
import { uris } from '../kit/uris.js'
import { createdExtra, createdShown } from './create.js'
import { briefAgent } from './shapes.js'

export const spawnChild = exposeTool('spawn_child_agent', spawnAgent, {
  title: 'Deploy a child agent',
  description:
    'Registers a child task and deploys an agent on it. The child works in the folder of its parent and can read the histories above it: get_real_task_status with include: ancestors.',
  hints: { open: true },
  show: {
    output: spawnAgent.output.extend(createdExtra),
    from: ({ agent, parent_task_id, ...task }) => ({ ...createdShown(task), parent_task_id, agent: briefAgent(agent) }),
  },
  text: ({ task_id, parent_task_id, agent }) =>
    `Child task ${task_id} of ${parent_task_id} is registered; agent ${agent.agent_id} is ${agent.status} with the runner ${agent.runner}.`,
  links: ({ task_id }) => [{ uri: uris.status(task_id), name: 'status' }],
})
