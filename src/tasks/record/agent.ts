/** Agents: one run of a runner for a task each. */
import type { NewFinding, ProgressUpdate } from './contract.js'

export type AgentState = 'queued' | 'running' | 'completed' | 'failed' | 'killed' | 'timed_out'

/** One run of a runner on a task, and how it ended. */
export interface Agent {
  /** `<task>.<number>`. */
  readonly id: string
  readonly task: string
  readonly runner: string
  readonly model: string | null
  readonly state: AgentState
  /** The leader of the agent's process group. */
  readonly pid: number | null
  /** Tells its process from others that had or will have the number; null where the system does not say. */
  readonly identity: string | null
  /** The machine and the process that run it. */
  readonly owner: { readonly host: string; readonly pid: number; readonly identity: string | null }
  readonly folder: string | null
  readonly timeoutMs: number
  readonly promptTokens: number
  /** Bytes that it printed so far, whether they are kept or not. */
  readonly outputBytes: number
  readonly exit: Exit | null
  /** Someone asked for its end. */
  readonly asked: 'kill' | null
  readonly deployedAt: string
  readonly startedAt: string | null
  readonly endedAt: string | null
  /** When its owner last said that it lives. */
  readonly seenAt: string
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: string | null
  /** Set when it did not end by itself, or could not even begin. */
  readonly error: { readonly code: string; readonly message: string } | null
  /** The last words of a model. */
  readonly result: string | null
}

export interface DeployRequest {
  /** The name of a runner: `model`, one of the ready-made commands, or one of your own. */
  readonly runner: string
  readonly model?: string
  /** Words for this agent alone. */
  readonly prompt?: string
  readonly timeoutMs?: number
}

export interface Deployed {
  readonly agent: Agent
  /** Resolves when the agent has ended, however it ended. */
  readonly ended: Promise<Agent>
}

/** What starts agents. */
export interface Runner {
  /** Ends what it began when the signal is aborted. Resolves in any case, and only when nothing is left behind. */
  start(job: RunnerJob): Running
}

/** What a runner has started. */
export interface Running {
  readonly pid: number | null
  readonly ended: Promise<Exit>
}

/** A picture as an agent gets it: its bytes in base64, or where it is. */
export interface TaskImage {
  /** As the text calls it. */
  readonly name: string
  readonly mediaType: string
  readonly source: { readonly kind: 'data'; readonly base64: string } | { readonly kind: 'url'; readonly url: string }
}

/** What a runner is given: the prompt, the folder, the limits. */
export interface RunnerJob {
  readonly task: string
  readonly agent: string
  readonly prompt: string
  /** The pictures that the prompt names. */
  readonly images: readonly TaskImage[]
  /** Real, absolute and allowed; null when the task has none. */
  readonly folder: string | null
  readonly model: string | null
  readonly signal: AbortSignal
  write(stream: 'out' | 'err', bytes: Uint8Array): void
  progress(update: Omit<ProgressUpdate, 'agent'>): Promise<unknown>
  finding(finding: Omit<NewFinding, 'agent'>): Promise<unknown>
}

export interface OutputQuery {
  readonly stream?: 'out' | 'err'
  /** The last lines. */
  readonly tail?: number
  /** The first lines. */
  readonly head?: number
  /** From a byte on, as `next` of an earlier answer. */
  readonly from?: number
  readonly format?: 'text' | 'lines' | 'jsonl'
}

export interface AgentOutput {
  readonly agent: string
  readonly state: AgentState
  /** Where something is missing in the middle, a line in brackets says how much. */
  readonly text: string
  /** With the format `lines`. */
  readonly lines?: readonly string[]
  /** With the format `jsonl`: the lines that are JSON. */
  readonly values?: readonly unknown[]
  /** Bytes printed so far. */
  readonly total: number
  /** Bytes that are no longer kept. */
  readonly missing: number
  readonly next: number
}
