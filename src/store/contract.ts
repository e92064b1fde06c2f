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
import type { Entry, NewEntry } from './entry.js'

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
  /**
   * Keeps the vectors of entries as `unembedded` gave them, all or none. What is gone meanwhile gets none, and what has
   * one keeps it.
   */
  putVectors(workspace: string, model: string, vectors: readonly NewVector[]): Promise<void>
  /** Forgets the vectors of every model; returns how many there were. */
  removeVectors(workspace: string): Promise<number>
  /** Makes anew what the next entries are found by, from their words; whoever searches meanwhile misses nothing. */
  reindex(workspace: string, query: PageQuery): Promise<Reindexed>

  /**
   * Removes the words of one entry everywhere they stand, the blobs that only it names among them; order, links and
   * chain stay.
   */
  redact(workspace: string, conversation: string, entry: string): Promise<Removal>
  /** Recomputes every hash and link of a conversation. */
  verify(workspace: string, conversation: string): Promise<Verification>
  close(): Promise<void>
}

export interface NewConversation {
  readonly id: string
  readonly title?: string
  readonly folder?: string
  readonly tags?: readonly string[]
  readonly meta?: Readonly<Record<string, unknown>>
  readonly at: string
}

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly folder: string | null
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly archived: boolean
  readonly meta: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly updatedAt: string
  /** Entries written so far; also the highest `seq`. */
  readonly entries: number
  readonly bytes: number
}

export interface ConversationPatch {
  readonly title?: string
  readonly folder?: string | null
  readonly tags?: readonly string[]
  readonly pinned?: boolean
  readonly archived?: boolean
  readonly meta?: Readonly<Record<string, unknown>>
  readonly at: string
}

export interface PageQuery {
  readonly limit: number
  /** As the last page gave it. */
  readonly cursor?: string
}

/** Newest first, pinned ones before the others. */
export interface ListQuery extends PageQuery {
  readonly archived?: boolean
  readonly pinned?: boolean
  readonly folder?: string
  readonly tag?: string
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly cursor: string | null
}

export interface AppendOptions {
  readonly branch: string
  /** The head the caller saw; left out, the entries go wherever the head is. */
  readonly expect?: string | null
  /** Begin at this entry instead of the head, or at the very beginning with null: a new branch, or one that moves. */
  readonly from?: string | null
  /** Idempotency key; its record commits with the entries. */
  readonly key?: string
  readonly at: string
}

export interface Appended {
  readonly entries: readonly Entry[]
  readonly head: string
  /** Nothing was written: all of it was there already. */
  readonly repeated: boolean
}

/** How far back a window query goes: it stops behind the first entry that crosses one of the limits. */
export interface Reach {
  readonly tokens?: number
  readonly entries?: number
  readonly turns?: number
}

export interface Stretch {
  readonly head: Entry | null
  /** Newest part of the path, oldest first. */
  readonly entries: readonly Entry[]
  /** The first user message of the path, when it is not among the entries. */
  readonly opener: Entry | null
  /** The newest summary on the path, when it is not among the entries. */
  readonly summary: Entry | null
}

export interface Branch {
  readonly name: string
  readonly head: string | null
  readonly updatedAt: string
}

export interface BranchMove {
  readonly name: string
  readonly head: string | null
  readonly expect: string | null
  readonly at: string
}

export interface NewDraft {
  readonly id: string
  readonly branch: string
  readonly parent: string | null
  readonly leaseSeconds: number
  readonly at: string
  /** What the owner wants to find again if it has to be recovered; null when left out. */
  readonly body?: unknown
  /** Refused as `busy` while the conversation has another draft. */
  readonly sole?: boolean
}

export interface Draft {
  readonly id: string
  readonly conversation: string
  readonly branch: string
  readonly parent: string | null
  readonly text: string
  readonly body: unknown
  /** Grows with every owner; a save with an older one is `fenced`. */
  readonly epoch: number
  readonly at: string
}

export interface DraftSave {
  readonly id: string
  readonly epoch: number
  readonly text: string
  readonly body: unknown
  readonly leaseSeconds: number
}

export interface Promotion {
  readonly id: string
  readonly epoch: number
  readonly entries: readonly NewEntry[]
  readonly at: string
}

/** The lease alone, when the words are safe elsewhere. */
export interface DraftRenewal {
  readonly id: string
  readonly epoch: number
  readonly leaseSeconds: number
}

