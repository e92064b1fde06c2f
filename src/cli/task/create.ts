/** `throughline task create`: registers a task with the conversation that led to it. */
import { collectHistory } from '../../tasks/history/collect.js'
import type { Registered } from '../../tasks/record/contract.js'
import type { TaskInput } from '../../tasks/record/input.js'
import { findConversation } from '../history/find.js'
import { countOf } from '../kit/counts.js'
import { type Desk, type DeskFlags, writing } from '../kit/desk.js'
import { exits, misused } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { readSource } from '../kit/source.js'
import { number, printable } from '../kit/term.js'
import { findTask, tasksOf } from './desk.js'

interface Flags extends DeskFlags {
  readonly _?: readonly string[]
  readonly conversation?: string | undefined
  readonly branch?: string | undefined
  readonly history?: string | undefined
  readonly parent?: string | undefined
  readonly priority?: string | undefined
  readonly preset?: string | undefined
  readonly cwd?: string | undefined
  readonly background?: string | undefined
  readonly deliverables?: string | undefined
  readonly criteria?: string | undefined
  readonly constraints?: string | undefined
  readonly files?: string | undefined
  readonly docs?: string | undefined
  readonly compress?: string | undefined
  readonly model?: string | undefined
  readonly tokens?: string | undefined
}

export async function createTask(flags: Flags): Promise<number> {
  if (flags.conversation !== undefined && flags.history !== undefined)
    throw misused('give -t ID or --history, not both')
  const made = await writing(flags, (desk) => register(desk, flags))
  const { task, warnings } = made
  if (flags.json) await putJson({ schema: 'throughline.task/1', ...made })
  else {
    await put(`${task.id}\n`)
    const count = task.conversation_messages_count
    if (count > 0) say(`${number(count)} messages of history go with it (${task.preset})`)
    for (const { message } of warnings) say(`! ${printable(message)}`)
    say(`next: throughline task deploy ${task.id} --runner claude`)
  }
  return exits.ok
}

async function register(desk: Desk, flags: Flags): Promise<Registered> {
  const tasks = await tasksOf(desk, flags.compress === 'model')
  const input = await inputOf(desk, flags)
  if (flags.parent === undefined) return tasks.register(input)
  return tasks.spawn((await findTask(tasks, flags.parent)).id, input)
}

/** What is wrong with a field is told by the register itself. */
async function inputOf(desk: Desk, flags: Flags): Promise<TaskInput> {
  const history = await historyOf(desk, flags)
  const given: Record<string, unknown> = {
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
    conversation_history: history,
    compress: flags.compress,
    model: flags.model,
    tokens: flags.tokens === undefined ? undefined : countOf(flags.tokens, '--tokens', 0),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as unknown as TaskInput
}

async function historyOf(desk: Desk, { conversation, branch, history }: Flags): Promise<unknown> {
  if (conversation !== undefined) {
    const { id } = await findConversation(desk, conversation)
    return { conversation: id, ...(branch === undefined ? null : { branch }) }
  }
  if (history === undefined) return undefined
  const source = await readSource(history)
  if (source.kind === 'value') return source.value
  // one JSON value on each line is how agents write their transcripts
  return collectHistory(source.lines)
}
