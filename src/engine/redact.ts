/** Removes the words of an entry, and with them every summary and memory that was made of them and every mark on it. */
import { memoryOf, memoryRecord } from '../recall/memories.js'
import type { Entry } from '../store/contract/entry.js'
import type { Removal } from '../store/contract/upkeep.js'
import { aboutEntry, markRecords } from './window/entries.js'
import type { Source } from './window/window.js'

export async function redactEntry(source: Source, id: string): Promise<Removal> {
  const { store, workspace, conversation } = source
  for (const memory of await memoriesFrom(source, id)) await store.removeRecord(workspace, memoryRecord, memory)
  await store.removeRecord(workspace, 'mark', aboutEntry(conversation, id))
  for (const summary of await summariesOf(source, id)) await store.redact(workspace, conversation, summary)
  // last: whoever breaks off before this finds it to be done again, and a file is cleaned of everything at once
  return store.redact(workspace, conversation, id)
}

async function memoriesFrom(place: Source, id: string): Promise<readonly string[]> {
  const records = await markRecords(place, memoryRecord)
  return records.filter((record) => memoryOf(record).source?.entry === id).map((record) => record.id)
}

/** Those that cover the entry, on any branch, or on one that is no longer there. */
async function summariesOf({ store, workspace, conversation }: Source, id: string): Promise<readonly string[]> {
  const covering: string[] = []
  for (let after = 0, page: readonly Entry[]; ; after = page.at(-1)?.seq ?? after) {
    page = await store.feed(workspace, conversation, after, 1_000)
    for (const { id: summary, body, redacted } of page) {
      if (body.kind !== 'summary' || redacted) continue
      const covered = await store.path(workspace, conversation, body.until)
      if (covered.some((one) => one.id === id)) covering.push(summary)
    }
    if (page.length === 0) return covering
  }
}
