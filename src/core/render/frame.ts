/** What surrounds the blocks of a text rendering. */
import type { Item } from '../message/item.js'
import type { Window } from '../message/window.js'
import type { Mended } from '../window/mend/mend.js'

export interface Frame {
  readonly open: string
  /** Stands between two blocks. */
  readonly between: string
  /** The end of the history, for the number of messages and of shortened ones in it. */
  readonly close: (messages: number, clipped: number) => string
  /** Stands between the history and the current message; empty where that is part of the history. */
  readonly ask: string
}

/** The current message, if it is a user's and has survived. */
export function currentItem(mended: Mended, window: Window): Item | undefined {
  const last = mended.items.at(-1)
  if (!window.hasCurrent || last !== window.items.at(-1)) return undefined
  return last?.role === 'user' && !last.mark ? last : undefined
}
