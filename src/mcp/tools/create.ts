/** `create_real_task`: work to hand over, with the conversation that led to it. */
import { z } from 'zod'
import { createdTask } from '../../operations/shapes/task.js'
import { createTask as operation } from '../../operations/tasks.js'
import { exposeTool } from '../kit/expose.js'
import { fitItems } from '../kit/room.js'
import { uris } from '../kit/uris.js'
import { briefIssue } from './shapes.js'

/** Specification 0's own word. */
export const createdExtra = { success: z.literal(true) }

type Created = z.output<typeof createdTask>

export const createdShown = (task: Created): Created & { readonly success: true } => ({
  success: true,
  ...task,
  warnings: [...fitItems(task.warnings.map(briefIssue), 8_000).items],
})

export const createTaskTool = exposeTool('create_real_task', operation, {
  title: 'Create a task',
  description:
    'Registers a task together with the conversation that led to it, so that every agent deployed on it knows why it exists and what the user wants. Lists and objects may be JSON or a JSON string.',
  show: { output: createdTask.extend(createdExtra), from: createdShown },
  text: ({ task_id, priority, conversation_messages_count: count, history, warnings }) => {
    const cut =
      history && history.clipped + history.dropped > 0 ? ` (${history.clipped} cut, ${history.dropped} left out)` : ''
    return [
      `Task ${task_id} is registered (${priority}) with ${count} messages of history${cut}.`,
      ...warnings.map(({ message }) => `Warning: ${message}`),
      `Next: deploy_headless_agent with task_id ${task_id}.`,
    ].join('\n')
  },
  links: ({ task_id }) => [{ uri: uris.status(task_id), name: 'status' }],
})
