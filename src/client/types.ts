/** Names for what goes in and out, by operation. The types themselves are made from the schemas: `wire.ts`. */
import type { Operations } from './wire.js'

export type Input<Name extends keyof Operations> = Operations[Name]['input']
export type Output<Name extends keyof Operations> = Operations[Name]['output']

/** What is said besides the ids of the path. */
type Body<Name extends keyof Operations> = Omit<Input<Name>, 'conversation_id' | 'message_id' | 'run_id' | 'receipt_id'>

/** A page of anything. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export type Paging = Pick<Input<'conversations.list'>, 'limit' | 'cursor'>

export type NewConversation = Input<'conversations.create'>
export type ConversationPatch = Body<'conversations.update'>
export type ConversationFilter = Omit<Input<'conversations.list'>, keyof Paging>
export type Effort = NonNullable<NewConversation['effort']>
/** Only here; also at what is known; also at the workspace's other conversations. */
export type RecallFrom = NonNullable<NewConversation['recall']>
export type Label = Output<'labels.list'>['tags'][number]
export type Tree = Output<'tree.get'>
export type TreeQuery = Body<'tree.get'>

export type MessageQuery = Body<'messages.list'>
export type AppendRequest = Omit<Body<'messages.append'>, 'title'>
export type EditRequest = Body<'messages.edit'>
export type AgainRequest = Body<'messages.regenerate'>
export type RatingRequest = Body<'messages.rate'>
export type SearchQuery = Input<'messages.search'>
export type Found = Output<'messages.search'>

export type RunRequest = Body<'runs.start'>
export type RunSettings = NonNullable<AgainRequest['run']>
export type Usage = NonNullable<Output<'runs.get'>['usage']>
export type Decision = Body<'runs.decide'>
export type ChatRequest = Omit<Input<'chat'>, 'stream'>

export type AssembleRequest = Input<'windows.assemble'>
export type WhatIf = Body<'receipts.what_if'>

export type NewMemory = Input<'memories.add'>
export type MemoryPatch = Omit<Input<'memories.correct'>, 'memory_id'>
export type MemoryKind = Output<'memories.get'>['kind']

export type NewShare = Body<'shares.create'>
export type NewConnection = Input<'connections.add'>
export type ConnectionList = Output<'connections.list'>
export type OfferedModel = Output<'offers.list'>['models'][number]
export type UsageFigures = Output<'usage.get'>['totals']

export type NewToolServer = Input<'tool_servers.add'>
export type ToolApproval = Output<'tool_servers.add'>['approval']
export type Imported = Output<'transfer.import'>
