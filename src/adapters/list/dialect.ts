/** How a list of someone else's messages and the log of a conversation are told from one another. */
import type { Entry } from '../../store/contract/entry.js'

/** What of an entry makes a message. */
export type SaidEntry = Pick<Entry, 'body' | 'redacted'>

/** Messages are plain JSON. The two functions are pure. */
export interface Dialect<T> {
  /** Where an entry keeps the message as it came: every field of it, known or not, to the letter. */
  readonly name: string
  /** The message in a form that the engine reads; what it cannot read is kept beside what is said. */
  readonly toMessage: (item: T) => unknown
  /** An entry that came from another client. `names` are the tools of the calls before it. */
  readonly fromEntry: (entry: SaidEntry, names: ReadonlyMap<string, string>) => readonly T[]
}
