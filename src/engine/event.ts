/** What a log is told of each window, under the names of specification 4. */
import type { Windowed } from './window/window.js'

/** One line for a log each time a window is made. */
export interface WindowEvent {
  readonly event: 'conversation_context_loaded'
  readonly trace_id: string | null
  readonly session_id: string
  /** Messages stored before the one to answer. */
  readonly total_messages_in_db: number
  /** Those the model sees, whole or shortened. */
  readonly messages_loaded: number
  /** Those it does not see, whether a summary stands for them or not. */
  readonly messages_truncated: number
  /** Tokens of what is sent. */
  readonly estimated_tokens: number
  readonly milliseconds: number
}

export function eventOf(made: Windowed, session: string, trace: string | undefined): WindowEvent {
  const { stored, milliseconds } = made.hydrated
  const totals = made.ok ? made.receipt.totals : null
  return {
    event: 'conversation_context_loaded',
    trace_id: trace ?? null,
    session_id: session,
    // the message to answer is none of them, although it is stored by then
    total_messages_in_db: totals?.messages ?? stored,
    messages_loaded: totals ? totals.kept + totals.clipped + totals.folded + totals.recalled : 0,
    messages_truncated: totals ? totals.dropped + totals.summarised : stored,
    estimated_tokens: made.ok ? made.receipt.budget.used : 0,
    milliseconds,
  }
}
