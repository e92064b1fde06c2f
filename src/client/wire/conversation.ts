/** Conversations as the service tells of them, with their branches and labels. */
import type { Message } from './message.js'

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
  /** Most tokens of a request to the model. */
  readonly budget: number | null
  readonly temperature: number | null
  readonly effort: Effort | null
  readonly tools: boolean | null
  readonly meta: Readonly<Record<string, unknown>>
  readonly created_at: string
  readonly updated_at: string
  readonly entries: number
  readonly bytes: number
}

/** How hard a model thinks, where it can be told. */
export type Effort = 'low' | 'medium' | 'high'

export interface NewConversation {
  readonly id?: string
  readonly title?: string
  readonly folder?: string
  readonly tags?: readonly string[]
  readonly system?: string
  readonly policy?: string
  readonly model?: string
  readonly recall?: RecallFrom
  readonly budget?: number
  readonly temperature?: number
  readonly effort?: Effort
  readonly tools?: boolean
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
  readonly budget?: number | null
  readonly temperature?: number | null
  readonly effort?: Effort | null
  readonly tools?: boolean | null
  readonly meta?: Readonly<Record<string, unknown>>
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

/** Only here; also at what is known; also at the workspace's other conversations. */
export type RecallFrom = 'conversation' | 'memories' | 'workspace'

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
