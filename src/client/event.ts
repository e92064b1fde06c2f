/** What is told of a conversation while it goes on. */
import type { Message, Run } from './wire.js'

interface News<Type extends string, Data> {
  /** Within the conversation; the order of all that happens in it. */
  readonly number: number
  readonly type: Type
  readonly data: Data
}

type OfRun<Data = unknown> = { readonly run: string } & Data

interface ToolNews {
  /** Of the call. */
  readonly id: string
  readonly name: string
}

interface ToolEnded extends ToolNews {
  /** `unknown`: it was cut off, and nobody knows whether it took effect. */
  readonly state: 'ok' | 'error' | 'unknown' | 'denied'
  readonly milliseconds: number
  /** The message that keeps the result. */
  readonly message_id: string
  /** The beginning of the result, and how long it is. */
  readonly text: string
  readonly chars: number
}

/** What happens in a conversation, as it is followed. */
export type Event =
  | News<
      'entry-added',
      {
        readonly branch: string
        readonly head_id: string
        readonly entries: readonly {
          readonly id: string
          readonly kind: Message['kind']
          readonly role: string | null
        }[]
      }
    >
  | News<'branch-moved', { readonly branch: string; readonly head_id: string | null }>
  /** Someone pinned it, left it out or rated it. */
  | News<'entry-marked', { readonly entry: string }>
  | News<'conversation-changed', { readonly title?: string }>
  | News<'run-queued', OfRun<{ readonly behind: string }>>
  | News<'run-started', { readonly run: Run }>
  | News<
      'window-made',
      OfRun<{
        readonly receipt_id: string
        readonly messages: number
        readonly dropped: number
        readonly tokens: number
        readonly step: number
      }>
    >
  | News<'run-retried', OfRun<{ readonly attempt: number; readonly wait_ms: number; readonly code: string }>>
  | News<'text-delta' | 'think-delta', OfRun<{ readonly text: string }>>
  | News<'think-sealed', OfRun<{ readonly signature?: string; readonly sealed?: string; readonly id?: string }>>
  | News<'call-started', OfRun<{ readonly id: string; readonly name: string }>>
  | News<'call-delta', OfRun<{ readonly id: string; readonly json: string }>>
  | News<'call-made', OfRun<{ readonly id: string; readonly name: string; readonly input: unknown }>>
  | News<'tool-started', OfRun<ToolNews>>
  | News<'tool-ended', OfRun<ToolEnded>>
  | News<'approval-asked', OfRun<{ readonly id: string; readonly name: string; readonly input: unknown }>>
  | News<'approval-given', OfRun<{ readonly id: string; readonly verdict: 'approve' | 'deny' }>>
  | News<'quote-added', OfRun<{ readonly entry: string; readonly text: string }>>
  /** What no longer fits has no summary, and why. */
  | News<'summary-refused', { readonly cause: string; readonly attempts: number }>
  | News<'stop-asked', OfRun>
  | News<'run-ended', { readonly run: Run }>
