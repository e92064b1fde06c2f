/** How much of a request begins like the one before it: what a provider's cache can use again. */

import { lru } from '../core/message/lru.js'
import type { WindowItem } from '../core/window/assemble.js'

export interface Prefixes {
  /** Tokens at the beginning that the conversation's last window had too; null when that one is not known here. */
  reused(conversation: string, items: readonly WindowItem[]): number | null
}

/** Remembers the last windows of conversations, up to so many characters. */
export function rememberPrefixes(most = 4_000_000): Prefixes {
  const known = lru<readonly string[]>(most, (texts) => texts.reduce((sum, { length }) => sum + length, 1_000))
  return {
    reused(conversation, items) {
      const texts = items.map(({ role, text, parts }) => `${role}\n${text}\n${parts.length}`)
      const before = known.get(conversation)
      known.set(conversation, texts)
      if (!before) return null
      let tokens = 0
      for (let i = 0; i < items.length && texts[i] === before[i]; i++) tokens += items[i]?.tokens ?? 0
      return tokens
    },
  }
}
