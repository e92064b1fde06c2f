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
  NewBlob,
  NewConversation,
  NewDraft,
  NewEvent,
  Page,
  PageQuery,
  Promotion,
  Reach,
  RecordAdd,
  RecordPut,
  RecordQuery,
  Removal,
  SearchQuery,
  Step,
  Store,
  StoredBlob,
  StoredEvent,
  StoredReceipt,
  StoredRecord,
  Stretch,
  Verification,
} from './contract.js'
export type { Body, Entry, MessageStatus, NewEntry } from './entry.js'
export { memoryStore } from './memory/store.js'
