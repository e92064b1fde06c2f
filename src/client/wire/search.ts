/** What is found. */
import type { Issue } from '../../core/message/issue.js'
import type { Page, Paging } from './page.js'

export interface SearchQuery extends Paging {
  readonly q: string
  /** `keyword` unless said otherwise. */
  readonly mode?: 'keyword' | 'semantic' | 'hybrid'
  readonly conversation_id?: string
  /** With `conversation_id`. */
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
