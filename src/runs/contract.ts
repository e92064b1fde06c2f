/** Runs: one generation of an answer each. A run belongs to the server; whoever asked for it may leave and come back. */

import type { Issue } from '../core/message/issue.js'
import type { Part } from '../core/message/item.js'
import type { Overrides, Policy } from '../core/policy/schema.js'
import type { Marks } from '../core/window/memo.js'
import type { RecallFrom } from '../engine/window/partial.js'
import type { FinishReason, ModelErrorCode, ModelSettings, ModelTool, Usage } from '../models/wire/contract.js'
import type { StoredEvent } from '../store/contract/event.js'
import type { Page, PageQuery } from '../store/contract/page.js'
import type { Preview, PreviewRequest } from './preview.js'
import type { AgentLimits, Decision, Decisions } from './tools/calls.js'

/** Answers that go on when the caller leaves, and are found again after a restart. */
export interface Runs {
  /** Durable when it returns: the message is appended, the run is active or queued. */
  start(request: RunRequest): Promise<Started>
  /** The window that such a run would send now. */
  preview(request: PreviewRequest): Promise<Preview>
  get(workspace: string, conversation: string, run: string): Promise<Run | null>
  /** Newest first. */
  list(workspace: string, conversation: string, query: PageQuery): Promise<Page<Run>>
  /** The run that is active now, if any. */
  active(workspace: string, conversation: string): Promise<Run | null>
  /** Idempotent, from any replica. Resolves when the run has ended, however it ended. */
  stop(workspace: string, conversation: string, run: string): Promise<Run>
  /** Events above a number, then each new one as it comes; ends with the signal. Throws `events_expired` for a lost past. */
  follow(workspace: string, conversation: string, after: number, signal: AbortSignal): AsyncIterable<FollowedEvent>
  /** Ends what dead servers left behind, and starts what waits behind it; returns how many runs that were. */
  recover(workspaces: readonly string[]): Promise<number>
  /**
   * Allows or denies calls that wait. When none is left, the agent goes on with a run of its own. Throws
   * `illegal_move` when the run does not wait any more, `not_found` for a call that does not.
   */
  decide(workspace: string, conversation: string, run: string, decisions: Decisions): Promise<Decided>
  /** Goes on from where a run ended early, with what it was asked with. Throws `illegal_move` for one that is done. */
  resume(workspace: string, conversation: string, run: string): Promise<Started>
  /** No new runs; waits for those that are active, up to a time, then stops them. */
  drain(graceMs: number): Promise<void>
}

/** The answer that is wanted: where, to what, by which model. */
export interface RunRequest {
  readonly workspace: string
  readonly conversation: string
  readonly branch?: string
  /** A message or a list of them to append first, in any dialect; without one the branch is answered as it stands. */
  readonly message?: unknown
  readonly author?: string
  /** The head the caller saw. */
  readonly expect?: string | null
  /** The same key again gives the same run. */
  readonly key?: string
  /** What to do when the conversation has a run already: refuse (with `busy`), or wait in line. */
  readonly whenBusy?: 'refuse' | 'queue'
  readonly model?: string
  readonly policy?: string | Policy
  /** The policy where neither the request nor the conversation names one. */
  readonly usualPolicy?: string | Policy
  readonly overrides?: Overrides
  /** How far it looks beyond the conversation; left out, as the conversation says, then the policy. */
  readonly recall?: RecallFrom
  /** For this window in the place of the marks that are kept with the conversation. */
  readonly marks?: Marks
  /** Who gives a new conversation its title, where it is not as the server says. */
  readonly titles?: 'model' | 'words'
  /** Tokens for the whole request to the model. */
  readonly budget?: number
  readonly system?: string
  readonly tools?: readonly ModelTool[]
  /** Most tokens of the answer. */
  readonly output?: number
  readonly temperature?: number
  readonly settings?: ModelSettings
  /** May call the tools of the server; those in `tools` are run by the caller. */
  readonly agent?: boolean
  /** What an agent may use up for one message; left out, as the server says. */
  readonly limits?: Partial<AgentLimits>
  /** What was decided about calls that waited, by their ids. */
  readonly decisions?: Decisions
  /** What earlier runs used up for the same message. */
  readonly spent?: { readonly steps: number; readonly tokens: number }
  /** The name of the request in logs. */
  readonly trace?: string
}

export interface Decided {
  /** The run that waited, with what it still waits for. */
  readonly run: Run
  /** The run that goes on; null while other calls wait. */
  readonly next: Started | null
}

/** A call that waits for someone to allow it. */
export interface WaitingCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** A run that has begun, or was there already. */
export interface Started {
  readonly run: Run
  /** Nothing was written: the key was known. */
  readonly repeated: boolean
  /** The number of the last event before this run's first. */
  readonly after: number
  readonly warnings: readonly Issue[]
  /** Resolves when the run has ended, here or elsewhere. */
  readonly ended: Promise<Run>
  /** The answer of a run that has ended here; null when it has to be read from the log. */
  readonly answer: () => readonly Part[] | null
  /** Why the message to answer was cut, of a run that has ended here. */
  readonly cut: () => readonly Issue[]
}

