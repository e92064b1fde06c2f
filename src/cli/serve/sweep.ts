/** What has to be done again and again: runs of dead servers, events that are too old, conversations past their time. */
import type { Config } from '../../config/schema.js'
import { retain } from '../../engine/retention.js'
import { listKeys } from '../../http/kit/keys.js'
import { faultOf } from '../../http/telemetry/fault.js'
import type { Telemetry } from '../../http/telemetry/telemetry.js'
import type { Runs } from '../../runs/contract.js'
import type { Conversation } from '../../store/contract/conversation.js'
import type { Store } from '../../store/contract/store.js'
import { openTasks } from '../../tasks/tasks.js'

// Forgets events that are too old to be resumed from. What was said stays: it is in the log, not in the events.

interface Trim {
  readonly store: Store
  readonly workspace: string
  /** Events before this instant go, in milliseconds. */
  readonly before: number
  /** Conversations that have been still since this instant were trimmed by an earlier sweep. */
  readonly since: number
}

/** Returns how many conversations lost events. */
export async function trimOldEvents({ store, workspace, before, since }: Trim): Promise<number> {
  let trimmed = 0
  let cursor: string | null | undefined
  do {
    const page = await store.list(workspace, { limit: 200, ...(cursor ? { cursor } : null) })
    for (const one of page.items) if (await trimOne(store, workspace, one, before)) trimmed++
    // newest first, but for those that are pinned
    const last = page.items.at(-1)
    if (last && !last.pinned && Date.parse(last.updatedAt) < since) return trimmed
    cursor = page.cursor
  } while (cursor)
  return trimmed
}

async function trimOne(store: Store, workspace: string, { id }: Conversation, before: number): Promise<boolean> {
  const { events, oldest, newest } = await store.events(workspace, id, 0, 1)
  const isOld = (at: string | undefined): boolean => at !== undefined && Date.parse(at) < before
  if (!isOld(events[0]?.at)) return false
  // numbers have no gaps and times grow with them
  let [low, high] = [oldest, newest]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const page = await store.events(workspace, id, middle - 1, 1)
    if (isOld(page.events[0]?.at)) low = middle
    else high = middle - 1
  }
  await store.trimEvents(workspace, id, low)
  return true
}

interface Sweeper {
  readonly store: Store
  readonly runs: Runs
  readonly config: Config
  readonly telemetry: Telemetry
}

const second = 1_000
const hour = 3_600 * second
const every = { recovery: 3 * second, tidying: hour }

/** Begins at once; returns what ends it, which waits for the sweep that is under way. */
export function sweep(sweeper: Sweeper): () => Promise<void> {
  const { telemetry } = sweeper
  const ending = new AbortController()
  const loop = async (name: string, everyMs: number, work: () => Promise<void>): Promise<void> => {
    while (!ending.signal.aborted) {
      await work().catch((error: unknown) => {
        telemetry.log({ level: 'error', event: 'sweep-failed', kind: name, ...faultOf(error) })
      })
      await pause(everyMs, ending.signal)
    }
  }
  const loops = [
    loop('recovery', every.recovery, () => recover(sweeper)),
    loop('agents', every.tidying, () => recoverAgents(sweeper)),
    loop('tidying', every.tidying, tidying(sweeper)),
  ]
  return async () => {
    ending.abort()
    await Promise.all(loops)
  }
}

async function recover({ store, runs, telemetry }: Sweeper): Promise<void> {
  const count = await runs.recover(await workspaces(store))
  if (count > 0) telemetry.log({ level: 'info', event: 'runs-recovered', count })
}

/** Agents of a server that died are ended by the next one, whether anyone asks for them or not. */
async function recoverAgents({ store, telemetry }: Sweeper): Promise<void> {
  for (const workspace of await workspaces(store)) {
    const count = await openTasks({ store, workspace }).recover()
    if (count > 0) telemetry.log({ level: 'info', event: 'agents-recovered', workspace, count })
  }
}

function tidying({ store, config, telemetry }: Sweeper): () => Promise<void> {
  const { event_retention_hours, archive_after_days, purge_after_days } = config
  const retention = {
    ...(archive_after_days !== null && { archiveAfterDays: archive_after_days }),
    ...(purge_after_days !== null && { purgeAfterDays: purge_after_days }),
  }
  let first = true
  return async () => {
    const now = Date.now()
    const before = now - event_retention_hours * hour
    // the first sweep may find what was left long ago
    const since = first ? 0 : before - 2 * every.tidying
    for (const workspace of await workspaces(store)) {
      const trimmed = await trimOldEvents({ store, workspace, before, since })
      if (trimmed > 0) telemetry.log({ level: 'info', event: 'events-trimmed', workspace, count: trimmed })
      if (archive_after_days === null) continue
      const done = await retain(store, workspace, retention, { now: new Date(now).toISOString(), dryRun: false })
      const [archived, purged] = [done.archived.length, done.purged.length]
      if (archived + purged > 0)
        telemetry.log({ level: 'info', event: 'retention-applied', workspace, archived, purged })
    }
    first = false
  }
}

/** The open one, and those of the keys. */
async function workspaces(store: Store): Promise<readonly string[]> {
  const keys = await listKeys(store)
  return [...new Set(['default', ...keys.map(({ workspace }) => workspace)])]
}

/** Leaves no listener behind. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    timer.unref()
    signal.addEventListener('abort', end)
  })
