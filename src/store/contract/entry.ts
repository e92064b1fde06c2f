/** One immutable row of a conversation's log. */
import type { OutputPart, Part, Role } from '../../core/message/item.js'

/** What an entry says. A tool call sits in an assistant message; its result is an entry of its own. */
export type Body =
  | { readonly kind: 'message'; readonly role: Role; readonly parts: readonly Part[]; readonly status: MessageStatus }
  | {
      readonly kind: 'result'
      readonly callId: string
      readonly state: 'ok' | 'error'
      readonly output: readonly OutputPart[]
    }
  /** Stands for the entries up to `until`, which stay. */
  | { readonly kind: 'summary'; readonly parts: readonly Part[]; readonly until: string }
  /** For people and programs; never part of a window. */
  | { readonly kind: 'note'; readonly label: string; readonly data: unknown }

/** `aborted`: the answer was cut short, by a crash or by someone who stopped it. */
export type MessageStatus = 'complete' | 'aborted'

/** As the caller writes it. */
export interface NewEntry {
  /** Chosen by the caller, so that a retry is known as one. */
  readonly id: string
  readonly body: Body
  /** The plain text of the entry, in a column of its own: for search and for people with a SQL prompt. */
  readonly text: string
  /** Tokens of this entry alone, by the history's counter. */
  readonly tokens: number
  /** When it was said, as the caller has it; never used for order. */
  readonly at: string
  readonly author?: string
  readonly model?: string
  /** Small facts of the caller's own. */
  readonly meta?: Readonly<Record<string, unknown>>
}

/** As it is stored. */
export interface Entry extends NewEntry {
  /** Gap-free within the conversation, given by the store inside the write: the only order there is. */
  readonly seq: number
  readonly parent: string | null
  /** Position on its path, from 0. */
  readonly depth: number
  /** Tokens of the path up to and including this entry. */
  readonly total: number
  /** Turns (user messages) of the path up to and including this entry. */
  readonly turns: number
  /** The first user message of its path, itself included. */
  readonly opener: string | null
  /** The newest summary of its path, itself included. */
  readonly summary: string | null
  /** SHA-256 of what it says, and of that chained to the hash of its parent. */
  readonly contentHash: string
  readonly hash: string
  /** Its words were removed on request; the chain still holds. */
  readonly redacted: boolean
}
