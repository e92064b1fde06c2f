/** Specification 4: the messages of a session, cut to a budget of tokens. */

import type { Issue } from '../core/message/issue.js'
import type { Counter } from '../core/tokens/counter.js'
import { assemble } from '../core/window/assemble.js'
import { bare } from './bare.js'
import { taskRefusal } from './refusal.js'

export interface ContextWindowOptions {
  readonly compat?: 'literal'
  /** In the place of chars / 4. */
  readonly counter?: Counter
  /** Hears what is worth a line in the log, such as a reserve that was set aside. */
  readonly warn?: (warning: Issue) => void
}

/**
 * Keeps the first message and the newest that fit `maxTokens - reservedTokens`, with a marker where messages are
 * missing. Messages come back as they were given; a single one comes back whatever its size.
 * @example applyContextWindow(messages, 100_000)
 */
export function applyContextWindow<T extends object>(
  messages: readonly T[],
  maxTokens: number,
  reservedTokens = 4_500,
  options: ContextWindowOptions = {},
): readonly (T | { readonly role: string; readonly content: string })[] {
  const { compat, counter, warn } = options
  const clamped = reservedTokens >= maxTokens
  // one token is what the letter of the specification leaves
  const budget = !clamped ? maxTokens - reservedTokens : compat ? 1 : maxTokens
  if (clamped && !compat) warn?.(setAside(maxTokens, reservedTokens))
  const result = assemble({ messages }, 'session-window', {
    ...bare,
    budget,
    target: 'messages',
    overrides: { fit: { messages: null, ...(messages.length === 1 && { oversize: 'keep' as const }) } },
    ...(compat && { compat }),
    ...(counter && { counter }),
  })
  if (!result.ok) throw taskRefusal(result.error)
  for (const warning of result.warnings) warn?.(warning)

  const { items, receipt } = result
  const markers = items.filter((item) => item.fate === 'marker')
  const marks = new Map(receipt.gaps.map(({ before }, i) => [before, markers[i]]))
  const short = new Map(items.flatMap((item) => (item.fate === 'clipped' ? [[item.index, item.text] as const] : [])))
  const out: (T | { readonly role: string; readonly content: string })[] = []
  const mark = (index: number): void => {
    const marker = marks.get(index)
    if (marker) out.push({ role: marker.role, content: marker.text })
  }
  for (const { from, to, fate } of receipt.lines) {
    if (fate === 'dropped') continue
    for (let index = from; index <= to; index++) {
      mark(index)
      const text = short.get(index)
      out.push(text === undefined ? (messages[index] as T) : { ...(messages[index] as T), content: text })
    }
  }
  mark(messages.length)
  return out
}

const setAside = (window: number, reserve: number): Issue => ({
  code: 'fit.reserve',
  field: 'reservedTokens',
  value: reserve,
  message: `the reserve of ${reserve} leaves nothing of ${window} tokens; it is ignored`,
})
