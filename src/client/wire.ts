/** What the service says, as it says it. */
import type { Issue } from '../core/issue.js'
import type { Part } from '../core/item.js'
import type { Marks } from '../core/marks.js'
import type { Receipt } from '../core/receipt.js'

export interface Page<T> {
  readonly items: readonly T[]
  readonly next_cursor: string | null
}

export interface Paging {
  readonly limit?: number
  readonly cursor?: string
}

export interface Conversation {
  readonly id: string
  readonly title: string
  readonly folder: string | null
  readonly tags: readonly string[]
  readonly pinned: boolean
  readonly archived: boolean
  readonly system: string | null
  readonly policy: string | null
  readonly model: string | null
  /** How far its windows look beyond it; null as the policy says. */
  readonly recall: RecallFrom | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly updated_at: string
  readonly entries: number
  readonly bytes: number
}

export interface NewConversation {
  readonly id?: string
  readonly title?: string
  readonly folder?: string
  readonly tags?: readonly string[]
  readonly system?: string
  readonly policy?: string
  readonly model?: string
  readonly recall?: RecallFrom
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface ConversationPatch {
  readonly title?: string
  readonly folder?: string | null
  readonly tags?: readonly string[]
  readonly pinned?: boolean
  readonly archived?: boolean
  readonly system?: string | null
  readonly policy?: string | null
  readonly model?: string | null
  readonly recall?: RecallFrom | null
  readonly meta?: Readonly<Record<string, unknown>>
}

export interface Rating {
  readonly value: number
  readonly note: string | null
  readonly at: string
}

interface Common {
  readonly id: string
  readonly seq: number
  readonly parent_id: string | null
  readonly depth: number
  readonly text: string
  readonly tokens: number
  readonly total_tokens: number
  readonly at: string
  readonly author: string | null
  readonly model: string | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly redacted: boolean
  readonly pinned: boolean
  readonly excluded: boolean
  readonly rating: Rating | null
}

/** One entry of the log. */
export type Message =
  | (Common & {
      readonly kind: 'message'
      readonly role: 'system' | 'user' | 'assistant'
      readonly parts: readonly Part[]
      readonly status: 'complete' | 'aborted'
    })
  | (Common & {
      readonly kind: 'result'
      readonly role: 'tool'
      readonly call_id: string
      readonly state: 'ok' | 'error'
      readonly parts: readonly Part[]
    })
  | (Common & { readonly kind: 'summary'; readonly parts: readonly Part[]; readonly until_id: string })
  | (Common & { readonly kind: 'note'; readonly label: string; readonly data: unknown })

/** A message in one line. */
export interface Brief {
  readonly id: string
  readonly depth: number
  readonly kind: Message['kind']
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | null
  readonly at: string
  readonly tokens: number
  readonly preview: string
  readonly pinned: boolean
  readonly excluded: boolean
}

/** A user's words, or a message with a role. */
export type NewMessage =
  | string
  | {
      readonly role: 'user' | 'assistant' | 'tool' | 'system' | 'orchestrator'
      readonly id?: string
      readonly content?: string | readonly { readonly type: string }[] | null
      /** As they are stored: text, files. */
      readonly parts?: readonly object[]
      readonly name?: string
      readonly timestamp?: string
      readonly tool_calls?: readonly { readonly id: string }[]
      readonly tool_call_id?: string
    }

export interface Appended {
  readonly branch: string
  readonly head_id: string
  readonly messages: readonly Message[]
  readonly repeated: boolean
  readonly warnings: readonly Issue[]
}

export interface Branch {
  readonly name: string
  readonly head_id: string | null
  readonly updated_at: string
}

/** A message as a place in the tree. */
export interface TreeNode {
  readonly id: string
  readonly parent_id: string | null
  readonly seq: number
  readonly depth: number
  readonly kind: Message['kind']
  readonly role: 'system' | 'user' | 'assistant' | 'tool' | null
  readonly child_count: number
  readonly sibling_ix: number
  readonly preview: string
  readonly tokens: number
}

export interface Tree {
  readonly head_id: string | null
  readonly nodes: readonly TreeNode[]
  readonly next_cursor: string | null
}

/** Only here; also at what is known; also at the workspace's other conversations. */
export type RecallFrom = 'conversation' | 'memories' | 'workspace'

export interface RunSettings {
  readonly model?: string
  readonly policy?: string
  readonly budget?: number
  readonly system?: string
  /** How far to look beyond the conversation. */
  readonly recall?: RecallFrom
  readonly output?: number
  readonly temperature?: number
}

export interface RunRequest extends Omit<RunSettings, 'policy'> {
  readonly message?: NewMessage
  readonly author?: string
  readonly branch?: string
  readonly expect?: string | null
  readonly when_busy?: 'refuse' | 'queue'
  readonly policy?: string | Readonly<Record<string, unknown>>
  readonly overrides?: Readonly<Record<string, unknown>>
  /** For this window in the place of the marks that are kept. */
  readonly marks?: Marks
  readonly tools?: readonly { readonly name: string; readonly description?: string; readonly parameters: object }[]
}

export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached?: number
  readonly thinking?: number
}

