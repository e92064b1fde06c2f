/** Whose records an adapter keeps, and where. */

import { HistoryError } from '../core/message/issue.js'
import type { Env } from '../engine/window/entries.js'
import { envOf } from '../engine/writing.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Store } from '../store/contract/store.js'
import { paged } from '../store/shared/page.js'
import { digest } from '../store/shared/runtime.js'

export interface DeskOptions {
  readonly store: Store
  /** Whose data it is. */
  readonly workspace?: string
  readonly env?: Partial<Env>
}

export interface Base {
  readonly store: Store
  readonly workspace: string
  readonly env: Env
}

export const deskOf = ({ store, workspace = 'default', env }: DeskOptions): Base => ({
  store,
  workspace,
  env: envOf(env),
})

/** Names of any length, as the id of a record. */
export const keyOf = (...names: readonly string[]): string => digest(JSON.stringify(names))

const tries = 200

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Does it again when someone else was faster; `write` looks at what there is now each time. */
export async function swap<T>(write: () => Promise<T>, lost: readonly string[] = ['record_moved']): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      if (!HistoryError.is(error) || !lost.includes(error.code) || attempt === tries) throw error
      await wait(Math.min(attempt, 20))
    }
  }
}

/** Every record of a kind, newest first, page by page. */
export function shelf({ store, workspace }: Base, kind: string, owner?: string): AsyncGenerator<StoredRecord> {
  const of = owner === undefined ? null : { conversation: owner }
  return paged((from) => store.records(workspace, { kind, limit: 200, ...of, ...from }))
}
