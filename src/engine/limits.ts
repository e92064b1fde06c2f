/** Bounds of what one conversation may hold, with a word of warning before they are reached. */
import type { Issue } from '../core/message/issue.js'
import { length, unitsOf } from '../core/message/text.js'
import type { Policy } from '../core/policy/schema.js'
import type { Conversation } from '../store/contract/conversation.js'
import type { Entry, NewEntry } from '../store/contract/entry.js'
import { bounds } from '../store/shared/gate.js'
import { refusal } from '../store/shared/refuse.js'
import { byteLength } from '../store/shared/runtime.js'
import { resultEntry, type Writing } from './window/entries.js'
import type { Source } from './window/window.js'

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

// What is kept and will never be sent, said when it is appended and not when someone wonders.

/** `leads`: nothing but system messages comes before the entries on their path. */
export function unsentWarnings(entries: readonly NewEntry[], { name, intake }: Policy, leads: boolean): Issue[] {
  let first = leads
  return entries.flatMap(({ body, author }, i) => {
    if (body.kind !== 'message') return []
    const role = author === 'orchestrator' && body.role === 'assistant' ? author : body.role
    const field = `messages[${i}]`
    if (role === 'system') return first && /^(lead|prompt)$/.test(intake.system) ? [] : [systemUnsent(field, name)]
    first = false
    if (intake.roles.includes(role)) return []
    const message = `the message is kept, but no window shows it: the policy '${name}' leaves out the role '${role}'`
    return [{ code: 'message.unsent', field: `${field}.role`, value: role, message }]
  })
}

/** Whether what is written after an entry can still lead. */
export const isLead = (last: Entry | null): boolean =>
  last === null || (last.depth === 0 && last.body.kind === 'message' && last.body.role === 'system')

const systemUnsent = (field: string, policy: string): Issue => ({
  code: 'message.unsent',
  field: `${field}.role`,
  value: 'system',
  message: `the system message is kept, but no model gets it under the policy '${policy}'`,
  suggestion: 'give the system prompt as openHistory({ system }) or history.window({ system })',
})

// Very long tool results: a cut text in the log, the whole on the shelf.

/** As specification 3 marks what it cut before storing it. */
const storageMark = '\n[truncated for storage]'

export async function shelve(
  entries: readonly NewEntry[],
  source: Source,
  writing: Writing,
  limits: Limits,
): Promise<NewEntry[]> {
  const out: NewEntry[] = []
  for (const entry of entries)
    out.push(isLong(entry, limits.resultChars) ? await shelveOne(entry, source, writing, limits.resultChars) : entry)
  return out
}

const isLong = ({ body, text }: NewEntry, most: number): boolean =>
  body.kind === 'result' && text.length > most && length(text) > most

async function shelveOne(
  entry: NewEntry,
  { store, workspace, conversation }: Source,
  writing: Writing,
  most: number,
): Promise<NewEntry> {
  const bytes = new TextEncoder().encode(entry.text)
  const blob = await store.putBlob(workspace, conversation, { bytes, mediaType: 'text/plain; charset=utf-8' })
  const meta = { ...entry.meta, blob: blob.sha256, originalChars: length(entry.text) }
  return { ...cutOf(entry, writing, most), meta }
}

/** The entry as it stands in the log. */
export function cutOf(entry: NewEntry, writing: Writing, most: number): NewEntry {
  const { body, text, at, id } = entry
  if (body.kind !== 'result' || !isLong(entry, most)) return entry
  const cut = text.slice(0, unitsOf(text, most)) + storageMark
  const files = body.output.filter((part) => part.type === 'file' && part.source.kind !== 'text')
  const output = [{ type: 'text', text: cut } as const, ...files]
  return resultEntry({ callId: body.callId, state: body.state, output }, at, writing, id)
}

/** The text of an entry as it was before it was cut for storage. */
export async function expand(entry: Entry, { store, workspace }: Source): Promise<string> {
  const sha256 = entry.meta?.blob
  if (typeof sha256 !== 'string') return entry.text
  const blob = await store.getBlob(workspace, sha256)
  if (!blob) throw refusal('not_found', 'the whole text is no longer there', { field: 'entry', value: entry.id })
  return new TextDecoder().decode(blob.bytes)
}
