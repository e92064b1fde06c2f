/** What all runs of a server share. */
import { HistoryError, type IssueCode } from '../core/message/issue.js'
import type { Lru } from '../core/message/lru.js'
import type { Policy } from '../core/policy/schema.js'
import type { Cause, Compacted } from '../engine/compact/contract.js'
import type { WindowEvent } from '../engine/event.js'
import type { Env } from '../engine/window/entries.js'
import type { Source, Windowed } from '../engine/window/window.js'
import type { ModelEvent, Models } from '../models/wire/contract.js'
import type { Recaller } from '../recall/contract.js'
import type { Store } from '../store/contract/store.js'
import type { Run } from './contract.js'
import type { Histories } from './histories.js'
import type { Prefixes } from './prefix.js'
import type { PresetPolicies } from './settings.js'
import type { AgentLimits, Done, Toolbox, ToolSource } from './tools/calls.js'

/** What runs are made of. */
export interface RunsOptions {
  readonly store: Store
  readonly models: Models
  /** Of conversations and requests that name none. */
  readonly policy?: string | Policy
  readonly system?: string
  /** A server that says nothing for so long has lost its runs. */
  readonly leaseSeconds?: number
  /** Runs of one workspace at once on this server. */
  readonly most?: number
  /** Finds the earlier messages that matter when not all of them fit a window; left out, the usual one, null for none. */
  readonly recaller?: Recaller | null
  /** Who writes summaries of what no longer fits: the model that answers, sentences picked without one, or nobody. */
  readonly compaction?: 'auto' | 'extractive' | 'off'
  /** Who gives a new conversation its title: the model that answers (the usual), the first words of its message, or nobody. */
  readonly titles?: 'model' | 'words' | 'off'
  /** Presets with settings of this server's own. */
  readonly presets?: PresetPolicies
  /** What the model may call in runs of an agent. */
  readonly tools?: ToolSource
  /** What an agent may use up for one message, where the request does not say. */
  readonly limits?: Partial<AgentLimits>
  /** Asked about calls of tools that ask first; left out, such a call waits for `decide`. */
  readonly approve?: Toolbox['approve']
  /** Opened for each conversation; left out, by its name from the store. */
  readonly histories?: Histories
  /** Told what happens in the runs of this process, at once. */
  readonly witness?: Witness
  readonly env?: Partial<Env>
  readonly log?: (event: WindowEvent) => void
  /** Told of each run that ends here. */
  readonly ended?: (run: Run, workspace: string) => void
  /** Told of each summary that was written here, or refused. */
  readonly summarised?: (outcome: Summarised, place: Pick<Source, 'workspace' | 'conversation'>) => void
}

export type Summarised = Exclude<Compacted, { readonly state: 'unneeded' }>
export interface Witness {
  readonly sent?: (made: Windowed & { ok: true }, receipt: string) => void
  readonly heard?: (event: ModelEvent) => void | Promise<void>
  readonly answered?: (done: Done) => void
  readonly failed?: (error: unknown) => void
}

export interface Floor {
  readonly options: RunsOptions
  readonly store: Store
  readonly env: Env
  readonly leaseSeconds: number
  /** The runs that are at work on this server, by their ids. */
  readonly active: Map<string, Active>
  readonly prefixes: Prefixes
  readonly histories: Histories
  /** Conversations that are being summarised on this server. */
  readonly tidying: Set<string>
  /** Conversations whose last summary was refused on this server, and why. */
  readonly unsummarised: Lru<Cause | null>
  /** Called when a conversation has room for the next run. */
  readonly free: (workspace: string, conversation: string) => void
}

export interface Active {
  readonly workspace: string
  readonly conversation: string
  readonly control: AbortController
  readonly ended: Promise<Run>
}

export const refused = (code: IssueCode, message: string, more: object = {}): HistoryError =>
  new HistoryError(code, [{ code, message, ...more }])

export const isRefused = (error: unknown, ...codes: readonly IssueCode[]): boolean =>
  HistoryError.is(error) && codes.includes(error.code)
