/** Specification 0: the history as it is stored with a task. */

import { length } from '../core/message/text.js'
import { speakerOf } from '../core/render/text-numbered.js'
import { assemble, type WindowItem } from '../core/window/assemble.js'
import { bare } from './bare.js'
import { taskRefusal } from './refusal.js'
import type { ValidMessage } from './validation.js'

/** A message as specification 0 stores it: perhaps cut, and saying so. */
export interface StoredMessage extends ValidMessage {
  readonly truncated: boolean
  /** In code points, before the cut. */
  readonly original_length: number
}

/** A history as specification 0 stores it with a task. */
export interface StoredHistory {
  readonly messages: readonly StoredMessage[]
  readonly total_messages: number
  readonly truncated_count: number
  /** Older messages that did not fit the total budget; absent when there are none. */
  readonly omitted_count?: number
  readonly metadata: {
    readonly collection_time: string
    readonly oldest_message: string | null
    readonly newest_message: string | null
  }
}

export interface TruncateOptions {
  readonly now?: string
  /** Without the total budget that specification 0 claims but does not enforce (K5). */
  readonly compat?: 'literal'
}

/** Takes what `validateConversationHistory` gives under `handoff-user-first`. @example truncateConversationHistory(history ?? []) */
export function truncateConversationHistory(
  messages: readonly ValidMessage[],
  options: TruncateOptions = {},
): StoredHistory {
  const { now = new Date().toISOString(), compat } = options
  const result = assemble({ messages }, 'handoff-user-first', { ...bare, now, ...(compat && { compat }) })
  if (!result.ok) throw taskRefusal(result.error)
  return storedHistory(result.items, messages, now, messages.length - result.items.filter(isMessage).length)
}

const isMessage = ({ index }: WindowItem): boolean => index !== null

/** The items of a window in the form in which they are stored; `messages` are what they were made of. */
export function storedHistory(
  items: readonly WindowItem[],
  messages: readonly Pick<ValidMessage, 'content' | 'attachments'>[],
  now: string,
  omitted: number,
): StoredHistory {
  const stored = items.flatMap((item): StoredMessage[] => {
    const raw = messages[item.index ?? -1]
    if (!raw) return []
    const beside = raw.attachments === undefined ? null : { attachments: raw.attachments }
    return [
      {
        role: speakerOf(item),
        content: item.text,
        timestamp: item.at ?? now,
        truncated: item.clipped === true,
        original_length: length(raw.content),
        ...beside,
      },
    ]
  })
  const times = stored.map(({ timestamp }) => timestamp)
  return {
    messages: stored,
    total_messages: stored.length,
    truncated_count: stored.filter(({ truncated }) => truncated).length,
    ...(omitted > 0 ? { omitted_count: omitted } : null),
    metadata: {
      collection_time: now,
      oldest_message: extreme(times, (one, other) => one < other),
      newest_message: extreme(times, (one, other) => one > other),
    },
  }
}

/** The first or last instant, as it was written. */
function extreme(times: readonly string[], wins: (one: number, other: number) => boolean): string | null {
  let best: { readonly time: string; readonly at: number } | null = null
  for (const time of times) {
    const at = instant(time)
    if (!Number.isNaN(at) && (!best || wins(at, best.at))) best = { time, at }
  }
  return best?.time ?? null
}

/** Times without a zone are all taken for the same one. */
function instant(time: string): number {
  const iso = time.trim().replace(' ', 'T').replace(',', '.')
  const zoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(iso.slice(10))
  return Date.parse(zoned || !iso.includes('T') ? iso : `${iso}Z`)
}
