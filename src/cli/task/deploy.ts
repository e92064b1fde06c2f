/** `throughline task deploy`: starts an agent, tells what it prints as it comes, and waits for its end. */

import { setTimeout as pause } from 'node:timers/promises'
import { defined } from '../../core/message/defined.js'
import { agentToWire } from '../../operations/shapes/task.js'
import type { Agent } from '../../tasks/record/agent.js'
import type { Tasks } from '../../tasks/record/contract.js'
import { onInterrupt } from '../chat/interrupt.js'
import { type DeskOptions, reading } from '../kit/desk.js'
import { exits, misused } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { printable } from '../kit/term.js'
import { spanOf } from '../kit/when.js'
import { findTask, openTasksAt } from './desk.js'

type Flags = DeskOptions<'id' | 'runner' | 'command' | 'model' | 'prompt' | 'timeout'>

export async function deployCommand(flags: Flags): Promise<number> {
  const { runner = flags.command === undefined ? undefined : 'shell', command, model, prompt, timeout } = flags
  if (runner === undefined) throw misused('deploy needs --runner NAME or --command CMD')
  if (command !== undefined && flags.runner !== undefined) throw misused('give --runner or --command, not both')
  const timeoutMs = timeout === undefined ? undefined : spanOf(timeout, '--timeout')
  const own = command === undefined ? undefined : { shell: { command: 'sh', args: ['-c', command] } }
  const ended = await reading(flags, async (desk) => {
    const { tasksOf } = await openTasksAt(own)(desk)
    const tasks = tasksOf(desk.workspace)
    const { id } = await findTask(tasks, flags.id)
    const { agent, ended: end } = await tasks.deploy(id, {
      runner,
      ...defined({ model, prompt, timeoutMs }),
    })
    return watch(tasks, agent, end, Boolean(flags.json))
  })
  if (flags.json) await putJson(agentToWire(ended))
  else say(`${ended.id} ${ended.state}${reasonOf(ended)}`)
  return ended.state === 'completed' ? exits.ok : exits.failed
}

async function watch(tasks: Tasks, agent: Agent, ended: Promise<Agent>, quiet: boolean): Promise<Agent> {
  const release = onInterrupt(() => {
    say('stopping the agent')
    tasks.kill(agent.id).catch(() => {})
  })
  let over = false
  const end = ended.finally(() => {
    over = true
  })
  end.catch(() => {})
  let [out, err] = [0, 0]
  try {
    for (let last = false; !last; ) {
      last = over
      if (!quiet) {
        out = await tell(tasks, agent.id, 'out', out)
        err = await tell(tasks, agent.id, 'err', err)
      }
      if (!last) await Promise.race([pause(200), end])
    }
    return await end
  } finally {
    release()
    await tasks.close()
  }
}

/** Returns how far it has told. */
async function tell(tasks: Tasks, agent: string, stream: 'out' | 'err', from: number): Promise<number> {
  const { text, next } = await tasks.output(agent, { stream, from })
  if (next === from) return from
  if (stream === 'err') process.stderr.write(printable(text))
  else await put(process.stdout.isTTY ? printable(text) : text)
  return next
}

function reasonOf({ exit }: Agent): string {
  if (exit?.error) return `: ${printable(exit.error.message)}`
  if (exit?.signal) return `: ended by ${exit.signal}`
  return exit?.code ? `: exit code ${exit.code}` : ''
}
