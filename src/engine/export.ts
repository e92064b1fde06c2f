/** Everything a conversation holds, as data: leaving is as easy as coming. */

import type { Branch } from '../store/contract/branch.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Draft } from '../store/contract/draft.js'
import type { Entry } from '../store/contract/entry.js'
import type { BlobFacts, StoredReceipt } from '../store/contract/keeping.js'
import { namedBy } from '../store/shared/link.js'
import { paged } from '../store/shared/page.js'
import { refusal } from '../store/shared/refuse.js'
import { toBase64 } from '../store/shared/runtime.js'
import { nextTurn } from '../store/shared/turn.js'
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
  readonly blobs: readonly NamedBlob[]
}

type NamedBlob = BlobFacts & { readonly base64: string }

export async function exportOf(source: Source): Promise<Exported> {
  const { store, workspace, conversation: id } = source
  const conversation = await store.get(workspace, id)
  if (!conversation) throw refusal('gone', 'the conversation was deleted', { field: 'conversation', value: id })
  // before the entries, so that every head is among them
  const branches = await store.branches(workspace, id)
  const drafts = await store.drafts(workspace, id)
  const named = new Map<string, string>()
  const entries = await gathered(entriesIn(source, named))
  const blobs = await gathered(blobsIn(source, named))
  const receipts = await gathered(receiptsIn(source))
  return { schema: 'throughline.conversation/1', conversation, branches, entries, drafts, receipts, blobs }
}

export const everyEntry = (source: Source): Promise<readonly Entry[]> => gathered(entriesIn(source))

async function gathered<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}

/** Every entry in the order of `seq`; the blobs they name are told to `named`, with their types. */
export async function* entriesIn(source: Source, named?: Map<string, string>): AsyncGenerator<Entry> {
  const { store, workspace, conversation } = source
  for (let after = 0; ; ) {
    const page = await store.feed(workspace, conversation, after, 500)
    if (named) for (const entry of page) for (const [sha256, type] of namedBy(entry)) named.set(sha256, type)
    yield* page
    const last = page.at(-1)
    if (!last) return
    after = last.seq
    await nextTurn()
  }
}

export const receiptsIn = ({ store, workspace, conversation }: Source): AsyncGenerator<StoredReceipt> =>
  paged((from) => store.receipts(workspace, conversation, { limit: 100, ...from }))

/** The hash of an entry covers the type that it names, and nothing covers the one that is kept with the bytes. */
export async function* blobsIn({ store, workspace }: Source, named: ReadonlyMap<string, string>) {
  for (const [sha256, mediaType] of named) {
    const found = await store.getBlob(workspace, sha256)
    if (found) yield { sha256, mediaType, size: found.size, base64: toBase64(found.bytes) } satisfies NamedBlob
  }
}
