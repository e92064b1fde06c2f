/**
 * What a store promises. Every method is there in every store, and every method takes the workspace: there is no way to
 * ask for data without saying whose it is. `storeSuite` in `throughline/testing` is the definition of correct.
 *
 * Refusals are `HistoryError`s with a stable code:
 * `not_found` (foreign and missing alike), `gone` (deleted), `head_moved` (the value is the current head),
 * `id_conflict`, `key_reused`, `unknown_parent`, `unknown_call`, `already_answered`, `fenced`, `busy` (the value is the
 * draft that is open), `record_moved` (the value is the record's revision now, null when there is none), `invalid`,
 * `too_large`, `storage_full`, `unavailable`, `newer_format`.
 */
import type { Appended, AppendOptions, Reach, Stretch } from './append.js'
import type { Branch, BranchMove } from './branch.js'
import type { Committed, Step } from './commit.js'
import type { Conversation, ConversationPatch, ListQuery, NewConversation } from './conversation.js'
import type { Draft, DraftSave, NewDraft, Promotion } from './draft.js'
import type { Entry, NewEntry } from './entry.js'
import type { EventPage } from './event.js'
import type { BlobFacts, NewBlob, StoredBlob, StoredReceipt } from './keeping.js'
import type { Page, PageQuery } from './page.js'
import type { RecordPut, RecordQuery, StoredRecord } from './record.js'
import type { Hit, Lead, NewVector, Reindexed, SearchQuery, Spot, Unembedded } from './search.js'
import type { NewSheet, Sheet } from './sheet.js'
import type { Removal, Verification } from './upkeep.js'

/** Where conversations are kept. Implement it for a database of your own; `storeSuite` of `throughline/testing` judges the result. */
export interface Store {
  create(workspace: string, input: NewConversation): Promise<Conversation>
  get(workspace: string, conversation: string): Promise<Conversation | null>
  list(workspace: string, query: ListQuery): Promise<Page<Conversation>>
  update(workspace: string, conversation: string, patch: ConversationPatch): Promise<Conversation>
  /** Removes everything the conversation owns and leaves a tombstone, so that a late writer gets `gone`. */
  remove(workspace: string, conversation: string): Promise<Removal>

  /**
   * Atomic: all of the steps in their order, or none of them. If an `append` or a `promote-draft` among them is an exact
   * repetition, the whole commit is one: nothing is written, and the outcomes of the other steps are null.
   */
  commit(workspace: string, conversation: string, steps: readonly Step[]): Promise<Committed>

  /** Atomic. The entries follow one another from the branch's head, which moves by compare-and-swap. */
  append(workspace: string, conversation: string, batch: readonly NewEntry[], options: AppendOptions): Promise<Appended>
  entry(workspace: string, conversation: string, id: string): Promise<Entry | null>
  /** From the root (or `limit` entries back) to the given entry, oldest first. */
  path(workspace: string, conversation: string, head: string, limit?: number): Promise<readonly Entry[]>
  /** Only the rows that can be in a window: the newest of the branch within the reach, and the opener. */
  window(workspace: string, conversation: string, branch: string, reach: Reach): Promise<Stretch>
  /** Entries with a `seq` above `after`, in order; none is ever skipped. */
  feed(workspace: string, conversation: string, after: number, limit: number): Promise<readonly Entry[]>
  children(workspace: string, conversation: string, parent: string | null): Promise<readonly Entry[]>

  branches(workspace: string, conversation: string): Promise<readonly Branch[]>
  /** Creates or moves a branch; `expect` is its head now, null when there is no such branch yet. */
  setBranch(workspace: string, conversation: string, branch: BranchMove): Promise<Branch>
  removeBranch(workspace: string, conversation: string, name: string): Promise<void>

  /** The one mutable row: a message while it is streamed. The lease runs on the store's own clock. */
  openDraft(workspace: string, conversation: string, draft: NewDraft): Promise<Draft>
  saveDraft(workspace: string, conversation: string, draft: DraftSave): Promise<Draft>
  drafts(workspace: string, conversation: string): Promise<readonly Draft[]>
  /**
   * Exactly once: the draft becomes the given entries, in one transaction. They follow whatever its branch has come to
   * since; if the branch no longer leads on from the draft's parent, they follow that parent on a branch of their own,
   * `<branch>-<draft id>`. Nothing that was appended meanwhile is left behind.
   */
  promoteDraft(workspace: string, conversation: string, promotion: Promotion): Promise<Appended>
  /** Takes over drafts whose lease has run out; each is given to one caller, with a new epoch. */
  claimDrafts(workspace: string, leaseSeconds: number): Promise<readonly Draft[]>

