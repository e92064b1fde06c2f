/** `throughline task show`: the registry of a task as specification 0 stores it, readable as a file. */
import { type DeskFlags, reading } from '../kit/desk.js'
import { exits } from '../kit/failure.js'
import { put, putJson } from '../kit/sink.js'
import { printable } from '../kit/term.js'
import { findTask, openTasksAt } from './desk.js'

export async function showTask(flags: DeskFlags & { readonly id?: string | undefined }): Promise<number> {
  const { detail, prompt } = await reading(flags, async (desk) => {
    const tasks = (await openTasksAt()(desk)).tasksOf(desk.workspace)
    const { id } = await findTask(tasks, flags.id)
    return { detail: await tasks.get(id), prompt: await tasks.prompt(id) }
  })
  if (!detail) return exits.failed
  const { id, state, createdAt, updatedAt, receipt: _, source: __, task_context, ...rest } = detail
  // the context only where there is one, as the specification says
  const registry = {
    ...{ task_id: id, status: state, ...rest, created_at: createdAt, updated_at: updatedAt },
    ...(task_context && { task_context }),
  }
  if (flags.json) await putJson(registry)
  else await put(`${printable(prompt.text)}\n`)
  return exits.ok
}
