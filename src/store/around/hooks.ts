/** Told of what a store has kept: the same two names wherever a store is used. */
import type { Appended } from '../contract/append.js'
import type { Entry } from '../contract/entry.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Store } from '../contract/store.js'

/** What throws here is the caller's own to see: it is passed on, and what was kept stays kept. */
export interface Hooks {
  /** Told of each entry once it is kept. A repetition is not told again. */
  readonly onEntry?: (entry: Entry, place: HookPlace) => void
  /** Told of each receipt once it is kept. */
  readonly onReceipt?: (receipt: StoredReceipt, place: HookPlace) => void
}

export interface HookPlace {
  readonly workspace: string
  readonly conversation: string
}

/**
 * A store that tells what it keeps, whoever writes: a history, an adapter, the service.
 *
 * @example
 * ```ts
 * const store = withHooks(await sqliteStore('chat.db'), { onEntry: ({ text }) => console.log(text) })
 * ```
 */
export function withHooks<S extends Store>(store: S, { onEntry, onReceipt }: Hooks): S {
  if (!onEntry && !onReceipt) return store
  const told = (done: Appended, place: HookPlace): Appended => {
    if (!done.repeated) for (const entry of done.entries) onEntry?.(entry, place)
    return done
  }
  return {
    ...store,
    append: async (workspace, conversation, batch, options) =>
      told(await store.append(workspace, conversation, batch, options), { workspace, conversation }),
    promoteDraft: async (workspace, conversation, promotion) =>
      told(await store.promoteDraft(workspace, conversation, promotion), { workspace, conversation }),
    async putReceipt(workspace, receipt) {
      await store.putReceipt(workspace, receipt)
      onReceipt?.(receipt, { workspace, conversation: receipt.conversation })
    },
    async commit(workspace, conversation, steps) {
      const done = await store.commit(workspace, conversation, steps)
      const place = { workspace, conversation }
      if (done.repeated) return done
      for (const [i, step] of steps.entries()) {
        if (step.do === 'append' || step.do === 'promote-draft') told(done.outcomes[i] as Appended, place)
        if (step.do === 'put-receipt') onReceipt?.(step.receipt, place)
      }
      return done
    },
  } satisfies Store as S
}
