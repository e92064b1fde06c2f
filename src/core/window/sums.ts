/** Sizes of runs of messages that the walk did not reach. */

import type { Size } from '../render/size.js'
import type { Sums } from './memo.js'
import type { Walk } from './walk.js'

/** With running totals each message is counted once in the life of the memo; without, once per call. */
export function totalOf(messages: readonly unknown[], from: number, to: number, walk: Walk, sums: Sums | null): Size {
  if (from >= to) return { tokens: 0, chars: 0 }
  if (!sums) return added(from, to, walk)
  grow(messages, to, walk, sums)
  return {
    tokens: (sums.tokens[to] as number) - (sums.tokens[from] as number),
    chars: (sums.chars[to] as number) - (sums.chars[from] as number),
  }
}

/** So many messages of a run are counted, spread evenly over it. */
const samples = 32

/** The size of a run, from some of its messages. */
export function estimateOf(from: number, to: number, walk: Walk): Size {
  const step = (to - from) / samples
  let [tokens, chars] = [0, 0]
  for (let i = 0; i < samples; i++) {
    const { alone } = walk.record(Math.floor(from + (i + 0.5) * step))
    tokens += alone.tokens
    chars += alone.chars
  }
  return { tokens: Math.round(tokens * step), chars: Math.round(chars * step), estimated: true }
}

function added(from: number, to: number, walk: Walk): Size {
  let tokens = 0
  let chars = 0
  for (let i = from; i < to; i++) {
    const { alone } = walk.record(i)
    tokens += alone.tokens
    chars += alone.chars
  }
  return { tokens, chars }
}

function grow(messages: readonly unknown[], to: number, walk: Walk, sums: Sums): void {
  if (!isSameHistory(messages, sums.seen)) {
    sums.seen.length = 0
    sums.tokens.length = 1
    sums.chars.length = 1
  }
  for (let i = sums.seen.length; i < to; i++) {
    const { alone } = walk.record(i)
    sums.seen.push(messages[i])
    sums.tokens.push((sums.tokens[i] as number) + alone.tokens)
    sums.chars.push((sums.chars[i] as number) + alone.chars)
  }
}

/** Every message of a history of ordinary length is compared; of a very long one, so many spread over it. */
const compared = 2_000

/** Another branch, or a message that was replaced, is another history. */
function isSameHistory(messages: readonly unknown[], seen: readonly unknown[]): boolean {
  const step = Math.max(1, Math.floor(seen.length / compared))
  for (let i = 0; i < seen.length; i += step) if (messages[i] !== seen[i]) return false
  return seen.length === 0 || messages[seen.length - 1] === seen[seen.length - 1]
}
