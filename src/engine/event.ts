/** What a log is told of each window, under the names of specification 4. */
import type { Windowed } from './window/window.js'

export interface WindowEvent {
  readonly event: 'conversation_context_loaded'
  readonly trace_id: string | null
  readonly session_id: string
  readonly total_messages_in_db: number
  readonly messages_loaded: number
  /** Messages that are not in the window, whether they were read or not. */
  readonly messages_truncated: number
  /** Tokens of what is sent. */
  readonly estimated_tokens: number
  readonly milliseconds: number
}

export function eventOf(made: Windowed, session: string, trace: string | undefined): WindowEvent {
  const { stored, loaded, milliseconds } = made.hydrated
  return {
    event: 'conversation_context_loaded',
    trace_id: trace ?? null,
    session_id: session,
    total_messages_in_db: stored,
    messages_loaded: loaded,
    messages_truncated: made.ok ? made.receipt.totals.dropped : stored,
    estimated_tokens: made.ok ? made.receipt.budget.used : 0,
    milliseconds,
  }
}
