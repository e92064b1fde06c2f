/** Bounds of what a task may hold and of what its agents may do. */

export interface TaskLimits {
  /** Bytes of everything given to `register`. */
  readonly inputBytes: number
  /** Levels of lists and objects inside one another. */
  readonly inputDepth: number
  /** Tokens of the prompt that all agents of a task get (specification 0 claims less than 20,000). */
  readonly promptTokens: number
  /** Share of the prompt that is the history's whatever the rest takes. */
  readonly historyShare: number
  readonly summaryTokens: number
  readonly summaryMs: number
  /** Entries of a conversation that are looked at for a task. */
  readonly historyEntries: number
  /** Progress and findings. */
  readonly reportsPerTask: number
  readonly agentsPerTask: number
  /** Agents of this process that run at once; the others wait in line. */
  readonly agentsAtOnce: number
  readonly timeoutMs: number
  /** Between the request to end and the end by force. */
  readonly graceMs: number
  /** Bytes of an agent's output that are kept from its beginning and from its end. */
  readonly outputHead: number
  readonly outputTail: number
  /** Requests that one agent of the runner `model` may make. */
  readonly modelSteps: number
  /** How often an agent's owner says that it lives. */
  readonly beatMs: number
  /** After so long without a word the owner is taken for dead. */
  readonly lostMs: number
}

const usual: TaskLimits = {
  inputBytes: 10 * 1024 * 1024,
  inputDepth: 64,
  promptTokens: 20_000,
  historyShare: 0.25,
  summaryTokens: 600,
  summaryMs: 25_000,
  historyEntries: 2_000,
  reportsPerTask: 10_000,
  agentsPerTask: 100,
  agentsAtOnce: 8,
  timeoutMs: 30 * 60_000,
  graceMs: 3_000,
  outputHead: 256 * 1024,
  outputTail: 1024 * 1024,
  modelSteps: 24,
  beatMs: 1_000,
  lostMs: 20_000,
}

export const taskLimits = (given: Partial<TaskLimits> = {}): TaskLimits => ({ ...usual, ...given })
