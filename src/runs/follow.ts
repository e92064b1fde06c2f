/** The events of a conversation, those there are and then each new one: truth is read from the log, wakes only hasten it. */
import { HistoryError } from '../core/message/issue.js'
import type { Store } from '../store/contract/store.js'
import type { FollowedEvent } from './contract.js'

/** Events read at once: what one slow reader can hold in memory. */
const page = 32
/** A wake-up may get lost; after so long the log is looked at anyway. */
const patienceMs = 5_000

export async function* follow(
  store: Store,
  workspace: string,
  conversation: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<FollowedEvent> {
  const bell = newBell(signal)
  const off = store.watch(workspace, conversation, bell.ring)
  try {
    for (let last = after; !signal.aborted; ) {
      const { events, oldest, newest } = await store.events(workspace, conversation, last, page)
      if (last + 1 < oldest) throw expired(last, oldest)
      if (last > newest) throw ahead(last, newest)
      for (const event of events) {
        if (signal.aborted) return
        // whatever is told of a conversation is one of these
        yield event as FollowedEvent
        last = event.number
      }
      if (events.length === 0) await bell.heard(patienceMs)
    }
  } finally {
    off()
    bell.end()
  }
}

const expired = (after: number, oldest: number): HistoryError =>
  new HistoryError('events_expired', [
    { code: 'events_expired', field: 'after', value: after, message: `events are kept from ${oldest} on` },
  ])

const ahead = (after: number, newest: number): HistoryError =>
  new HistoryError('invalid', [
    { code: 'invalid', field: 'after', value: after, message: `the newest event is ${newest}` },
  ])

interface Bell {
  ring(): void
  /** Resolves at the next ring, at once if it rang since the last time, or when the time is up. */
  heard(ms: number): Promise<void>
  end(): void
}

function newBell(signal: AbortSignal): Bell {
  let rang = false
  let waiting: (() => void) | null = null
  const ring = (): void => {
    rang = true
    waiting?.()
  }
  signal.addEventListener('abort', ring, { once: true })
  return {
    ring,
    async heard(ms) {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          waiting = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      waiting = null
      rang = false
    },
    end: () => signal.removeEventListener('abort', ring),
  }
}
