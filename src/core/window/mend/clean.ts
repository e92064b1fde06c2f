/** What needs no mending, whatever the target. */
import type { CallPart, Item } from '../../message/item.js'
import { isBlank, isWellFormed } from '../../message/text.js'
import { isLegalId } from './call-ids.js'
import { sound } from './well-formed.js'

const legalName = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** True for visible text and finished calls; the ids of calls may still collide with those of another item. */
export function isClean(item: Item): boolean {
  if (item.role === 'system' || item.mark || item.parts.length === 0) return false
  for (const part of item.parts) {
    if (part.type === 'text') {
      if (isBlank(part.text) || !isWellFormed(part.text)) return false
    } else if (part.type !== 'call' || item.role !== 'assistant' || !isCleanCall(part)) return false
  }
  return true
}

function isCleanCall(call: CallPart): boolean {
  if (call.outcome.state === 'pending' || call.outcome.output.length === 0) return false
  if (!isLegalId(call.id) || !legalName.test(call.name)) return false
  if (!isPlainObject(call.input) || sound(call.input) !== call.input) return false
  for (const part of call.outcome.output) {
    if (part.type !== 'text' || isBlank(part.text) || !isWellFormed(part.text)) return false
  }
  return true
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
