/** A run as data: how it begins, how it ends, and where it is kept. */

import type { Draft } from '../store/contract/draft.js'
import type { StoredRecord } from '../store/contract/record.js'
import type { Run, RunEvent, RunRequest, RunState } from './contract.js'

export const kinds = { run: 'run', queued: 'queued', stop: 'stop', usage: 'usage' } as const

/** What the draft of a run carries, for whoever has to end it. */
export interface DraftBody {
  readonly run: Run
  /** The number of the last event before the run's first words; null before there were any. */
  readonly after: number | null
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

export const endedBy = (state: Extract<RunState, 'stopped' | 'interrupted'>): Run['error'] =>
  state === 'stopped' ? null : { code: 'interrupted', message: 'the server was shut down' }

export const runOfRecord = (record: StoredRecord | null): Run | null =>
  record ? (record.body as { readonly run: Run }).run : null

/** Null when the draft is someone else's. */
export function runOfDraft({ body }: Draft): DraftBody | null {
  return typeof body === 'object' && body !== null && 'run' in body ? (body as DraftBody) : null
}
