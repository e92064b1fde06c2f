/** Specification 3: turns from the rows of an agent's table, and the prompt made of them. */

import type { Overrides } from '../core/policy/schema.js'
import { assemble } from '../core/window/assemble.js'
import { bare } from './bare.js'
import { taskRefusal } from './refusal.js'

export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: string
}

export interface HistoryLimits {
  /** A pair is a user's message with everything that answers it. */
  readonly maxPairs?: number
  readonly maxChars?: number
}

/** Rows, or what fetches them. */
export type Rows = readonly unknown[] | (() => Promise<readonly unknown[]> | readonly unknown[])

/**
 * The newest turns of a conversation, oldest first, tool traffic told in the assistant's words.
 * @example await getConversationHistory(() => db.rows(id), { maxPairs: 10 })
 */
export async function getConversationHistory(rows: Rows, limits: HistoryLimits = {}): Promise<readonly Turn[]> {
  return truncateHistory(typeof rows === 'function' ? await rows() : rows, limits)
}

/** Every turn: consecutive assistant and tool rows become one message. @example formatMessagesForSDK(rows) */
export function formatMessagesForSDK(rows: readonly unknown[]): readonly Turn[] {
  return turns(rows, { turns: null, chars: null, lead: 'any' })
}

/**
 * The last 20 pairs or 100,000 characters of rows or turns; whole ones, a newest that is too long shortened.
 * @example truncateHistory(turns, { maxChars: 50_000 })
 */
export function truncateHistory(history: readonly unknown[], limits: HistoryLimits = {}): readonly Turn[] {
  return turns(history, {
    ...(limits.maxPairs !== undefined && { turns: limits.maxPairs }),
    ...(limits.maxChars !== undefined && { chars: limits.maxChars }),
  })
}

/**
 * The prompt for a model that takes one text; without a history it is the message alone.
 * @example buildPromptWithHistory(await getConversationHistory(rows), message)
 */
export function buildPromptWithHistory(history: readonly Turn[], message: string): string {
  const result = assemble({ messages: history, current: message }, 'agent-turns', {
    ...bare,
    overrides: { fit: { turns: null, chars: null, lead: 'any' } },
  })
  if (!result.ok) throw taskRefusal(result.error)
  return String(result.rendered)
}

function turns(messages: readonly unknown[], fit: NonNullable<Overrides['fit']>): readonly Turn[] {
  const result = assemble({ messages }, 'agent-turns', { ...bare, overrides: { fit } })
  if (!result.ok) throw taskRefusal(result.error)
  return result.items.flatMap(({ role, text }) => (role === 'system' ? [] : [{ role, content: text }]))
}
