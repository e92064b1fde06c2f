/** `throughline task status`: where a task stands, who works on it, and what they said last. */
import { getTask, tasksIn } from '../../operations/tasks.js'
import type { DeskFlags } from '../kit/desk.js'
import { operate } from '../kit/operate.js'
import { put } from '../kit/sink.js'
import { number, type Paint, paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { findTask, openTasksAt } from './desk.js'

type Looked = Awaited<ReturnType<typeof getTask.run>>

export const showTaskStatus = (flags: DeskFlags & { readonly id?: string | undefined }): Promise<number> =>
  operate(flags, getTask, {
    opens: openTasksAt(),
    input: async (context) => ({ task_id: (await findTask(tasksIn(context), flags.id)).id }),
    print: (looked) => put(`${told(looked, widthOf(process.stdout), paintFor(process.stdout)).join('\n')}\n`),
  })

function told({ task, agents, children, recent }: Looked, width: number, paint: Paint): string[] {
  const {
    task_id: id,
    status: state,
    priority,
    description,
    counts,
    note,
    conversation_messages_count: messages,
  } = task
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
      agents.map((one) => [one.agent_id, one.status, one.runner, `${number(one.output_bytes)} bytes printed`]),
      [],
    ),
    '',
    ...recent.map((entry) => `${when(entry.at)}  ${short(printable(newsOf(entry)), width - 20)}`),
  ]
}

function newsOf(event: Looked['recent'][number]): string {
  const { agent_id: agent, type, to, note, state, status, percent, message, finding_type: kind, severity } = event
  const who = agent === null ? '' : `${agent.slice(agent.lastIndexOf('.') + 1)}: `
  if (type === 'state') return `the task is ${to}${note ? ` (${note})` : ''}`
  if (type === 'agent') return `${who}agent ${state}`
  if (type === 'progress') return `${who}${status}${percent === null ? '' : ` ${percent} %`} ${message}`
  return `${who}${kind} (${severity}): ${message}`
}
