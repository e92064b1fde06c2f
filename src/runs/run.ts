/** A run as data: how it begins, how it ends, and where it is kept. */

import type { Draft } from '../store/contract/draft.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Run, RunEvent, RunRequest } from './contract.js'

export const runKinds = { run: 'run', queued: 'queued', stop: 'stop', usage: 'usage' } as const

/** What the draft of a run carries, for whoever has to end it. */
export interface DraftBody {
  readonly run: Run
  /** The number of the last event before the run's first words; null before there were any. */
  readonly after: number | null
  /** Calls of tools that were begun: whether one took effect is not known until its result is in the log. */
  readonly running?: readonly string[]
  /** What an agent was asked with, so that it can go on later. */
  readonly request?: RunRequest
}

/** What is kept of a run that is over. */
export interface RunBody {
  readonly run: Run
  readonly request?: RunRequest
}

/** What a run in line carries. */
export interface QueuedBody {
  readonly run: Run
  readonly request: RunRequest
}

export function begun(
  id: string,
  request: RunRequest,
  facts: { readonly branch: string; readonly model: string; readonly policy: string; readonly at: string },
): Run {
  return {
    id,
    conversation: request.conversation,
    branch: facts.branch,
    state: 'active',
    model: facts.model,
    policy: facts.policy,
    asked: null,
    entry: null,
    receipt: null,
    steps: 0,
    receipts: [],
    waiting: [],
    finish: null,
    usage: null,
    drift: null,
    cost: null,
    error: null,
    startedAt: facts.at,
    endedAt: null,
  }
}

export const isOver = ({ state }: Run): boolean => state !== 'active' && state !== 'queued'

export const runEnded = (run: Run): RunEvent => ({ type: 'run-ended', data: { run } })

export const interrupted = (run: Run, at: string, entry: string | null): Run => ({
  ...run,
  state: 'interrupted',
  entry,
  error: { code: 'interrupted', message: 'the server that wrote this answer went away' },
  endedAt: at,
})

/** Why a run was cut off, as a state and words. */
export function cutOff(reason: unknown): Pick<Run, 'state' | 'error'> {
  if (reason === 'stopped') return { state: 'stopped', error: null }
  if (reason === 'time') return { state: 'stopped', error: reached('time') }
  return { state: 'interrupted', error: { code: 'interrupted', message: 'the server was shut down' } }
}

/** An agent has used up what it may for one message. */
export const reached = (limit: 'steps' | 'tokens' | 'time'): NonNullable<Run['error']> => ({
  code: `limit_${limit}`,
  message: `the agent has used up its ${limit} for this message; resume the run to let it go on`,
})

/** The draft of each step has an id of its own. */
export const stepIdOf = (run: string, step: number): string => (step === 1 ? run : `${run}.s${step}`)

export const runIdOf = (draft: string): string => draft.replace(/\.s\d+$/, '')

export const runOfRecord = (record: StoredRecord | null): Run | null => (record ? (record.body as RunBody).run : null)

/** Null when the draft is someone else's. */
export function runOfDraft({ body }: Draft): DraftBody | null {
  return typeof body === 'object' && body !== null && 'run' in body ? (body as DraftBody) : null
}