/** `waiting`: it has ended for now, and goes on when someone has decided about its calls. */
export type RunState = 'queued' | 'active' | 'done' | 'waiting' | 'failed' | 'stopped' | 'interrupted'

/** One generation of an answer, and how far it is. */
export interface Run {
  /** Also the id of its first answer's entry, once there is one. */
  readonly id: string
  readonly conversation: string
  readonly branch: string
  readonly state: RunState
  readonly model: string
  readonly policy: string
  /** The entry that is answered. */
  readonly asked: string | null
  /** The last answer; null when there is none. */
  readonly entry: string | null
  /** Of the last window. */
  readonly receipt: string | null
  /** Answers of the model so far: more than one when it called tools of the server. */
  readonly steps: number
  /** Of every step's window, in order. */
  readonly receipts: readonly string[]
  /** Calls that wait for a decision. */
  readonly waiting: readonly WaitingCall[]
  readonly finish: FinishReason | null
  /** The text of `settings.stop` that ended the answer, where the provider says so. */
  readonly stop?: string
  readonly usage: Usage | null
  /** The provider's count of the request over ours; null when it did not say. */
  readonly drift: number | null
  readonly cost: number | null
  readonly error: { readonly code: ModelErrorCode | string; readonly message: string } | null
  readonly startedAt: string
  readonly endedAt: string | null
}

/** An event with its number. */
export type FollowedEvent = StoredEvent & RunEvent

/** What is told of a conversation while it goes on. Numbers and times are the store's. */
export type RunEvent =
  | {
      readonly type: 'entry-added'
      readonly data: { readonly branch: string; readonly head: string; readonly entries: readonly EntryNews[] }
    }
  | { readonly type: 'branch-moved'; readonly data: { readonly branch: string; readonly head: string | null } }
  /** Someone pinned it, left it out or rated it. */
  | { readonly type: 'entry-marked'; readonly data: { readonly entry: string } }
  | { readonly type: 'conversation-changed'; readonly data: { readonly title?: string } }
  | { readonly type: 'run-queued'; readonly data: { readonly run: string; readonly behind: string } }
  | { readonly type: 'run-started'; readonly data: { readonly run: Run } }
  | { readonly type: 'window-made'; readonly data: WindowNews }
  | {
      readonly type: 'run-retried'
      readonly data: { readonly run: string; readonly attempt: number; readonly waitMs: number; readonly code: string }
    }
  | { readonly type: 'text-delta'; readonly data: { readonly run: string; readonly text: string } }
  | { readonly type: 'think-delta'; readonly data: { readonly run: string; readonly text: string } }
  /** The provider's proof of the reasoning that was told just before, or of some that it does not show. */
  | {
      readonly type: 'think-sealed'
      readonly data: {
        readonly run: string
        readonly signature?: string
        readonly sealed?: string
        readonly id?: string
      }
    }
  | {
      readonly type: 'call-started'
      readonly data: { readonly run: string; readonly id: string; readonly name: string }
    }
  | { readonly type: 'call-delta'; readonly data: { readonly run: string; readonly id: string; readonly json: string } }
  | {
      readonly type: 'call-made'
      readonly data: { readonly run: string; readonly id: string; readonly name: string; readonly input: unknown }
    }
  /** The server runs a tool. */
  | { readonly type: 'tool-started'; readonly data: ToolNews }
  | { readonly type: 'tool-ended'; readonly data: ToolEnded }
  /** A call waits for someone to allow it; the run ends as `waiting`. */
  | { readonly type: 'approval-asked'; readonly data: { readonly run: string } & WaitingCall }
  | {
      readonly type: 'approval-given'
      readonly data: { readonly run: string; readonly id: string; readonly verdict: Decision['verdict'] }
    }
  | {
      readonly type: 'quote-added'
      readonly data: { readonly run: string; readonly entry: string; readonly text: string }
    }
  /** What no longer fits has no summary, and why. */
  | { readonly type: 'summary-refused'; readonly data: { readonly cause: string; readonly attempts: number } }
  | { readonly type: 'stop-asked'; readonly data: { readonly run: string } }
  | { readonly type: 'run-ended'; readonly data: { readonly run: Run } }

export interface EntryNews {
  readonly id: string
  readonly kind: 'message' | 'result' | 'summary' | 'note'
  readonly role: 'system' | 'user' | 'assistant' | null
}

export interface ToolNews {
  readonly run: string
  /** Of the call. */
  readonly id: string
  readonly name: string
}

export interface ToolEnded extends ToolNews {
  /** `unknown`: it was cut off, and nobody knows whether it took effect. */
  readonly state: 'ok' | 'error' | 'unknown' | 'denied'
  readonly milliseconds: number
  /** The entry that keeps the result. */
  readonly entry: string
  /** The beginning of the result, and how long it is. */
  readonly text: string
  readonly chars: number
}

export interface WindowNews {
  readonly run: string
  readonly receipt: string
  readonly messages: number
  readonly dropped: number
  readonly tokens: number
  /** 0 for the first try; each further one after the model said that it was too much. */
  readonly step: number
}
