/** What a conversation is, and how it is changed. */
import type { Step } from './commit.js'
import type { PageQuery } from './page.js'

/** A conversation to begin. */
export interface NewConversation {
  readonly id: string
  readonly title?: string
  readonly folder?: string
  readonly tags?: readonly string[]
  readonly meta?: Readonly<Record<string, unknown>>
  readonly at: string
  /** The first writes to it, in the same transaction: it is there with all of them, or not at all. */
  readonly steps?: readonly Step[]
}

/** A conversation as it is listed: everything but its messages. */
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

/** What to change of a conversation; what is left out stays. */
export interface ConversationPatch {
  readonly title?: string
  readonly folder?: string | null
  readonly tags?: readonly string[]
  readonly pinned?: boolean
  readonly archived?: boolean
  readonly meta?: Readonly<Record<string, unknown>>
  readonly at: string
}

/** Newest first, pinned ones before the others. */
export interface ListQuery extends PageQuery {
  readonly archived?: boolean
  readonly pinned?: boolean
  readonly folder?: string
  readonly tag?: string
}
