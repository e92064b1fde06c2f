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
export type { QueryAnswer, QueryEvent, QueryIssue, QueryRequest, QueryTurn, QueryWindow } from './query.js'
export type {
  Connection,
  ConnectionList,
  NewConnection,
  OfferedModel,
  TestedConnection,
} from './wire/connection.js'
export type {
  Branch,
  Conversation,
  ConversationPatch,
  Effort,
  Label,
  Labels,
  NewConversation,
  RecallFrom,
  Tree,
  TreeNode,
} from './wire/conversation.js'
export type { Memory, MemoryKind, MemoryPatch, NewMemory } from './wire/memory.js'
export type { Appended, Brief, Message, NewMessage, Rating } from './wire/message.js'
export type { Page, Paging } from './wire/page.js'
export type {
  ChatAnswer,
  ChatRequest,
  Decided,
  Decision,
  Run,
  RunRequest,
  RunSettings,
  StartedRun,
  Usage,
} from './wire/run.js'
export type { Found, Hit, SearchQuery } from './wire/search.js'
export type { NewShare, Share } from './wire/share.js'
export type { Model, PolicyListing, System, UsageFigures, UsageReport } from './wire/system.js'
export type {
  AssembleRequest,
  ContextWindow,
  KeptReceipt,
  ReceiptDiff,
  Replay,
  WhatIf,
  WindowItem,
} from './wire/window.js'
