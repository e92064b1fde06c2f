/** What is known of one branch of a conversation. */
import type { Branch, Conversation, KeptReceipt, Message, Run, TreeNode } from '../../src/client/index.js'
import type { Attachment } from './attachment.js'
import type { Held } from './pages.js'

export interface Sending {
  readonly text: string
  readonly files: readonly Attachment[]
  /** How much of the files is there, from 0 to 1; null when none are on their way. */
  readonly sent: number | null
}

export interface Receipts {
  readonly byAnswer: ReadonlyMap<string, KeptReceipt>
  /** The earliest that is here; null when none is. */
  readonly since: string | null
  readonly cursor: string | null
}

export interface ChatState extends Held {
  readonly conversation: Conversation | null
  readonly branches: readonly Branch[]
  readonly nodes: readonly TreeNode[]
  /** Of the newest answer that has one. */
  readonly receipt: KeptReceipt | null
  /** By the answers they led to, as far back as was asked for. */
  readonly receipts: Receipts
  /** The run that is active, or that has ended without an answer. */
  readonly run: Run | null
  /** The newest runs of the conversation, by which an answer knows how it ended. */
  readonly runs: readonly Run[]
  readonly sending: Sending | null
  readonly error: unknown
  readonly line: 'open' | 'lost'
}

export const empty: ChatState = {
  conversation: null,
  messages: null,
  cursor: null,
  branches: [],
  nodes: [],
  receipt: null,
  receipts: { byAnswer: new Map(), since: null, cursor: null },
  run: null,
  runs: [],
  sending: null,
  error: null,
  line: 'open',
}
export const isOver = ({ state }: Run): boolean => state !== 'active' && state !== 'queued'
/** It ended without an answer. */
export const isLost = ({ state, message_id }: Run): boolean =>
  (state === 'failed' || state === 'interrupted') && message_id === null

/** Whether a message is among those that are here. */
export const has = (messages: readonly Message[] | null, id: string | null): boolean =>
  id !== null && (messages?.some((message) => message.id === id) ?? false)
