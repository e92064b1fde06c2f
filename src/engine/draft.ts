/** A message while it is streamed: one mutable row, promoted to exactly one message. */
import { HistoryError } from '../core/issue.js'
import type { Part } from '../core/item.js'
import { plain } from '../core/mend/plain.js'
import { sizeOf } from '../core/size.js'
import type { Appended, Draft } from '../store/contract.js'
import type { MessageStatus, NewEntry } from '../store/entry.js'
import type { Writing } from './entries.js'
import type { Source } from './window.js'

export interface DraftHandle {
  readonly id: string
  /** Saves what there is so far and renews the lease. */
  save(parts: readonly Part[]): Promise<void>
  finish(parts: readonly Part[], more?: { readonly model?: string }): Promise<Appended>
  /** Stopped by someone: what there is becomes an aborted message. */
  abort(): Promise<Appended | null>
}

interface Place {
  readonly source: Source
  readonly writing: Writing
  readonly head: string | null
}

export async function openDraft(
  { source, writing, head }: Place,
  branch: string,
  leaseSeconds: number,
): Promise<DraftHandle> {
  const { store, workspace, conversation } = source
  const { env } = writing
  const draft = await store.openDraft(workspace, conversation, {
    id: env.id(),
    branch,
    parent: head,
    leaseSeconds,
    at: env.now(),
  })
  let latest: readonly Part[] = []
  const promote = (parts: readonly Part[], status: MessageStatus, model?: string): Promise<Appended> =>
    store.promoteDraft(workspace, conversation, {
      id: draft.id,
      epoch: draft.epoch,
      entries: [messageEntry(draft.id, parts, status, writing, model)],
      at: env.now(),
    })
  return {
    id: draft.id,
    async save(parts) {
      latest = parts
      await store.saveDraft(workspace, conversation, {
        id: draft.id,
        epoch: draft.epoch,
        text: textOf(parts),
        body: parts,
        leaseSeconds,
      })
    },
    finish: (parts, more = {}) => promote(parts, 'complete', more.model),
    abort: () => promote(latest, 'aborted'),
  }
}

export interface Recovered {
  readonly conversation: string
  readonly draft: string
  readonly entry: string
}

/** Leases run on the store's clock; a draft whose owner is alive is left alone. */
export async function recoverDrafts({ store, workspace }: Source, writing: Writing): Promise<Recovered[]> {
  const recovered: Recovered[] = []
  for (const draft of await store.claimDrafts(workspace, 30)) {
    const entry = messageEntry(draft.id, partsOf(draft), 'aborted', writing)
    try {
      await store.promoteDraft(workspace, draft.conversation, {
        id: draft.id,
        epoch: draft.epoch,
        entries: [entry],
        at: writing.env.now(),
      })
      recovered.push({ conversation: draft.conversation, draft: draft.id, entry: entry.id })
    } catch (error) {
      // someone was faster, or the conversation is gone: either way nothing is left to recover
      if (!HistoryError.is(error) || !['fenced', 'not_found', 'gone'].includes(error.code)) throw error
    }
  }
  return recovered
}

const partsOf = (draft: Draft): readonly Part[] => (Array.isArray(draft.body) ? (draft.body as readonly Part[]) : [])

const textOf = (parts: readonly Part[]): string => plain({ role: 'assistant', parts }, 'drop')

/** The entry has the draft's id, so that a second promotion is known as one. */
function messageEntry(
  id: string,
  parts: readonly Part[],
  status: MessageStatus,
  { env, scale }: Writing,
  model?: string,
): NewEntry {
  return {
    id,
    body: { kind: 'message', role: 'assistant', parts, status },
    text: textOf(parts),
    tokens: sizeOf({ role: 'assistant', parts }, scale).tokens,
    at: env.now(),
    ...(model === undefined ? null : { model }),
  }
}
