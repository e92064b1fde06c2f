/** Specification 2, and the validation of specification 0. */

import type { Issue } from '../core/message/issue.js'
import { length } from '../core/message/text.js'
import type { Overrides, Policy } from '../core/policy/schema.js'
import { speakerOf } from '../core/render/text-numbered.js'
import { assemble } from '../core/window/assemble.js'
import { textOf } from '../core/window/shape.js'
import { bare } from './bare.js'
import { taskRefusal } from './refusal.js'

/** A message that passed validation. */
export interface ValidMessage {
  readonly role: string
  readonly content: string
  readonly timestamp: string
  /** As given, where the message has them (specification 0). */
  readonly attachments?: readonly unknown[]
}

export interface ValidateOptions {
  /** `handoff-assistant-first` (specification 2, the default), `handoff-user-first` (0), or a policy made from one. */
  readonly policy?: 'handoff-assistant-first' | 'handoff-user-first' | Policy
  /** The time for messages that have none. */
  readonly now?: string
  readonly compat?: 'literal'
}

/** A history that passed, or null, with what was noticed on the way. */
export interface Validated {
  /** Null when there is no history or nothing of it is left. */
  readonly history: readonly ValidMessage[] | null
  readonly warnings: readonly Issue[]
}

/** Specification 0 truncates in a function of its own; specification 2 while it validates. */
const separately: Readonly<Record<string, Overrides>> = {
  'handoff-user-first': { clip: { user: null, assistant: null }, fit: { tokens: null, oversize: 'keep' } },
}

/**
 * Throws a `TaskValidationError` in the words of the specification; the input is not changed.
 * @example const { history, warnings } = validateConversationHistory(JSON.parse(body))
 */
export function validateConversationHistory(history: unknown, options: ValidateOptions = {}): Validated {
  const { policy = 'handoff-assistant-first', now = new Date().toISOString(), compat } = options
  const overrides = separately[typeof policy === 'string' ? policy : policy.name] ?? {}
  const result = assemble({ messages: history }, policy, {
    ...bare,
    now,
    overrides,
    target: 'messages',
    ...(compat && { compat }),
  })
  if (!result.ok) throw taskRefusal(result.error)
  // what is empty is no part of a request, but specification 0 validates and stores it
  const places = new Map(result.items.map(({ parts, index }) => [parts, index]))
  const messages = result.window.items.map((item): ValidMessage => {
    const raw = (history as readonly { readonly attachments?: unknown }[])[places.get(item.parts) ?? -1]
    const beside = Array.isArray(raw?.attachments) ? { attachments: raw.attachments as readonly unknown[] } : null
    return { role: speakerOf(item), content: textOf(item), timestamp: item.at ?? now, ...beside }
  })
  return { history: messages.length > 0 ? messages : null, warnings: result.warnings }
}

/**
 * The size of specification 2: content, role, timestamp and ten for the JSON around them, in code points.
 * @example calculateHistorySize(messages) > 100_000
 */
export function calculateHistorySize(
  messages: readonly { readonly role?: string; readonly content?: string; readonly timestamp?: string }[],
): number {
  return messages.reduce(
    (size, { role = '', content = '', timestamp = '' }) =>
      size + length(content) + length(role) + length(timestamp) + 10,
    0,
  )
}
