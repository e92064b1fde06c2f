/**
 * The store's contract, and the store in memory.
 *
 * @module
 */

export { type HookPlace, type Hooks, withHooks } from './around/hooks.js'
export type { Appended, AppendOptions, Reach, Stretch } from './contract/append.js'
export type { Branch, BranchMove } from './contract/branch.js'
export type { Committed, Step } from './contract/commit.js'
export type { Conversation, ConversationPatch, ListQuery, NewConversation } from './contract/conversation.js'
export type { Draft, DraftRenewal, DraftSave, NewDraft, Promotion } from './contract/draft.js'
export type { Body, Entry, MessageStatus, NewEntry } from './contract/entry.js'
export type { EventPage, NewEvent, StoredEvent } from './contract/event.js'
export type { BlobFacts, NewBlob, StoredBlob, StoredReceipt } from './contract/keeping.js'
export type { Page, PageQuery } from './contract/page.js'
export type { RecordAdd, RecordPut, RecordQuery, StoredRecord } from './contract/record.js'
export type { Hit, Lead, Meant, Near, NewVector, Reindexed, SearchQuery, Spot, Unembedded } from './contract/search.js'
export type { Store } from './contract/store.js'
export type { Removal, Verification } from './contract/upkeep.js'
export { memoryStore } from './memory/store.js'
