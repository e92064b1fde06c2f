/** Very long tool results: a cut text in the log, the whole on the shelf. */
import { length, unitsOf } from '../core/message/text.js'
import type { Entry, NewEntry } from '../store/contract/entry.js'
import { refusal } from '../store/shared/refuse.js'
import type { Limits } from './limits.js'
import { resultEntry, type Writing } from './window/entries.js'
import type { Source } from './window/window.js'

/** As specification 3 marks what it cut before storing it. */
export const storageMark = '\n[truncated for storage]'

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