  putBlob(workspace: string, conversation: string, blob: NewBlob): Promise<BlobFacts>
  getBlob(workspace: string, sha256: string): Promise<StoredBlob | null>

  putReceipt(workspace: string, receipt: StoredReceipt): Promise<void>
  getReceipt(workspace: string, id: string): Promise<StoredReceipt | null>
  receipts(workspace: string, conversation: string, query: PageQuery): Promise<Page<StoredReceipt>>

  /** Events with a number above `after`, in order; none is ever skipped, and none is seen before it is durable. */
  events(workspace: string, conversation: string, after: number, limit: number): Promise<EventPage>
  /** Forgets the events up to a number; the numbers go on. */
  trimEvents(workspace: string, conversation: string, upTo: number): Promise<void>
  /**
   * Calls back after a commit with events, in whatever process it was made. Only a wake-up: it may come late, twice or
   * for nothing, and the truth is read from the log. Returns what ends it.
   */
  watch(workspace: string, conversation: string, wake: () => void): () => void

  /** Small documents beside the log: runs, shares, ratings, keys, tasks. Those of a conversation go with it. */
  putRecord(workspace: string, record: RecordPut): Promise<StoredRecord>
  getRecord(workspace: string, kind: string, id: string): Promise<StoredRecord | null>
  removeRecord(workspace: string, kind: string, id: string): Promise<void>
  /** In the order they were first put, newest first. */
  records(workspace: string, query: RecordQuery): Promise<Page<StoredRecord>>

  /**
   * Entries that have all the words asked for, the last one as a beginning; newest first. Sees every append before it.
   * With `near`, those of like meaning among the entries that have a vector; the best first.
   */
  search(workspace: string, query: SearchQuery): Promise<Page<Hit>>
  /**
   * Where entries stand that have the words of a text, the newest first, or that are near in meaning, the nearest first; so
   * many for each lead, as `search` finds them. For those who look for much at once and read it themselves.
   */
  locate(workspace: string, leads: readonly Lead[], limit: number): Promise<readonly (readonly Spot[])[]>
  /** The entries that stand there, in whatever conversations: as many as were asked for, null for what is not there. */
  pick(workspace: string, spots: readonly Spot[]): Promise<readonly (Entry | null)[]>
  /** Entries that can be found and have no vector of this model yet, in the order in which they can be found. */
  unembedded(workspace: string, model: string, limit: number): Promise<readonly Unembedded[]>
  /** Keeps the vectors of entries as `unembedded` gave them, all or none. What is gone meanwhile gets none, and what has one keeps it. */
  putVectors(workspace: string, model: string, vectors: readonly NewVector[]): Promise<void>
  /** Forgets the vectors of every model; returns how many there were. */
  removeVectors(workspace: string): Promise<number>
  /** Makes anew what the next entries are found by, from their words; whoever searches meanwhile misses nothing. */
  reindex(workspace: string, query: PageQuery): Promise<Reindexed>

  /**
   * Keeps a sheet, in the place of one of its kind that begins with the same entry and goes less far. It goes with the words of
   * any of its entries; where words went since it was made, it is not kept at all. True when it was kept.
   */
  putSheet(workspace: string, conversation: string, kind: string, sheet: NewSheet): Promise<boolean>
  /** Those of a kind, in the order of their entries; all, or those that begin with the given ones. */
  sheets(workspace: string, conversation: string, kind: string, firsts?: readonly number[]): Promise<readonly Sheet[]>

  /** Removes the words of one entry everywhere they stand, the blobs that only it names among them; order, links and chain stay. */
  redact(workspace: string, conversation: string, entry: string): Promise<Removal>
  /** Recomputes every hash and link of a conversation. */
  verify(workspace: string, conversation: string): Promise<Verification>
  close(): Promise<void>
}
