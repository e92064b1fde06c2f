/** Runs: how they are asked for, and what came of them. */
import type { Issue } from '../../core/message/issue.js'
import type { Marks } from '../../core/window/marks.js'
import type { RecallFrom } from './conversation.js'
import type { NewMessage } from './message.js'

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
  /** Run by the caller: the run ends with their calls. */
  readonly tools?: readonly { readonly name: string; readonly description?: string; readonly parameters: object }[]
  /** Whether it may call the tools of the server. */
  readonly agent?: boolean
  readonly limits?: { readonly steps?: number; readonly tokens?: number; readonly seconds?: number }
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
  /** `waiting`: it goes on when someone has decided about its calls. */
  readonly state: 'queued' | 'active' | 'done' | 'waiting' | 'failed' | 'stopped' | 'interrupted'
  readonly model: string
  readonly policy: string
  readonly asked_id: string | null
  readonly message_id: string | null
  readonly receipt_id: string | null
  readonly steps: number
  readonly receipt_ids: readonly string[]
  /** Calls that wait for a decision. */
  readonly waiting: readonly { readonly call_id: string; readonly name: string; readonly input: unknown }[]
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

export interface Decision {
  readonly call_id: string
  readonly verdict: 'approve' | 'deny'
  /** Told to the model when it is a denial. */
  readonly reason?: string
}

export interface Decided {
  readonly run: Run
  /** The run that goes on; null while other calls wait. */
  readonly next: StartedRun | null
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
  readonly state: 'done' | 'stopped' | 'waiting'
  readonly waiting: Run['waiting']
  readonly steps: number
  readonly usage: Usage | null
  readonly warnings: readonly Issue[]
  readonly trace_id: string
}