export interface Run {
  readonly id: string
  readonly conversation_id: string
  readonly branch: string
  readonly state: 'queued' | 'active' | 'done' | 'failed' | 'stopped' | 'interrupted'
  readonly model: string
  readonly policy: string
  readonly asked_id: string | null
  readonly message_id: string | null
  readonly receipt_id: string | null
  readonly finish: 'stop' | 'length' | 'calls' | 'filter' | 'other' | null
  readonly usage: Usage | null
  readonly drift: number | null
  readonly cost: number | null
  readonly error: { readonly code: string; readonly message: string } | null
  readonly started_at: string
  readonly ended_at: string | null
}

export interface StartedRun {
  readonly run: Run
  readonly events: string
  readonly repeated: boolean
  readonly warnings: readonly Issue[]
}

export interface KeptReceipt {
  readonly id: string
  readonly conversation_id: string
  readonly message_id: string | null
  readonly run_id: string | null
  readonly at: string
  readonly receipt: Receipt
  readonly explanation: string
}

export interface Replay {
  readonly same: boolean
  readonly before: { readonly hash: string; readonly length: number }
  readonly after: { readonly hash: string; readonly length: number }
  readonly receipt: Receipt
  /** The window as it goes out, in the form of its target. */
  readonly request: unknown
}

/** Two receipts side by side: only what differs. */
export interface ReceiptDiff {
  readonly same: boolean
  readonly facts: readonly { readonly field: string; readonly before: unknown; readonly after: unknown }[]
  readonly messages: readonly {
    readonly from: number
    readonly to: number
    readonly before: Verdict | null
    readonly after: Verdict | null
  }[]
}

interface Verdict {
  readonly fate: string
  readonly rule: string
}

/** What is to be other than it was; a budget of null is the one of the model. */
export interface WhatIf {
  readonly policy?: string
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly budget?: number | null
  readonly model?: string
  readonly risks?: boolean
  /** Messages by id, in the place of the marks that it heeded. */
  readonly marks?: Marks
}

export interface AssembleRequest {
  readonly conversation_id?: string
  readonly branch?: string
  readonly messages?: readonly unknown[]
  readonly current?: unknown
  readonly system?: string
  readonly policy?: string
  readonly overrides?: Readonly<Record<string, unknown>>
  readonly recall?: RecallFrom
  readonly marks?: Marks
  readonly budget?: number
  readonly model?: string
  readonly target?: string
  readonly risks?: boolean
}

export interface WindowItem {
  readonly role: 'system' | 'user' | 'assistant'
  readonly parts: readonly Part[]
  readonly index: number | null
  readonly text: string
  readonly fate: string
  readonly rule: string
  readonly tokens: number
  readonly id?: string
  /** Set on what no one said. */
  readonly mark?: 'gap' | 'cue' | 'summary' | 'recall'
}

/** What a model would get. */
export interface ContextWindow {
  readonly request: unknown
  readonly items: readonly WindowItem[]
  readonly receipt: Receipt
  readonly explanation: string
  readonly warnings: readonly Issue[]
  readonly head_id: string | null
}

export interface SearchQuery extends Paging {
  readonly q: string
  /** `keyword` unless said otherwise. */
  readonly mode?: 'keyword' | 'semantic' | 'hybrid'
  readonly conversation?: string
  /** With `conversation`. */
  readonly branch?: string
  readonly tag?: string
  readonly role?: 'system' | 'user' | 'assistant' | 'tool'
  readonly since?: string
  readonly until?: string
}

