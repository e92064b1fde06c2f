/** `throughline task output`: what an agent printed, also while it still does. */
import { setTimeout as pause } from 'node:timers/promises'
import type { OutputQuery } from '../../tasks/record/agent.js'
import { countOf } from '../kit/counts.js'
import { type DeskFlags, reading } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { printable } from '../kit/term.js'
import { findAgent, tasksOf } from './desk.js'

interface Flags extends DeskFlags {
  readonly id?: string | undefined
  readonly err?: boolean | undefined
  readonly tail?: string | undefined
  readonly follow?: boolean | undefined
}

export async function agentOutput(flags: Flags): Promise<number> {
  const tail = flags.tail === undefined ? null : { tail: countOf(flags.tail, '--tail', 1) }
  const query: OutputQuery = { stream: flags.err ? 'err' : 'out' }
  await reading(flags, async (desk) => {
    const tasks = await tasksOf(desk, false)
    const { id } = await findAgent(tasks, flags.id)
    let printed = await tasks.output(id, { ...query, ...tail })
    if (flags.json) return putJson({ schema: 'throughline.output/1', ...printed })
    await tell(printed.text, tail !== null)
    while (flags.follow && isAlive(printed.state)) {
      await pause(300)
      printed = await tasks.output(id, { ...query, from: printed.next })
      await tell(printed.text, false)
    }
    say(`${id} ${printed.state}${printed.missing > 0 ? `; ${printed.missing} bytes in the middle are not kept` : ''}`)
  })
  return exits.ok
}

const isAlive = (state: string): boolean => state === 'queued' || state === 'running'

async function tell(text: string, end: boolean): Promise<void> {
  if (text === '') return
  await put(`${process.stdout.isTTY ? printable(text) : text}${end && !text.endsWith('\n') ? '\n' : ''}`)
}
