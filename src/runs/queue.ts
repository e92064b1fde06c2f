/** Runs that wait for the one before them. The message is kept with its place in line, and appended when its turn comes. */

import type { Step } from '../store/contract/commit.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Store } from '../store/contract/store.js'
import { all, paged } from '../store/shared/page.js'
import type { Run, RunRequest } from './contract.js'
import { isRefused } from './floor.js'
import { type QueuedBody, runKinds } from './run.js'

/** Returns the number of the last event before the queue was told of it; null when it waits already. */
export async function enqueue(store: Store, request: RunRequest, run: Run, behind: string): Promise<number | null> {
  const body: QueuedBody = { run, request }
  const at = run.startedAt
  try {
    const { outcomes } = await store.commit(request.workspace, request.conversation, [
      { do: 'put-record', record: { kind: runKinds.queued, id: run.id, body, at, expect: null } },
      { do: 'emit', events: [{ type: 'run-queued', data: { run: run.id, behind } }], at },
    ])
    const [first] = outcomes[1] as readonly StoredEvent[]
    return (first?.number ?? 1) - 1
  } catch (error) {
    if (isRefused(error, 'record_moved')) return null
    throw error
  }
}

/** The one that has waited longest. */
export async function nextInLine(store: Store, workspace: string, conversation: string): Promise<QueuedBody | null> {
  const line = paged((from) => store.records(workspace, { kind: runKinds.queued, conversation, limit: 100, ...from }))
  return ((await all(line)).at(-1)?.body as QueuedBody | undefined) ?? null
}

/** Out of the line and at work, by compare-and-swap: of two servers that see its turn come, one gets it. */
export const startedFromLine = (run: Run, at: string): Step[] => [
  { do: 'put-record', record: { kind: runKinds.run, id: run.id, body: { run }, at, expect: null } },
  leftLine(run.id),
]

export const leftLine = (id: string): Step => ({ do: 'remove-record', kind: runKinds.queued, id })
