/**
 * The service from outside: a typed client over fetch, for browsers and for everything else that has it. It imports
 * types of core and nothing that runs there.
 */
export type { ClientOptions } from './call.js'
export {
  type AgainRequest,
  type AppendRequest,
  type CallOptions,
  type Client,
  type ConversationFilter,
  type EditRequest,
  type MessageQuery,
  openClient,
  type TreeQuery,
} from './client.js'
export { ApiError, type FieldFault } from './error.js'
export type { Event } from './event.js'
export type { FollowOptions } from './follow.js'
export type {
  Appended,
  AssembleRequest,
  Branch,
  Brief,
  ChatAnswer,
  ChatRequest,
  ContextWindow,
  Conversation,
  ConversationPatch,
  Hit,
  KeptReceipt,
  Label,
  Labels,
  Memory,
  MemoryKind,
  MemoryPatch,
  Message,
  Model,
  NewConversation,
  NewMemory,
  NewMessage,
  NewShare,
  Page,
  Paging,
  PolicyListing,
  Rating,
  RecallFrom,
  ReceiptDiff,
  Replay,
  Run,
  RunRequest,
  RunSettings,
  SearchQuery,
  Share,
  StartedRun,
  System,
  Tree,
  TreeNode,
  Usage,
  UsageFigures,
  UsageReport,
  WhatIf,
  WindowItem,
} from './wire.js'
