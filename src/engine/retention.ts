/** Retention: none by default. What a policy asks for is archived first, and purged only from the archive. */

import type { Conversation } from '../store/contract/conversation.js'
import type { Store } from '../store/contract/store.js'
import { paged } from '../store/shared/page.js'

export interface Retention {
  /** Archive what has not changed for so many days. */
  readonly archiveAfterDays?: number
  /** Purge what has been archived and unchanged for so many days. */
  readonly purgeAfterDays?: number
}

export interface Retained {
  readonly archived: readonly string[]
  readonly purged: readonly string[]
  readonly dryRun: boolean
}

const day = 86_400_000

/**
 * A dry run, unless told otherwise. Archiving can be undone by `update`; purging cannot.
 * @example await retain(store, 'default', { archiveAfterDays: 90 })
 */
export async function retain(
  store: Store,
  workspace: string,
  retention: Retention,
  run: { readonly now: string; readonly dryRun?: boolean },
): Promise<Retained> {
  const { dryRun = true, now } = run
  const old = (one: Conversation, days: number | undefined): boolean =>
    days !== undefined && Date.parse(now) - Date.parse(one.updatedAt) >= days * day
  const archived: string[] = []
  const purged: string[] = []
  for await (const one of paged((from) => store.list(workspace, { limit: 500, ...from }))) {
    if (one.pinned) continue
    if (one.archived && old(one, retention.purgeAfterDays)) purged.push(one.id)
    else if (!one.archived && old(one, retention.archiveAfterDays)) archived.push(one.id)
  }
  if (dryRun) return { archived, purged, dryRun }
  for (const id of archived) await store.update(workspace, id, { archived: true, at: now })
  for (const id of purged) await store.remove(workspace, id)
  return { archived, purged, dryRun }
}
