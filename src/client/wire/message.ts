/** Messages as the service tells of them. */
import type { Issue } from '../../core/message/issue.js'
import type { Part } from '../../core/message/item.js'

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
