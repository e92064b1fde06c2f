/** The part of a path that is here: its newest messages, and as many earlier ones as were asked for. */
import type { Message } from '../../src/client/index.js'

export interface Held {
  readonly messages: readonly Message[] | null
  /** What the page before is asked for with; null at the beginning of the path. */
  readonly cursor: string | null
}

interface Page {
  readonly items: readonly Message[]
  readonly next_cursor: string | null
}

/** The newest page replaces what it overlaps with; earlier messages stay. What did not change stays the same object. */
export function withNewest({ messages, cursor }: Held, page: Page): Held {
  const first = page.items[0]
  const at = messages && first ? messages.findIndex(({ id }) => id === first.id) : -1
  if (!messages || at < 0) return { messages: page.items, cursor: page.next_cursor }
  const known = new Map(messages.slice(at).map((message) => [message.id, message]))
  const items = page.items.map((message) => {
    const before = known.get(message.id)
    return before && isSame(before, message) ? before : message
  })
  const next = [...messages.slice(0, at), ...items]
  const same = next.length === messages.length && next.every((message, index) => message === messages[index])
  return { messages: same ? messages : next, cursor: at === 0 ? page.next_cursor : cursor }
}

export const withEarlier = ({ messages }: Held, page: Page): Held => ({
  messages: [...page.items, ...(messages ?? [])],
  cursor: page.next_cursor,
})

/** Words never change, save that they can be removed; what people think of them does. */
const isSame = (one: Message, other: Message): boolean =>
  one.redacted === other.redacted &&
  one.pinned === other.pinned &&
  one.excluded === other.excluded &&
  one.rating?.at === other.rating?.at
