/** `throughline task output`: what an agent printed, also while it still does. */
import { setTimeout as pause } from 'node:timers/promises'
import { readAgent } from '../../operations/agents.js'
import { tasksIn } from '../../operations/tasks.js'
import { countFlag } from '../kit/counts.js'
import type { DeskOptions } from '../kit/desk.js'
import { operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { printable } from '../kit/term.js'
import { findAgent, openTasksAt } from './desk.js'

type Flags = DeskOptions<'id' | 'tail', 'err' | 'follow'>

export function showOutput(flags: Flags): Promise<number> {
  const tail = flags.tail === undefined ? undefined : countFlag(flags.tail, '--tail', 1)
  const stream = flags.err ? 'err' : 'out'
  return operate(flags, readAgent, {
    opens: openTasksAt(),
    input: async (context) => {
      const { id, task } = await findAgent(tasksIn(context), flags.id)
      return { task_id: task, agent_id: id, stream, ...present({ tail }) }
    },
    print: async (first, context) => {
      let printed = first
      await tell(printed.text, tail !== undefined)
      const { task_id, agent_id } = printed.agent
      while (flags.follow && isAlive(printed.agent.status)) {
        await pause(300)
        const from_byte = printed.next_byte
        printed = await readAgent.run(context, { task_id, agent_id, stream, format: 'text', from_byte })
        await tell(printed.text, false)
      }
      const missing = printed.missing_bytes > 0 ? `; ${printed.missing_bytes} bytes in the middle are not kept` : ''
      say(`${agent_id} ${printed.agent.status}${missing}`)
    },
  })
}

const isAlive = (state: string): boolean => state === 'queued' || state === 'running'

async function tell(text: string, end: boolean): Promise<void> {
  if (text === '') return
  await put(`${process.stdout.isTTY ? printable(text) : text}${end && !text.endsWith('\n') ? '\n' : ''}`)
}
