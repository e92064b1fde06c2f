/** `throughline task create`: registers a task with the conversation that led to it. */
import { createTask, tasksIn } from '../../operations/tasks.js'
import { collectHistory } from '../../tasks/history/collect.js'
import { conversationNamed } from '../history/find.js'
import { countFlag } from '../kit/counts.js'
import type { Cli, DeskOptions } from '../kit/desk.js'
import { misused } from '../kit/failure.js'
import { type CliContext, operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { readSource } from '../kit/source.js'
import { number, printable } from '../kit/term.js'
import { findTask, openTasksAt } from './desk.js'

type Flags = DeskOptions<
  | 'conversation'
  | 'branch'
  | 'history'
  | 'parent'
  | 'priority'
  | 'preset'
  | 'cwd'
  | 'background'
  | 'deliverables'
  | 'criteria'
  | 'constraints'
  | 'files'
  | 'docs'
  | 'compress'
  | 'model'
  | 'tokens'
>

export function createStoredTask(flags: Flags): Promise<number> {
  if (flags.conversation !== undefined && flags.history !== undefined)
    throw misused('give -t ID or --history, not both')
  return operate(flags, createTask, {
    opens: openTasksAt(),
    input: (context) => inputOf(context, flags),
    print: async (task) => {
      await put(`${task.task_id}\n`)
      const count = task.conversation_messages_count
      if (count > 0) say(`${number(count)} messages of history go with it (${task.preset})`)
      for (const { message } of task.warnings) say(`! ${printable(message)}`)
      say(`next: throughline task deploy ${task.task_id} --runner claude`)
    },
  })
}

/** What is wrong with a field is told by the register itself. */
async function inputOf(context: CliContext, flags: Flags): Promise<object> {
  const { parent } = flags
  return present({
    parent_task_id: parent === undefined ? undefined : (await findTask(tasksIn(context), parent)).id,
    description: (flags._ ?? []).join(' '),
    priority: flags.priority,
    preset: flags.preset,
    client_cwd: flags.cwd,
    background_context: flags.background,
    expected_deliverables: flags.deliverables,
    success_criteria: flags.criteria,
    constraints: flags.constraints,
    relevant_files: flags.files,
    related_documentation: flags.docs,
    conversation_history: await historyOf(context, flags),
    compress: flags.compress,
    model: flags.model,
    tokens: flags.tokens === undefined ? undefined : countFlag(flags.tokens, '--tokens', 0),
  })
}

async function historyOf(desk: Cli, { conversation, branch, history }: Flags): Promise<unknown> {
  if (conversation !== undefined) {
    const { id } = await conversationNamed(desk, conversation)
    return { conversation: id, ...(branch === undefined ? null : { branch }) }
  }
  if (history === undefined) return undefined
  const source = await readSource(history)
  if (source.kind === 'value') return source.value
  // one JSON value on each line is how agents write their transcripts
  return collectHistory(source.lines)
}
