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

/** About so many messages of a run are counted, spread over it. */
const samples = 32

/** The size of a run, from some of its messages: nearly all of them the same ones when it grows, so that few are counted anew. */
export function estimateOf(from: number, to: number, walk: Walk): Size {
  const stride = 2 ** Math.round(Math.log2((to - from) / samples))
  const [first, end] = [Math.ceil(from / stride), Math.floor(to / stride)]
  const { tokens, chars } = added(first, end, walk, (cell) => placeIn(cell, stride))
  const share = (to - from) / (end - first)
  return { tokens: Math.round(tokens * share), chars: Math.round(chars * share), estimated: true }
}

/** One place of a cell, by chance but always the same, and that of one of its halves: in a regular history no one is passed over. */
function placeIn(cell: number, stride: number): number {
  let place = cell
  for (let left = stride; left > 1; left /= 2) place = 2 * place + ((Math.imul(place + left, 0x9e3779b1) >>> 15) & 1)
  return place
}

function added(from: number, to: number, walk: Walk, place = (at: number): number => at): Size {
  let [tokens, chars] = [0, 0]
  for (let i = from; i < to; i++) {
    const { alone } = walk.record(place(i))
    tokens += alone.tokens
    chars += alone.chars
  }
  return { tokens, chars }
}

function grow(messages: readonly unknown[], to: number, walk: Walk, sums: Sums): void {
  if (!isSameHistory(messages, sums.seen)) [sums.seen.length, sums.tokens.length, sums.chars.length] = [0, 1, 1]
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
