/**
 * The store's contract, and the store in memory.
 *
 * @module
 */
export type {
  Appended,
  AppendOptions,
  BlobFacts,
  Branch,
  BranchMove,
  Committed,
  Conversation,
  ConversationPatch,
  Draft,
  DraftRenewal,
  DraftSave,
  EventPage,
  Hit,
  ListQuery,
  Near,
  NewBlob,
  NewConversation,
  NewDraft,
  NewEvent,
  NewVector,
  Page,
  PageQuery,
  Promotion,
  Reach,
  RecordAdd,
  RecordPut,
  RecordQuery,
  Reindexed,
  Removal,
  SearchQuery,
  Step,
  Store,
  StoredBlob,
  StoredEvent,
  StoredReceipt,
  StoredRecord,
  Stretch,
  Unembedded,
  Verification,
} from './contract.js'
export type { Body, Entry, MessageStatus, NewEntry } from './entry.js'
export { memoryStore } from './memory/store.js'
