/** `throughline task list`: the tasks, newest first. */
import { listTasks } from '../../operations/tasks.js'
import { shortestIds } from '../history/ids.js'
import { countFlag } from '../kit/counts.js'
import type { DeskOptions } from '../kit/desk.js'
import { notOneOf } from '../kit/failure.js'
import { moreWith, operate, present } from '../kit/operate.js'
import { put, say } from '../kit/sink.js'
import { paintFor, printable, short, table, widthOf } from '../kit/term.js'
import { when } from '../kit/when.js'
import { openTasksAt } from './desk.js'

type Flags = DeskOptions<'limit' | 'query' | 'state'>

export function listStoredTasks(flags: Flags): Promise<number> {
  const limit = countFlag(flags.limit, '--limit', 20)
  const { state, query: q } = flags
  const states: readonly string[] = listTasks.input.shape.state.unwrap().options
  if (state !== undefined && !states.includes(state)) throw notOneOf('--state', state, states)
  return operate(flags, listTasks, {
    opens: openTasksAt(),
    items: limit,
    input: () => present({ state, q }),
    print: async ({ items, next_cursor }) => {
      if (items.length === 0) say('There are no tasks here.')
      else await put(`${rows(items).join('\n')}\n`)
      if (next_cursor !== null) say(moreWith(limit))
    },
  })
}

function rows(tasks: Awaited<ReturnType<typeof listTasks.run>>['items']): string[] {
  const [paint, width] = [paintFor(process.stdout), widthOf(process.stdout)]
  const ids = shortestIds(
    tasks.map(({ task_id }) => task_id),
    'task_12345678'.length,
  )
  const cells = tasks.map(({ status, priority, counts, updated_at, description }, i) => [
    ids[i] as string,
    status,
    priority,
    String(counts.agents),
    when(updated_at),
    short(printable(description), Math.max(24, width - 50 - (ids[0]?.length ?? 0))),
  ])
  const [head = '', ...rest] = table([['id', 'state', 'priority', 'agents', 'when', 'description'], ...cells], [3])
  return [paint.bold(head), ...rest]
}
