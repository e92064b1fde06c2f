/** Everything a conversation holds, as data: leaving is as easy as coming. */

import type { Branch } from '../store/contract/branch.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Draft } from '../store/contract/draft.js'
import type { Entry } from '../store/contract/entry.js'
import type { BlobFacts, StoredReceipt } from '../store/contract/keeping.js'
import { blobsOf } from '../store/shared/link.js'
import { refusal } from '../store/shared/refuse.js'
import { toBase64 } from '../store/shared/runtime.js'
import type { Source } from './window/window.js'

/** A whole conversation as JSON, every branch included, with what proves that it is complete. */
export interface Exported {
  readonly schema: 'throughline.conversation/1'
  readonly conversation: Conversation
  readonly branches: readonly Branch[]
  /** In the order of `seq`, every branch included. */
  readonly entries: readonly Entry[]
  readonly drafts: readonly Draft[]
  readonly receipts: readonly StoredReceipt[]
  /** The blobs that the entries name. */
  readonly blobs: readonly (BlobFacts & { readonly base64: string })[]
}

export async function exportOf(source: Source): Promise<Exported> {
  const { store, workspace, conversation: id } = source
  const conversation = await store.get(workspace, id)
  if (!conversation) throw refusal('gone', 'the conversation was deleted', { field: 'conversation', value: id })
  // before the entries, so that every head is among them
  const branches = await store.branches(workspace, id)
  const drafts = await store.drafts(workspace, id)
  const entries = await everyEntry(source)
  const blobs = await blobsIn(entries, source)
  const receipts = await everyReceipt(source)
  return { schema: 'throughline.conversation/1', conversation, branches, entries, drafts, receipts, blobs }
}

export async function everyEntry({ store, workspace, conversation }: Source): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for (;;) {
    const next = await store.feed(workspace, conversation, entries.at(-1)?.seq ?? 0, 1_000)
    if (next.length === 0) return entries
    entries.push(...next)
  }
}

async function everyReceipt({ store, workspace, conversation }: Source): Promise<readonly StoredReceipt[]> {
  const receipts: StoredReceipt[] = []
  let cursor: string | null | undefined
  do {
    const page = await store.receipts(workspace, conversation, { limit: 500, ...(cursor ? { cursor } : null) })
    receipts.push(...page.items)
    cursor = page.cursor
  } while (cursor)
  return receipts
}

async function blobsIn(entries: readonly Entry[], { store, workspace }: Source): Promise<Exported['blobs']> {
  const blobs: (BlobFacts & { readonly base64: string })[] = []
  for (const sha256 of new Set(entries.flatMap(blobsOf))) {
    const found = await store.getBlob(workspace, sha256)
    if (!found) continue
    const { bytes, ...facts } = found
    blobs.push({ ...facts, base64: toBase64(bytes) })
  }
  return blobs
}
