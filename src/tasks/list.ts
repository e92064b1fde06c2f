/** The list of all tasks, by what they are and by the words in them. */
import type { Page } from '../store/contract/page.js'
import { isSought, type Sought, searchTerms, soughtIn } from '../store/search/terms.js'
import { limitOf } from '../store/shared/page.js'
import type { Task, TaskQuery, TimelineEntry } from './record/contract.js'
import { type Board, kinds, shelf } from './record/desk.js'
import type { TaskRecord } from './record/timeline.js'

/** Tasks that one call looks at: a query that fits few of them gives short pages, never a long wait. */
const glance = 2_000
const batch = 200

export async function taskPage(desk: Board, query: TaskQuery): Promise<Page<Task>> {
  const sought = query.text === undefined ? [] : soughtIn(query.text)
  const limit = limitOf(query.limit)
  const items: Task[] = []
  let cursor = query.cursor
  for (let looked = 0; looked < glance; looked += batch) {
    const page = await pageOf(desk, batch, cursor)
    for (const [at, { body }] of page.items.entries()) {
      const { task } = body as TaskRecord
      if (!fits(task, query) || !(await speaksOf(desk, task, sought))) continue
      items.push(task)
      if (items.length < limit) continue
      // the next page goes on behind this very task
      return { items, cursor: (await pageOf(desk, at + 1, cursor)).cursor }
    }
    if (page.cursor === null) return { items, cursor: null }
    cursor = page.cursor
  }
  return { items, cursor: cursor ?? null }
}

const pageOf = ({ store, workspace }: Board, limit: number, cursor: string | undefined) =>
  store.records(workspace, { kind: kinds.task, limit, ...(cursor === undefined ? null : { cursor }) })

const fits = (task: Task, { state, priority, parent }: TaskQuery): boolean =>
  (state === undefined || task.state === state) &&
  (priority === undefined || task.priority === priority) &&
  (parent === undefined || task.parent === parent)

/** Each word may stand in the description or in any finding. */
async function speaksOf(desk: Board, task: Task, sought: readonly Sought[]): Promise<boolean> {
  let left = without(sought, task.description)
  if (left.length === 0 || task.counts.findings === 0) return left.length === 0
  for await (const entry of shelf<TimelineEntry>(desk, kinds.timeline(task.id))) {
    if (entry.type === 'finding') left = without(left, `${entry.kind} ${entry.message}`)
    if (left.length === 0) return true
  }
  return false
}

function without(sought: readonly Sought[], text: string): readonly Sought[] {
  if (sought.length === 0) return sought
  const terms = [...searchTerms(text)]
  return sought.filter((one) => !terms.some((term) => isSought(one, term)))
}
