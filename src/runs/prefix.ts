/** How much of a request begins like the one before it: what a provider's cache can use again. */

import { lru } from '../core/message/lru.js'
import type { WindowItem } from '../core/window/assemble.js'

export interface Prefixes {
  /** Tokens at the beginning that the conversation's last window had too; null when that one is not known here. */
  reused(conversation: string, items: readonly WindowItem[]): number | null
}

/** Remembers the last windows of conversations, up to so many characters. */
export function rememberPrefixes(most = 4_000_000): Prefixes {
  const known = lru<readonly Seen[]>(most, (all) => all.reduce((sum, { text }) => sum + text.length + 10, 1_000))
  return {
    reused(conversation, items) {
      const now = items.map(({ role, text, parts }): Seen => ({ role, text, parts: parts.length }))
      const before = known.get(conversation)
      known.set(conversation, now)
      if (!before) return null
      let tokens = 0
      for (let i = 0; i < items.length && isSame(now[i], before[i]); i++) tokens += items[i]?.tokens ?? 0
      return tokens
    },
  }
}

/** Kept apart: texts that are one and the same are not compared letter by letter. */
interface Seen extends Pick<WindowItem, 'role' | 'text'> {
  readonly parts: number
}

const isSame = (one: Seen | undefined, other: Seen | undefined): boolean =>
  one?.text === other?.text && one?.role === other?.role && one?.parts === other?.parts
