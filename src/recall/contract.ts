/** What a window asks of recall: the earlier messages that matter for the message to answer. */
import type { Issue } from '../core/message/issue.js'
import type { RecallShare } from '../core/receipt/receipt.js'
import type { Recalled } from '../core/window/recall.js'
import type { Store } from '../store/contract/store.js'

/** What is free for what is found. */
export interface Room {
  /** From this depth on everything is in the window anyway; null when that is not known. */
  readonly inWindow: number | null
  /** About so many tokens are free. */
  readonly tokens: number
  /** So many are free for memories that always count, even where the history takes all the others. */
  readonly always: number
}

/** What a recaller is asked: the message to answer, where, and how much room there is. */
export interface Asked extends Room {
  readonly store: Store
  readonly workspace: string
  readonly conversation: string
  readonly branch: string
  readonly head: string | null
  /** The words of the message to answer. */
  readonly current: string
  /** What was said just before it, oldest first. */
  readonly recent: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly text: string }[]
  /** What would be free if the newest turns gave way, as they do for a message that asks about the past. */
  readonly past: (share: Exclude<RecallShare, 'usual'>) => Room
  readonly now: string | undefined
  /** Where to look, each further than the one before. */
  readonly from: 'conversation' | 'memories' | 'workspace'
}

/** What a recaller found, best first. */
export interface Answer {
  /** Best first. */
  readonly items: readonly Recalled[]
  /** `past` when the message asks about the past: the newest turns give way; `alone` when even the newest may be cut. */
  readonly share?: RecallShare
  /** Why they may not be the best. */
  readonly warning?: Issue
}

/** Finds earlier messages that matter for the one to answer: `createRecaller`, or a function of your own. */
export type Recaller = (asked: Asked) => Promise<Answer>
