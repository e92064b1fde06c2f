/** `throughline task list`: the tasks, newest first. */
import type { Task, TaskQuery, TaskState } from '../../tasks/record/contract.js'
import { shortest } from '../history/ids.js'
import { countOf } from '../kit/counts.js'
import { type DeskFlags, reading } from '../kit/desk.js'
import { exits, notOneOf } from '../kit/failure.js'
import { put, putJson, say } from '../kit/sink.js'
import { paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { tasksOf } from './desk.js'

interface Flags extends DeskFlags {
  readonly limit?: string | undefined
  readonly query?: string | undefined
  readonly state?: string | undefined
}

const states: readonly TaskState[] = ['registered', 'active', 'blocked', 'completed', 'failed', 'cancelled']

export async function listTasks(flags: Flags): Promise<number> {
  const limit = countOf(flags.limit, '--limit', 20)
  const state = states.find((one) => one === flags.state)
  if (flags.state !== undefined && state === undefined) throw notOneOf('--state', flags.state, states)
  const query: TaskQuery = {
    limit,
    ...(state && { state }),
    ...(flags.query === undefined ? null : { text: flags.query }),
  }
  const page = await reading(flags, async (desk) => (await tasksOf(desk, false)).list(query))
  const more = page.cursor !== null
  if (flags.json) await putJson({ schema: 'throughline.tasks/1', items: page.items, more })
  else if (page.items.length === 0) say('There are no tasks here.')
  else await put(`${rows(page.items).join('\n')}\n`)
  if (more && !flags.json) say(`There are more: -n ${limit * 5} shows so many.`)
  return exits.ok
}

function rows(tasks: readonly Task[]): string[] {
  const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout)]
  const ids = shortest(
    tasks.map(({ id }) => id),
    'task_12345678'.length,
  )
  const cells = tasks.map(({ state, priority, counts, updatedAt, description }, i) => [
    ids[i] as string,
    state,
    priority,
    String(counts.agents),
    when(updatedAt),
    short(printable(description), Math.max(24, width - 50 - (ids[0]?.length ?? 0))),
  ])
  const [head = '', ...rest] = table([['id', 'state', 'priority', 'agents', 'when', 'description'], ...cells], [3])
  return [paint.bold(head), ...rest]
}
