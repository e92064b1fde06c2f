/** Specification 0: the context of a task as the agent reads it. */
import { decode } from '../core/message/dialects/decode.js'
import { type Item, text } from '../core/message/item.js'
import { presets } from '../core/policy/presets/index.js'
import { render } from '../core/render/render.js'
import { gapItem } from '../core/window/turns.js'
import type { StoredHistory, StoredMessage } from './handoff.js'

/** What an agent is told of its task, as specification 0 has it. */
export interface TaskContext {
  readonly background_context?: string | null
  readonly expected_deliverables?: readonly string[] | { readonly items?: readonly string[] } | null
  readonly success_criteria?: readonly string[] | { readonly criteria?: readonly string[] } | null
  readonly constraints?: readonly string[] | { readonly rules?: readonly string[] } | null
  readonly relevant_files?: readonly string[] | null
  readonly conversation_history?: Partial<StoredHistory> | null
  readonly related_documentation?: readonly string[] | null
}

export interface TaskRegistry {
  readonly task_context?: TaskContext | null
}

export interface PromptOptions {
  readonly section?: 'emoji' | 'plain'
  /** Only the first line of a content is indented, as the specification prints it: for comparison, not for use. */
  readonly compat?: 'literal'
}

const bar = '='.repeat(80)
const shownFiles = 10

/** Empty when the task has no context. @example formatTaskEnrichmentPrompt({ task_context }) */
export function formatTaskEnrichmentPrompt(registry: TaskRegistry, options: PromptOptions = {}): string {
  const context = registry.task_context ?? {}
  return taskFrame(context, historySection(context.conversation_history ?? {}, options), options.section)
}

/** The frame around a section of the history that is written already. */
export function taskFrame(context: TaskContext, history: string, section: PromptOptions['section'] = 'emoji'): string {
  const emoji = section === 'emoji'
  const heading = (sign: string, words: string): string => `${emoji ? `${sign} ` : ''}${words}`
  const list = (sign: string, words: string, lines: readonly string[]): string =>
    lines.length > 0
      ? `\n${heading(sign, words)}:\n${lines.map((line) => `  ${emoji ? '•' : '-'} ${line}`).join('\n')}\n`
      : ''
  const sections =
    (context.background_context ? `\n${heading('📋', 'BACKGROUND CONTEXT')}:\n${context.background_context}\n` : '') +
    list('✅', 'EXPECTED DELIVERABLES', linesOf(context.expected_deliverables)) +
    list('🎯', 'SUCCESS CRITERIA', linesOf(context.success_criteria)) +
    list('⚠️', 'CONSTRAINTS', linesOf(context.constraints)) +
    list('📁', 'RELEVANT FILES TO EXAMINE', first(linesOf(context.relevant_files), shownFiles)) +
    history +
    list('📚', 'RELATED DOCUMENTATION', linesOf(context.related_documentation))
  if (sections === '') return ''
  return `\n${bar}\n${heading('🎯', 'TASK CONTEXT (Provided by task creator)')}\n${bar}\n\n${sections}\n\n${bar}\n`
}

/** A list by itself, or under the one name it has in the registry. */
function linesOf(value: readonly string[] | object | null | undefined): readonly string[] {
  if (value === null || value === undefined) return []
  return (Array.isArray(value) ? value : (Object.values(value).find(Array.isArray) ?? [])) as readonly string[]
}

const first = (lines: readonly string[], most: number): readonly string[] =>
  lines.length > most ? [...lines.slice(0, most), `... and ${lines.length - most} more files`] : lines

function historySection({ messages = [], omitted_count = 0 }: Partial<StoredHistory>, options: PromptOptions): string {
  const { fit, render: style } = presets['handoff-user-first']
  const items = messages.map(itemOf)
  return render(
    {
      items: omitted_count > 0 ? [gapItem(fit.gap, omitted_count), ...items] : items,
      hasCurrent: false,
      style: { ...style, section: options.section ?? style.section, escape: options.compat !== 'literal', names: true },
    },
    'text-numbered',
  )
}

const speakers = new Set(['user', 'assistant', 'orchestrator'])

/** A stored message is cut already; who is none of the three speaks from a bubble. */
function itemOf(message: StoredMessage): Item {
  const known = speakers.has(message.role)
  const decoded = decode(known ? message : { ...message, role: 'system', author: message.role })
  const item: Item = decoded.ok
    ? { role: decoded.role, parts: decoded.parts, ...(decoded.author !== undefined && { author: decoded.author }) }
    : { role: 'system', author: message.role, parts: [text(String(message.content))] }
  return {
    ...item,
    ...(message.timestamp === undefined ? null : { at: message.timestamp }),
    ...(message.truncated ? { clipped: true } : null),
  }
}
