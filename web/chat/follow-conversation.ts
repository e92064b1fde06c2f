/** All that happens in a conversation, for as long as someone looks. */
import { ApiError, type Event } from '../../src/client/index.js'
import { api } from '../api.js'

interface Follow {
  readonly signal: AbortSignal
  onLine(state: 'open' | 'lost', isFirst: boolean): void
  heard(event: Event): void
}

/** A reader that was away for so long that events are gone starts over. */
export async function followConversation(id: string, follow: Follow): Promise<void> {
  while (!follow.signal.aborted) {
    try {
      return await once(id, follow)
    } catch (error) {
      if (!(ApiError.is(error) && error.code === 'events_expired')) throw error
    }
  }
}

async function once(id: string, { signal, onLine, heard }: Follow): Promise<void> {
  let isFirst = true
  const told = (state: 'open' | 'lost'): void => {
    onLine(state, isFirst && state === 'open')
    isFirst &&= state !== 'open'
  }
  for await (const event of api.follow(id, { signal, onLine: told })) heard(event)
}
