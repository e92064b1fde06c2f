/** Windows and their receipts. */
import type { Issue } from '../../core/message/issue.js'
import type { Part } from '../../core/message/item.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { Marks } from '../../core/window/marks.js'
import type { RecallFrom } from './conversation.js'

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
