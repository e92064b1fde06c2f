/** What is told while a conversation goes on. */

export interface NewEvent {
  /** Noun and verb: `text-delta`. */
  readonly type: string
  readonly data: unknown
}

/** Something that happened in a conversation, under a number without gaps. */
export interface StoredEvent extends NewEvent {
  /** Gap-free within the conversation, from 1. */
  readonly number: number
  readonly at: string
}

/** Events in order, and how far back they go. */
export interface EventPage {
  readonly events: readonly StoredEvent[]
  /** The lowest number that is still kept, or the next to be given when none is. */
  readonly oldest: number
  /** The highest number given so far, 0 before the first. */
  readonly newest: number
}
