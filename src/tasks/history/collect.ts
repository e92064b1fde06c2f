/** What an orchestrator has of its conversation, as the `conversation_history` of a task. */
import { readFile } from 'node:fs/promises'
import { decode } from '../../core/message/dialects/decode.js'
import type { FilePart } from '../../core/message/item.js'
import { presets } from '../../core/policy/presets/index.js'
import { speakerOf } from '../../core/render/text-numbered.js'
import { plainText } from '../../core/window/mend/plain.js'
import { messageOf } from '../../engine/window/entries.js'
import { withFiles } from '../../engine/window/files.js'
import type { Store } from '../../store/contract/store.js'
import { refusal } from '../../store/shared/refuse.js'
import { attachmentOf } from './images.js'

/** A transcript of Claude Code or Codex by its path, a conversation that is stored, or messages in any dialect. */
export type HistorySource =
  | string
  | { readonly store: Store; readonly conversation: string; readonly workspace?: string; readonly branch?: string }
  | readonly unknown[]

/** A message of specification 0; pictures and other files come along as attachments. */
export interface CollectedMessage {
  readonly role: 'user' | 'assistant' | 'orchestrator'
  readonly content: string
  readonly timestamp?: string
  readonly attachments?: readonly unknown[]
}

export interface CollectOptions {
  /** So many of the newest messages; all when left out. */
  readonly last?: number
}

/**
 * Collects what people and models said. Results of tools, system messages, and what a client put into the talk by
 * itself are left out; undefined when nothing is left, so that a task gets a history only when there is one.
 *
 * @example
 * ```ts
 * const conversation_history = await collectHistory('/home/me/.claude/projects/app/session.jsonl')
 * await tasks.register({ description: 'Fix the login test', conversation_history })
 * ```
 */
export async function collectHistory(
  source: HistorySource,
  { last }: CollectOptions = {},
): Promise<readonly CollectedMessage[] | undefined> {
  const rows = await rowsOf(source)
  const collected = merged(rows.flatMap(lineOf)).flatMap(collectedOf)
  const kept = last === undefined ? collected : collected.slice(-last)
  return kept.length === 0 ? undefined : kept
}

async function rowsOf(source: HistorySource): Promise<readonly unknown[]> {
  if (typeof source === 'string') return linesIn(await readFile(source, 'utf8'), source)
  if (!('store' in source)) return source
  const { store, workspace = 'default', conversation, branch = 'main' } = source
  const found = (await store.branches(workspace, conversation)).find(({ name }) => name === branch)
  const head = found?.head ?? null
  const path = head === null ? [] : await store.path(workspace, conversation, head)
  const entries = await withFiles(path, { store, workspace })
  return entries.flatMap((entry) => messageOf(entry, presets['handoff-balanced']) ?? [])
}

/** The last line may be half written while its program still runs. */
function linesIn(text: string, name: string): readonly unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.flatMap((line, at) => {
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      if (at === lines.length - 1 && at > 0) return []
      const message = `line ${at + 1} of the transcript is no JSON; a transcript has one JSON object on each line`
      throw refusal('invalid', message, { field: 'source', value: name })
    }
  })
}

interface Said {
  readonly message: object
  /** Lines of one answer have the same. */
  readonly id: string | undefined
  readonly at: string | undefined
}

interface Row {
  readonly type?: unknown
  readonly timestamp?: unknown
  readonly payload?: { readonly type?: unknown; readonly role?: unknown }
  readonly message?: { readonly id?: unknown; readonly role?: unknown }
  readonly isMeta?: unknown
  readonly isSidechain?: unknown
  readonly isCompactSummary?: unknown
}

/** A line of a transcript as the message in it; lines about other things have none. */
function lineOf(row: unknown): Said[] {
  if (typeof row !== 'object' || row === null) return []
  const { type, payload, message, timestamp, isMeta, isSidechain, isCompactSummary } = row as Row
  const at = typeof timestamp === 'string' ? timestamp : undefined
  if (type === 'response_item') return payload?.type === 'message' ? [{ message: payload, id: undefined, at }] : []
  if ((type === 'user' || type === 'assistant') && typeof message === 'object' && message !== null) {
    const isOwn = isMeta === true || isSidechain === true || isCompactSummary === true
    return isOwn ? [] : [{ message, id: typeof message.id === 'string' ? message.id : undefined, at }]
  }
  return 'role' in row ? [{ message: row, id: undefined, at }] : []
}

/** Claude Code writes an answer as several lines, one for each of its parts. */
function merged(lines: readonly Said[]): readonly Said[] {
  const out: Said[] = []
  for (const line of lines) {
    const before = out.findLast(({ id }) => id !== undefined && id === line.id)
    if (!before) out.push(line)
    else {
      const content = [partsOf(before.message), partsOf(line.message)].flat()
      out[out.indexOf(before)] = { ...before, message: { ...before.message, content } }
    }
  }
  return out
}

const partsOf = (message: object): readonly unknown[] => {
  const { content } = message as { readonly content?: unknown }
  return Array.isArray(content) ? content : [{ type: 'text', text: String(content ?? '') }]
}

/** What a client says in the user's name. */
const injected =
  /^\s*(?:<(?:environment_context|user_instructions|system-reminder|command-|local-command|task-notification)|# AGENTS\.md|\[Request interrupted)/

function collectedOf({ message, at }: Said): CollectedMessage[] {
  const decoded = decode(message)
  if (!decoded.ok || decoded.role === 'system') return []
  const { parts } = decoded
  const text = plainText({ ...decoded, parts: parts.filter(({ type }) => type === 'text') }, 'drop')
  const files = parts.filter((part): part is FilePart => part.type === 'file')
  if ((text === '' && files.length === 0) || injected.test(text)) return []
  const role = speakerOf(decoded)
  const timestamp = at ?? decoded.at
  return [
    {
      role: role === 'system' ? 'user' : role,
      content: text,
      ...(timestamp !== undefined && { timestamp }),
      ...(files.length > 0 && { attachments: files.map(attachmentOf) }),
    },
  ]
}
