/** Stored events as the wire tells them. */

import { runOf } from '../../operations/shapes/run.js'
import type { Run, RunEvent } from '../../runs/contract.js'
import type { StoredEvent } from '../../store/contract/event.js'
import type { Frame } from '../kit/sse.js'

/** The same event is always the same frame, whoever asks and whenever. */
export function eventFrame({ number, type, data }: StoredEvent): Frame {
  return { id: number, event: type, data: wireData({ type, data } as RunEvent) }
}

/** The id of the run that an event tells of, if it tells of one. */
export function runIdIn({ data }: StoredEvent): string | null {
  const { run } = data as { readonly run?: string | Run }
  return typeof run === 'object' ? run.id : (run ?? null)
}

function wireData(event: RunEvent): unknown {
  switch (event.type) {
    case 'run-started':
    case 'run-ended':
      return { run: runOf(event.data.run) }
    case 'run-retried': {
      const { waitMs, ...rest } = event.data
      return { ...rest, wait_ms: waitMs }
    }
    case 'window-made': {
      const { receipt, ...rest } = event.data
      return { ...rest, receipt_id: receipt }
    }
    case 'tool-ended': {
      const { entry, ...rest } = event.data
      return { ...rest, message_id: entry }
    }
    case 'entry-added': {
      const { head, ...rest } = event.data
      return { ...rest, head_id: head }
    }
    case 'branch-moved': {
      const { head, ...rest } = event.data
      return { ...rest, head_id: head }
    }
    default:
      return event.data
  }
}
