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
  Conversation,
  ConversationPatch,
  Draft,
  DraftSave,
  ListQuery,
  NewBlob,
  NewConversation,
  NewDraft,
  Page,
  PageQuery,
  Promotion,
  Reach,
  Removal,
  Store,
  StoredBlob,
  StoredReceipt,
  Stretch,
  Verification,
} from './contract.js'
export type { Body, Entry, MessageStatus, NewEntry } from './entry.js'
export { memoryStore } from './memory/store.js'
