/** What a message weighs against each limit, and how much each limit leaves. */

import type { Issue } from '../message/issue.js'
import { byteLength, length } from '../message/text.js'
import type { Policy } from '../policy/schema.js'
import type { Shape } from './shape.js'
import { textOf } from './shape.js'
import type { Slot } from './walk.js'

/** A slot that is a candidate for the window, in the form it would have there. */
export interface Kept {
  readonly slot: Slot
  readonly shape: Shape
  /** Further slots that were folded into this one. */
  readonly merged: readonly Slot[]
  /** Tokens that it keeps free while it is over its share, so that a bigger budget never keeps less. */
  readonly share?: number
}

export interface Load {
  readonly tokens: number
  readonly chars: number
  readonly bytes: number
  readonly messages: number
  readonly turns: number
}

export type Limit = keyof Load

export const weightless: Load = { tokens: 0, chars: 0, bytes: 0, messages: 0, turns: 0 }

export const boundless: Load = {
  tokens: Number.POSITIVE_INFINITY,
  chars: Number.POSITIVE_INFINITY,
  bytes: Number.POSITIVE_INFINITY,
  messages: Number.POSITIVE_INFINITY,
  turns: Number.POSITIVE_INFINITY,
}

export const plus = (one: Load, other: Load): Load => ({
  tokens: one.tokens + other.tokens,
  chars: one.chars + other.chars,
  bytes: one.bytes + other.bytes,
  messages: one.messages + other.messages,
  turns: one.turns + other.turns,
})

export const minus = (one: Load, { tokens, chars, bytes, messages, turns }: Load): Load =>
  plus(one, { tokens: -tokens, chars: -chars, bytes: -bytes, messages: -messages, turns: -turns })

const order: readonly Limit[] = ['tokens', 'chars', 'bytes', 'messages', 'turns']

/** The first limit that the load is over, or null when it fits. */
export function over(load: Load, room: Load): Limit | null {
  if (
    load.tokens <= room.tokens &&
    load.messages <= room.messages &&
    load.chars <= room.chars &&
    load.bytes <= room.bytes &&
    load.turns <= room.turns
  )
    return null
  return order.find((limit) => load[limit] > room[limit]) ?? null
}

export function weigh(kept: Kept, fit: Policy['fit']): Load {
  return {
    tokens: Math.max(kept.shape.after.tokens, kept.share ?? 0),
    chars: fit.chars === null ? 0 : charsOf(kept, fit.measure),
    bytes: fit.bytes === null ? 0 : bytesOf(kept),
    messages: 1 + kept.merged.length + answered(kept.slot),
    turns: 0,
  }
}

/** Of what is pinned, or stands for others: it does not count against the number of messages. */
export const uncounted = (kept: Kept, fit: Policy['fit']): Load => ({ ...weigh(kept, fit), messages: 0 })

function answered(slot: Slot): number {
  let count = 0
  for (const answer of slot.answers) if (answer >= 0) count++
  return count
}

/** Specification 2 measures a record: content, role, timestamp and ten for the JSON around them. */
function charsOf({ shape }: Kept, measure: Policy['fit']['measure']): number {
  if (measure === 'text') return shape.after.chars
  const { item } = shape
  return (
    shape.after.chars + length(item.author === 'orchestrator' ? item.author : item.role) + length(item.at ?? '') + 10
  )
}

/** As the client would send it: `{"role":…,"content":…}` and a comma. */
const bytesOf = ({ shape }: Kept): number =>
  byteLength(JSON.stringify({ role: shape.item.role, content: textOf(shape.item) })) + 1

/** Oldest first. */
export const inOrder = (kept: readonly Kept[]): Kept[] =>
  [...kept].sort((one, other) => one.slot.index - other.slot.index)

/** By how much the load is over the first limit that it breaks. */
export function excessOf(load: Load, room: Load): number {
  const limit = over(load, room)
  return limit ? load[limit] - room[limit] : 0
}

export function tooSmall(load: Load, room: Load): Issue {
  const limit = over(load, room) ?? 'tokens'
  const need = load[limit]
  const have = Math.max(0, room[limit])
  return {
    code: 'fit.budget',
    field: 'budget',
    reason: 'budget_too_small',
    value: have,
    message: `what must be kept needs ${need} ${limit}, but there is room for ${have}; raise the budget by at least ${need - have}, or shorten the message`,
  }
}
