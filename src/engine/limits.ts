/** Bounds of what one conversation may hold, with a word of warning before they are reached. */
import type { Issue } from '../core/message/issue.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { NewEntry } from '../store/contract/entry.js'
import { bounds } from '../store/shared/gate.js'
import { refusal } from '../store/shared/refuse.js'
import { byteLength } from '../store/shared/runtime.js'

/** How much one call may bring; above it a call is refused with `too_large`. */
export interface Limits {
  /** Entries written at once. */
  readonly batchEntries: number
  /** Bytes of one entry's text. */
  readonly entryBytes: number
  readonly conversationBytes: number
  readonly conversationEntries: number
  /** Characters of a tool result; the rest is kept as a blob (specification 3). */
  readonly resultChars: number
}

const usual: Limits = {
  batchEntries: bounds.batch,
  entryBytes: 8 * 1024 * 1024,
  conversationBytes: 1024 * 1024 * 1024,
  conversationEntries: 1_000_000,
  resultChars: 50_000,
}

export const limitsOf = (given: Partial<Limits> = {}): Limits => ({ ...usual, ...given })

/** A limit is near when this share of it is used. */
const near = 0.8

/** Throws when a limit would be broken; warns when one is near. */
export function checkLimits(entries: readonly NewEntry[], conversation: Conversation | null, limits: Limits): Issue[] {
  const warnings: Issue[] = []
  judge('messages', 'entries', entries.length, limits.batchEntries, warnings)
  let bytes = 0
  entries.forEach((entry, i) => {
    const size = byteLength(entry.text)
    bytes += size
    judge(`messages[${i}]`, 'bytes', size, limits.entryBytes, warnings)
  })
  judge('conversation', 'bytes', (conversation?.bytes ?? 0) + bytes, limits.conversationBytes, warnings)
  judge('conversation', 'entries', (conversation?.entries ?? 0) + entries.length, limits.conversationEntries, warnings)
  return warnings
}

function judge(field: string, unit: string, size: number, most: number, warnings: Issue[]): void {
  if (size > most)
    throw refusal('too_large', `${field} would have ${size} ${unit}; at most ${most}`, { field, value: size })
  if (size <= most * near) return
  warnings.push({ code: 'limit.near', field, value: size, message: `${field} has ${size} of at most ${most} ${unit}` })
}
