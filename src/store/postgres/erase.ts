/** What goes with the words of an entry, beside the log. */

import type { Entry } from '../contract/entry.js'
import type { StoredRecord } from '../contract/record.js'
import { quotes, titleWithout, untitled } from '../search/quote.js'
import { type Call, countOf } from './batch.js'
import type { More } from './driver.js'
import { putting } from './files.js'
import { toRecord } from './rows.js'
import { conversationRow, setTitle } from './sql/conversations.js'
import { removeEvents } from './sql/events.js'
import { ownedRecords, removeRecord } from './sql/files.js'
import { forgetEntry } from './sql/search.js'
import { removeSheets } from './sql/sheets.js'

type Counts = Record<'event' | 'record' | 'search_entry', number> & { readonly title?: number }

export async function eraseBeside(workspace: string, conversation: string, entry: Entry, ask: More): Promise<Counts> {
  const [records, events, found, about] = await ask(
    [ownedRecords, [workspace, conversation]],
    // which of them tell the words nobody knows: they were streamed in pieces
    [removeEvents, [workspace, conversation]],
    [forgetEntry, [workspace, conversation, entry.seq]],
    [conversationRow, [workspace, conversation]],
    [removeSheets, [workspace, conversation, entry.seq]],
  )
  const owned = (records?.rows ?? []).map(toRecord)
  const quoting = owned.filter(({ body }) => quotes(body, entry.text))
  const titles = titleCalls(
    workspace,
    conversation,
    String(about?.rows[0]?.title ?? ''),
    entry,
    owned,
    new Set(quoting),
  )
  const calls = [...quoting.map(({ kind, id }): Call => [removeRecord, [workspace, kind, id]]), ...titles]
  if (calls.length > 0) await ask(...calls)
  const counts = { event: countOf(events), record: quoting.length, search_entry: countOf(found) }
  return titles.length > 0 ? { ...counts, title: titles.length } : counts
}

/** Removes the titles that were made of an entry, its conversation's own and those in records. */
function titleCalls(
  workspace: string,
  conversation: string,
  title: string,
  entry: Entry,
  records: readonly StoredRecord[],
  going: ReadonlySet<StoredRecord>,
): Call[] {
  const left = titleWithout(title, entry)
  const calls: Call[] = left === title ? [] : [[setTitle, [workspace, conversation, left]]]
  for (const record of records) {
    const body = untitled(record.body, entry)
    const { kind, id, updatedAt: at } = record
    if (body !== record.body && !going.has(record)) calls.push(putting(workspace, { kind, id, body, at }))
  }
  return calls
}