/** One write of a commit, as data. */
export type Step =
  | { readonly do: 'append'; readonly entries: readonly NewEntry[]; readonly options: AppendOptions }
  | { readonly do: 'set-branch'; readonly move: BranchMove }
  | { readonly do: 'open-draft'; readonly draft: NewDraft }
  | { readonly do: 'save-draft'; readonly draft: DraftSave }
  | { readonly do: 'renew-draft'; readonly draft: DraftRenewal }
  | { readonly do: 'promote-draft'; readonly promotion: Promotion }
  /** The draft goes and leaves nothing: its owner had nothing to say. */
  | { readonly do: 'drop-draft'; readonly id: string; readonly epoch: number }
  | { readonly do: 'put-receipt'; readonly receipt: StoredReceipt }
  | { readonly do: 'put-record'; readonly record: Omit<RecordPut, 'conversation'> }
  | { readonly do: 'add-record'; readonly record: RecordAdd }
  | { readonly do: 'remove-record'; readonly kind: string; readonly id: string }
  | { readonly do: 'emit'; readonly events: readonly NewEvent[]; readonly at: string }

/** What became of each step, in their order. */
export interface Committed {
  readonly outcomes: readonly (Appended | Branch | Draft | StoredRecord | readonly StoredEvent[] | null)[]
  /** Nothing was written: all of it was there already. */
  readonly repeated: boolean
}

export interface NewEvent {
  /** Noun and verb: `text-delta`. */
  readonly type: string
  readonly data: unknown
}

export interface StoredEvent extends NewEvent {
  /** Gap-free within the conversation, from 1. */
  readonly number: number
  readonly at: string
}

export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** The lowest number that is still kept, or the next to be given when none is. */
  readonly oldest: number
  /** The highest number given so far, 0 before the first. */
  readonly newest: number
}

export interface RecordPut {
  readonly kind: string
  readonly id: string
  readonly body: unknown
  readonly at: string
  /** The conversation that owns it; it is removed with it. */
  readonly conversation?: string
  /** The revision it must have now, null for none; left out, whatever there is gives way. */
  readonly expect?: number | null
}

/** Adds to the numbers of a record, which is made when there is none: no one's addition is lost. */
export interface RecordAdd {
  readonly kind: string
  readonly id: string
  readonly numbers: Readonly<Record<string, number>>
  readonly at: string
}

export interface StoredRecord {
  readonly kind: string
  readonly id: string
  readonly conversation: string | null
  readonly body: unknown
  /** From 1, one more with each change. */
  readonly revision: number
  readonly createdAt: string
  readonly updatedAt: string
}

export interface RecordQuery extends PageQuery {
  readonly kind: string
  readonly conversation?: string
}

export interface SearchQuery extends PageQuery {
  readonly text: string
  readonly conversation?: string
  /** Only what is on the path of this branch of the conversation. */
  readonly branch?: string
  /** Only in conversations with this tag. */
  readonly tag?: string
  readonly role?: 'system' | 'user' | 'assistant' | 'tool'
  /** Said at or after, and before: instants in ISO form, compared as instants. */
  readonly since?: string
  readonly until?: string
  readonly near?: Near
}

/** What a query means. */
export interface Meant {
  /** Whose vector it is; vectors of different models are never compared. */
  readonly model: string
  readonly vector: Float32Array
  /** The cosine from which on an entry is near. */
  readonly least: number
}

export interface Near extends Meant {
  /** `meaning`: the nearest first. `both`: those with the words and the nearest, fused by their ranks. */
  readonly by: 'meaning' | 'both'
}

/** What leads to entries: words, or a meaning. */
export type Lead = string | Meant

/** Where an entry stands. */
export interface Spot {
  readonly conversation: string
  readonly seq: number
}

export interface Unembedded {
  readonly conversation: string
  readonly seq: number
  readonly text: string
}

export interface NewVector {
  readonly conversation: string
  readonly seq: number
  readonly vector: Float32Array
}

export interface Reindexed {
  /** So many were looked at. */
  readonly entries: number
  /** Where to go on; null when all are done. */
  readonly cursor: string | null
}

export interface Hit {
  readonly conversation: string
  readonly title: string
  readonly entry: string
  readonly seq: number
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly at: string
  /** A stretch of the text around the first word that was found, at most 240 chars. */
  readonly snippet: string
  /** Where the words stand in the snippet: from and to, in UTF-16 units. */
  readonly marks: readonly (readonly [from: number, to: number])[]
  /** Found with `near`: the cosine, or the sum of what its ranks are worth. */
  readonly score?: number
  /** Found with `near`: by what. */
  readonly why?: 'words' | 'meaning' | 'both'
}

export interface NewBlob {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

export interface BlobFacts {
  readonly sha256: string
  readonly mediaType: string
  readonly size: number
}

export interface StoredBlob extends BlobFacts {
  readonly bytes: Uint8Array
}

export interface StoredReceipt {
  readonly id: string
  readonly conversation: string
  /** The entry the window led to, once there is one. */
  readonly entry: string | null
  readonly at: string
  readonly body: unknown
}

/** What was removed, and where. */
export interface Removal {
  readonly conversation: string
  readonly entry: string | null
  readonly removed: Readonly<Record<string, number>>
}

export type Verification =
  | { readonly ok: true; readonly entries: number }
  | {
      readonly ok: false
      readonly entries: number
      readonly faults: readonly { readonly seq: number; readonly fault: string }[]
    }
