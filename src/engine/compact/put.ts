/** Writes a summary behind whatever was said meanwhile. */
import { HistoryError } from '../../core/message/issue.js'
import type { Step } from '../../store/contract/commit.js'
import type { NewEntry } from '../../store/contract/entry.js'
import { entryAdded } from '../window/news.js'
import type { Source } from '../window/window.js'
import type { Plan } from './plan.js'

/** False when the branch no longer leads on from what the summary covers, or another summary covers it. */
export async function putSummary(
  source: Source,
  branch: string,
  summary: NewEntry,
  plan: Plan,
  live: boolean,
): Promise<boolean> {
  const { store, workspace, conversation } = source
  const { until, newest } = plan
  for (let attempt = 0; attempt < 8; attempt++) {
    const { head } = await store.window(workspace, conversation, branch, { entries: 1 })
    if (!head || head.depth < until.depth || head.summary !== newest) return false
    const [first] = await store.path(workspace, conversation, head.id, head.depth - until.depth + 1)
    if (first?.id !== until.id) return false
    const steps: Step[] = [
      { do: 'append', entries: [summary], options: { branch, expect: head.id, at: summary.at } },
      ...(live ? [{ do: 'emit', events: [entryAdded([summary], branch)], at: summary.at } as const] : []),
    ]
    try {
      await store.commit(workspace, conversation, steps)
      return true
    } catch (error) {
      // someone spoke meanwhile: the summary follows what was said
      if (!HistoryError.is(error) || error.code !== 'head_moved') throw error
    }
  }
  return false
}
