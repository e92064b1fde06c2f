/** What a history was opened with, for the rooms that work on it from within. */
import type { Policy } from '../core/policy/schema.js'
import { refusal } from '../store/shared/refuse.js'
import type { History } from './history.js'
import type { Env } from './window/entries.js'
import type { Source } from './window/window.js'

export interface Origin {
  readonly source: Source
  readonly policy: Policy
  readonly system: string | undefined
  readonly env: Env
}

const origins = new WeakMap<History, Origin>()

export function withOrigin(history: History, origin: Origin): History {
  origins.set(history, origin)
  return history
}

export function originOf(history: History): Origin {
  const found = origins.get(history)
  if (!found) throw refusal('invalid', 'this history was not opened by openHistory', { field: 'history' })
  return found
}
