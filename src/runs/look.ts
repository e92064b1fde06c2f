/** Finding runs: at work, in line, or over. */

import type { Page, PageQuery } from '../store/contract/page.js'
import type { Store } from '../store/contract/store.js'
import type { Run, Started } from './contract.js'
import { type Floor, refused } from './floor.js'
import { follow } from './follow.js'
import { isOver, runKinds, runOfDraft, runOfRecord } from './run.js'

export async function findRun(store: Store, workspace: string, conversation: string, id: string): Promise<Run | null> {
  const recordOf = async (kind: string): Promise<Run | null> => {
    const found = await store.getRecord(workspace, kind, id)
    return found?.conversation === conversation ? runOfRecord(found) : null
  }
  // the line is read first and believed last: whoever has left it meanwhile is at work or over
  const line = await recordOf(runKinds.queued)
  const over = await recordOf(runKinds.run)
  if (over) return over
  const now = (await runsAtWork(store, workspace, conversation)).find((run) => run.id === id)
  // it may have ended between the two looks
  return now ?? (await recordOf(runKinds.run)) ?? line
}

export async function theRun(store: Store, workspace: string, conversation: string, id: string): Promise<Run> {
  const run = await findRun(store, workspace, conversation, id)
  if (!run) throw refused('not_found', 'there is no such run', { field: 'run', value: id })
  return run
}

export const runsAtWork = async (store: Store, workspace: string, conversation: string): Promise<Run[]> =>
  (await store.drafts(workspace, conversation)).flatMap((draft) => runOfDraft(draft)?.run ?? [])

/** Those in line and at work come before the first page of those that are over. */
export async function runPage(
  store: Store,
  workspace: string,
  conversation: string,
  query: PageQuery,
): Promise<Page<Run>> {
  const page = await store.records(workspace, { ...query, kind: runKinds.run, conversation })
  const over = page.items.flatMap((record) => runOfRecord(record) ?? [])
  if (query.cursor !== undefined) return { items: over, cursor: page.cursor }
  const line = await store.records(workspace, { kind: runKinds.queued, conversation, limit: 100 })
  const waiting = line.items.flatMap((record) => runOfRecord(record) ?? [])
  const known = new Set(over.map(({ id }) => id))
  const now = (await runsAtWork(store, workspace, conversation)).filter(({ id }) => !known.has(id))
  for (const { id } of now) known.add(id)
  return { items: [...waiting.filter(({ id }) => !known.has(id)), ...now, ...over], cursor: page.cursor }
}

/** The end of a run that someone else is at, from what is told of it. */
export async function elsewhere(
  store: Store,
  workspace: string,
  conversation: string,
  id: string,
  after: number,
): Promise<Run> {
  for await (const event of follow(store, workspace, conversation, after, new AbortController().signal)) {
    if (event.type !== 'run-ended') continue
    const { run } = event.data as { readonly run: Run }
    if (run.id === id) return run
  }
  throw refused('unavailable', 'nothing more is told of the run')
}

/** The run that an earlier request with the same key began. */
export async function repeatedRun(
  { store, active }: Floor,
  workspace: string,
  conversation: string,
  id: string,
): Promise<Started> {
  const { newest } = await store.events(workspace, conversation, 0, 1)
  const run = await theRun(store, workspace, conversation, id)
  const ended = isOver(run)
    ? Promise.resolve(run)
    : (active.get(id)?.ended ?? elsewhere(store, workspace, conversation, id, newest))
  // whoever does not wait for the end is not troubled by it
  ended.catch(() => {})
  return { run, repeated: true, after: newest, warnings: [], ended, answer: () => null, cut: () => [] }
}
