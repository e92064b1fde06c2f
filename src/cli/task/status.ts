/** `throughline task status`: where a task stands, who works on it, and what they said last. */
import type { TaskStatus, TimelineEntry } from '../../tasks/record/contract.js'
import { type DeskFlags, reading } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { put, putJson } from '../kit/sink.js'
import { number, type Paint, paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { findTask, tasksOf } from './desk.js'

export async function taskStatus(flags: DeskFlags & { readonly id?: string | undefined }): Promise<number> {
  const status = await reading(flags, async (desk) => {
    const tasks = await tasksOf(desk, false)
    return tasks.status((await findTask(tasks, flags.id)).id)
  })
  if (flags.json) await putJson({ schema: 'throughline.task-status/1', ...status })
  else await put(`${told(status, widthOf(process.stdout), paintFor(process.stdout)).join('\n')}\n`)
  return exits.ok
}

function told({ task, agents, children, recent }: TaskStatus, width: number, paint: Paint): string[] {
  const { id, state, priority, description, counts, note, conversation_messages_count: messages } = task
  const numbers = [
    `${number(messages)} messages of history`,
    `${counts.progress} reports`,
    `${counts.findings} findings`,
    ...(children > 0 ? [`${children} child tasks`] : []),
  ]
  return [
    paint.bold(`${id} · ${state} · ${priority}`),
    short(printable(description), width),
    ...(note === null ? [] : [printable(note)]),
    numbers.join(' · '),
    ...(agents.length > 0 ? [''] : []),
    ...table(
      agents.map((one) => [one.id, one.state, one.runner, `${number(one.outputBytes)} bytes printed`]),
      [],
    ),
    '',
    ...recent.map((entry) => `${when(entry.at)}  ${short(printable(newsOf(entry)), width - 20)}`),
  ]
}

function newsOf(entry: TimelineEntry): string {
  const who = entry.agent === null ? '' : `${entry.agent.slice(entry.agent.lastIndexOf('.') + 1)}: `
  switch (entry.type) {
    case 'state':
      return `the task is ${entry.to}${entry.note === null ? '' : ` (${entry.note})`}`
    case 'agent':
      return `${who}agent ${entry.state}`
    case 'progress':
      return `${who}${entry.status}${entry.percent === null ? '' : ` ${entry.percent} %`} ${entry.message}`
    case 'finding':
      return `${who}${entry.kind} (${entry.severity}): ${entry.message}`
  }
}
