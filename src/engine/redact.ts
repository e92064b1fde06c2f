/** Removes the words of an entry, and with them every summary and memory that was made of them and every mark on it. */
import { memoryOf, memoryRecord } from '../recall/memories.js'
import type { Removal } from '../store/contract/upkeep.js'
import type { Entry } from '../store/entry.js'
import { aboutEntry, recordsOf } from './marks.js'
import type { Source } from './window.js'

export async function redactEntry(source: Source, id: string): Promise<Removal> {
  const { store, workspace, conversation } = source
  const removed = await store.redact(workspace, conversation, id)
  for (const summary of await summariesOf(source, id)) await store.redact(workspace, conversation, summary)
  for (const memory of await memoriesFrom(source, id)) await store.removeRecord(workspace, memoryRecord, memory)
  await store.removeRecord(workspace, 'mark', aboutEntry(conversation, id))
  return removed
}

async function memoriesFrom(place: Source, id: string): Promise<readonly string[]> {
  const records = await recordsOf(place, memoryRecord)
  return records.filter((record) => memoryOf(record).source?.entry === id).map((record) => record.id)
}

/** Those that cover the entry, on any branch. */
async function summariesOf({ store, workspace, conversation }: Source, id: string): Promise<readonly string[]> {
  const entry = async (one: string | null): Promise<Entry | null> =>
    one === null ? null : store.entry(workspace, conversation, one)
  const seen = new Map<string, boolean>()
  for (const { head } of await store.branches(workspace, conversation)) {
    let name = (await entry(head))?.summary ?? null
    while (name !== null && !seen.has(name)) {
      const summary: Entry | null = await entry(name)
      if (summary?.body.kind !== 'summary') break
      const covered = summary.redacted ? [] : await store.path(workspace, conversation, summary.body.until)
      seen.set(
        name,
        covered.some((one) => one.id === id),
      )
      name = (await entry(summary.parent))?.summary ?? null
    }
  }
  return [...seen].filter(([, covers]) => covers).map(([summary]) => summary)
}
