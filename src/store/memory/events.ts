/** Events in memory. */
import type { EventPage, NewEvent, StoredEvent } from '../contract/event.js'
import { plain } from '../shared/gate.js'
import { limitOf } from '../shared/page.js'
import { copy, type Room } from './room.js'

export function emit(room: Room, events: readonly NewEvent[], at: string): readonly StoredEvent[] {
  const numbered = events.map(({ type, data }, i): StoredEvent => {
    return { type, data: plain(data ?? null), number: room.newest + i + 1, at }
  })
  room.events.push(...numbered)
  room.newest += events.length
  return copy(numbered)
}

export function eventsAfter(room: Room, after: number, limit: number): EventPage {
  const oldest = room.events[0]?.number ?? room.newest + 1
  const first = Math.max(0, after + 1 - oldest)
  return { events: copy(room.events.slice(first, first + limitOf(limit, 10_000))), oldest, newest: room.newest }
}

/** Returns how many there were. */
export function trimEvents(room: Room, upTo: number): number {
  const kept = room.events.filter(({ number }) => number > upTo)
  return room.events.splice(0, room.events.length - kept.length).length
}
