/** What every function of this room works with, and the records it keeps. */
import { HistoryError } from '../../core/message/issue.js'
import type { Policy } from '../../core/policy/schema.js'
import type { Env } from '../../engine/window/entries.js'
import type { Models } from '../../models/wire/contract.js'
import type { Store } from '../../store/contract/store.js'
import { paged } from '../../store/shared/page.js'
import type { HandoffPreset } from './contract.js'
import type { TaskLimits } from './limits.js'
import { missingTask } from './refuse.js'

export interface Board {
  readonly store: Store
  readonly workspace: string
  readonly env: Env
  readonly limits: TaskLimits
  /** Null when no model is configured. */
  readonly models: Models | null
  /** How the history of a task is cut whose creator names no preset. */
  readonly handoff: HandoffPreset
  /** A preset with settings of its own. */
  readonly policies: Partial<Readonly<Record<HandoffPreset, Policy>>>
}

/** The shelves of the store. What belongs to one task has a shelf of its own, so that it is found without a search. */
export const kinds = {
  task: 'task',
  /** Everything about a task that is too large for a list. */
  context: 'task-context',
  /** The history as it was given, where not all of it was handed over. */
  source: 'task-source',
  timeline: (task: string): string => `task-timeline/${task}`,
  child: (task: string): string => `task-child/${task}`,
  agent: (task: string): string => `task-agent/${task}`,
  output: (task: string): string => `task-output/${task}`,
} as const

export async function read<T>(desk: Board, kind: string, id: string): Promise<T | null> {
  return ((await desk.store.getRecord(desk.workspace, kind, id))?.body ?? null) as T | null
}

/** Writes a record that is not there yet. */
export async function put(desk: Board, kind: string, id: string, body: unknown, conversation?: string): Promise<void> {
  const owner = conversation === undefined ? null : { conversation }
  await desk.store.putRecord(desk.workspace, { kind, id, body, at: desk.env.now(), expect: null, ...owner })
}

const tries = 200

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Who came second looks again a little later, and not all at once. */
export const yieldTo = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(attempt, 20))

/** Changes a record by compare-and-swap: whoever comes second looks again. A change to the same value writes nothing. */
export async function change<T extends object>(
  desk: Board,
  place: { readonly kind: string; readonly id: string; readonly field: 'task' | 'agent' },
  make: (now: T) => T,
): Promise<T> {
  const { kind, id, field } = place
  for (let attempt = 1; ; attempt++) {
    const known = await desk.store.getRecord(desk.workspace, kind, id)
    if (!known) throw missingTask(field, id)
    const before = known.body as T
    const body = make(before)
    if (body === before) return body
    try {
      await desk.store.putRecord(desk.workspace, { kind, id, body, at: desk.env.now(), expect: known.revision })
      return body
    } catch (error) {
      if (!HistoryError.is(error) || error.code !== 'record_moved' || attempt >= tries) throw error
      await yieldTo(attempt)
    }
  }
}

/** Every record of a shelf, newest first. */
export async function* shelf<T>(desk: Board, kind: string, limit = 500): AsyncGenerator<T> {
  const records = paged((from) => desk.store.records(desk.workspace, { kind, limit, ...from }))
  for await (const { body } of records) yield body as T
}