export interface Hit {
  readonly conversation_id: string
  readonly title: string
  readonly message_id: string
  readonly seq: number
  readonly role: string
  readonly at: string
  readonly snippet: string
  readonly marks: readonly (readonly [from: number, to: number])[]
  /** Not in mode `keyword`. */
  readonly score?: number
  readonly why?: 'words' | 'meaning' | 'both'
}

export interface Found extends Page<Hit> {
  /** Not in mode `keyword`: why there may be more, or better. */
  readonly warnings?: readonly Issue[]
}

export interface NewShare {
  readonly branch?: string
  readonly mode?: 'snapshot' | 'live'
  /** Seconds. */
  readonly expires_in?: number
  readonly title?: string
  readonly authors?: boolean
}

export interface Share {
  readonly id: string
  readonly branch: string
  readonly mode: 'snapshot' | 'live'
  readonly title: string | null
  readonly authors: boolean
  readonly created_at: string
  readonly expires_at: string
}

/** `profile`: who someone is and what they want always; `semantic`: something that is so. */
export type MemoryKind = 'profile' | 'semantic'

/** Something that is known beyond one conversation. */
export interface Memory {
  readonly id: string
  readonly kind: MemoryKind
  readonly text: string
  readonly source: { readonly conversation_id: string; readonly message_id: string } | null
  readonly author: string
  readonly created_at: string
  readonly updated_at: string
  readonly revision: number
}

export interface NewMemory {
  readonly kind: MemoryKind
  readonly text: string
  /** Where it comes from, with `message_id`. */
  readonly conversation_id?: string
  readonly message_id?: string
}

export interface MemoryPatch {
  readonly kind?: MemoryKind
  readonly text?: string
  /** The revision you saw. */
  readonly expect?: number
}

export interface Model {
  readonly id: string
  readonly label: string
  readonly kind: 'builtin' | 'local' | 'hosted'
  readonly ai: boolean
  readonly window: number
  readonly ready: boolean
  readonly note?: string
}

export interface PolicyListing {
  readonly name: string
  readonly says: string
  readonly hash: string
  readonly policy: Readonly<Record<string, unknown>>
}

export interface System {
  readonly service: 'throughline'
  readonly version: string | null
  readonly storage: string | null
  readonly auth: 'open' | 'keys'
  readonly model: string
  readonly ai: boolean
  readonly hint?: string
  readonly models: readonly Model[]
  readonly tokenizers: readonly string[]
  readonly limits: Readonly<Record<'body_bytes' | 'blob_bytes' | 'query_bytes' | 'depth' | 'values', number>>
}

export interface UsageFigures {
  readonly runs: number
  readonly done: number
  readonly failures: number
  readonly stopped: number
  readonly messages: number
  readonly tokens_sent: number
  readonly tokens_saved: number
  readonly messages_dropped: number
  /** Messages by what became of them, counted anew in each window. */
  readonly fates: Readonly<Record<string, number>>
  readonly tokens_input: number
  readonly tokens_output: number
  readonly cost: number
  readonly prefix_reuse: number | null
}

export interface UsageReport {
  readonly from: string
  readonly to: string
  readonly totals: UsageFigures
  readonly days: readonly (UsageFigures & { readonly day: string })[]
  readonly conversations: readonly (UsageFigures & {
    readonly conversation_id: string
    readonly title: string | null
  })[]
  readonly rules: readonly { readonly fate: string; readonly rule: string; readonly messages: number }[]
}

export interface Label {
  readonly name: string
  readonly conversations: number
}

/** The folders and tags in use. */
export interface Labels {
  readonly folders: readonly Label[]
  readonly tags: readonly Label[]
  readonly whole: boolean
}

export interface ChatRequest {
  readonly message: string
  readonly session_id?: string
  readonly model?: string
  readonly policy?: string
  readonly system?: string
  readonly recall?: RecallFrom
  readonly author?: string
}

export interface ChatAnswer {
  readonly session_id: string
  readonly response: string
  readonly message_id: string | null
  readonly answer_id: string | null
  readonly run_id: string
  readonly receipt_id: string | null
  readonly model: string
  readonly ai: boolean
  readonly label?: string
  readonly state: 'done' | 'stopped'
  readonly usage: Usage | null
  readonly warnings: readonly Issue[]
  readonly trace_id: string
}
