/** Tasks: work handed to agents, with the conversation that led to it. Fields of the specifications keep their names. */
import type { Issue } from '../../core/message/issue.js'
import type { Receipt } from '../../core/receipt/receipt.js'
import type { TaskContext } from '../../recipes/task-prompt.js'
import type { Page, PageQuery } from '../../store/contract/page.js'
import type { Agent, AgentOutput, Deployed, DeployRequest, OutputQuery, TaskImage } from './agent.js'
import type { TaskInput } from './input.js'

/**
 * What is refused throws a `HistoryError`: `invalid` with every field that is wrong, `not_found`, `too_large`,
 * `illegal_move` when the task's state does not allow it.
 */
export interface Tasks {
  register(input: TaskInput): Promise<Registered>
  /** A task of a task. It can ask for the history of those above it. */
  spawn(parent: string, input: TaskInput): Promise<Registered>
  get(task: string): Promise<TaskDetail | null>
  /** Newest first. */
  list(query: TaskQuery): Promise<Page<Task>>
  status(task: string): Promise<TaskStatus>
  move(task: string, move: TaskMove): Promise<Task>

  progress(task: string, update: ProgressUpdate): Promise<TimelineEntry>
  finding(task: string, finding: NewFinding): Promise<TimelineEntry>
  /** Newest first. */
  timeline(task: string, query: PageQuery): Promise<Page<TimelineEntry>>

  /** What an agent of the task reads. The history in it is the same, byte for byte, for all of them. */
  prompt(task: string, request?: PromptRequest): Promise<Prompt>
  /** The histories of the tasks above, the nearest last; the farthest give way when they do not fit. */
  ancestors(task: string, request?: { readonly tokens?: number }): Promise<Ancestry>
  /** The conversation that the task points to as it is now; null when the task points to none. */
  live(task: string): Promise<LiveHistory | null>

  deploy(task: string, request: DeployRequest): Promise<Deployed>
  agents(task: string): Promise<readonly Agent[]>
  agent(agent: string): Promise<Agent | null>
  output(agent: string, query?: OutputQuery): Promise<AgentOutput>
  /** From any process; resolves when the agent has ended or its owner was told. */
  kill(agent: string): Promise<Agent>
  /** Ends the agents that processes which died left behind; returns how many. */
  recover(): Promise<number>
  /** Ends every agent of this process. */
  close(): Promise<void>
}

export type Priority = 'P0' | 'P1' | 'P2' | 'P3' | 'P4'
export type TaskState = 'registered' | 'active' | 'blocked' | 'completed' | 'failed' | 'cancelled'
export type HandoffPreset = 'handoff-balanced' | 'handoff-user-first' | 'handoff-assistant-first'

/** Work that was handed over, and how far it is. */
export interface Task {
  readonly id: string
  readonly description: string
  readonly priority: Priority
  readonly state: TaskState
  /** Why it is in this state, if anyone said so. */
  readonly note: string | null
  readonly client_cwd: string | null
  readonly preset: HandoffPreset
  readonly parent: string | null
  readonly has_enhanced_context: boolean
  readonly conversation_messages_count: number
  readonly result: unknown
  /** `agents`: nobody said so, but all its agents have ended. Another agent, or anyone's word, still changes it. */
  readonly endedBy?: 'agents'
  readonly counts: { readonly agents: number; readonly progress: number; readonly findings: number }
  readonly createdAt: string
  readonly updatedAt: string
}

/** A task with the context and the history that its agents see. */
export interface TaskDetail extends Task {
  /** As specification 0 stores it; null when the task was given none. */
  readonly task_context: TaskContext | null
  /** The account of the history that was handed over. */
  readonly receipt: Receipt | null
  /** Where the history came from, when it was not given inline. */
  readonly source: ConversationRef | null
}

/** A branch of a conversation, and where it stood. */
export interface ConversationRef {
  readonly conversation: string
  readonly branch: string
  readonly head: string | null
}

export interface Registered {
  readonly task: Task
  readonly warnings: readonly Issue[]
  readonly receipt: Receipt | null
}

export interface TaskQuery extends PageQuery {
  readonly state?: TaskState
  readonly priority?: Priority
  readonly parent?: string
  /** Words of the description or of a finding; all of them must be there, the last one as a beginning. */
  readonly text?: string
}

export interface TaskStatus {
  readonly task: Task
  readonly agents: readonly Agent[]
  readonly states: Readonly<Partial<Record<Agent['state'], number>>>
  readonly severities: Readonly<Partial<Record<Severity, number>>>
  readonly children: number
  /** The newest first. */
  readonly recent: readonly TimelineEntry[]
}

export type TaskMove =
  | { readonly to: 'active' | 'blocked' | 'failed' | 'cancelled'; readonly note?: string }
  | { readonly to: 'completed'; readonly note?: string; readonly result?: unknown }

export type Severity = 'low' | 'medium' | 'high' | 'critical'

export interface ProgressUpdate {
  readonly agent?: string
  readonly status: string
  readonly message?: string
  readonly percent?: number
}

export interface NewFinding {
  readonly agent?: string
  /** `issue`, `solution`, `insight`, `recommendation`, or a word of the agent's own. */
  readonly kind: string
  readonly severity?: Severity
  readonly message: string
  readonly data?: unknown
}

export type TimelineEntry = { readonly number: number; readonly at: string; readonly agent: string | null } & (
  | { readonly type: 'state'; readonly from: TaskState | null; readonly to: TaskState; readonly note: string | null }
  | { readonly type: 'agent'; readonly state: Agent['state'] }
  | {
      readonly type: 'progress'
      readonly status: string
      readonly message: string
      readonly percent: number | null
    }
  | {
      readonly type: 'finding'
      readonly kind: string
      readonly severity: Severity
      readonly message: string
      readonly data: unknown
    }
)

export interface PromptRequest {
  /** The agent's name in the prompt. */
  readonly agent?: string
  /** Words for this agent alone; they stand behind what all agents get. */
  readonly prompt?: string
}

export interface Prompt {
  readonly text: string
  /** The section of the history inside the text; empty when there is none. */
  readonly history: string
  /** The pictures that the history names. */
  readonly images: readonly TaskImage[]
  /** Of the text. */
  readonly tokens: number
  /** By how much the text is over the task's budget. */
  readonly excess: number
}

export interface Ancestry {
  readonly text: string
  /** The parent first. */
  readonly tasks: readonly { readonly task: string; readonly description: string; readonly shown: boolean }[]
  readonly tokens: number
}

export interface LiveHistory extends ConversationRef {
  /** The branch has moved on since the task was registered. */
  readonly moved: boolean
  readonly section: string
  readonly receipt: Receipt | null
}
