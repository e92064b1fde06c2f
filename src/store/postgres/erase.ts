/** What goes with the words of an entry, beside the log. */
import type { Entry } from '../entry.js'
import { quotes } from '../quote.js'
import { type Call, countOf } from './batch.js'
import type { Ask } from './driver.js'
import { toRecord } from './files.js'
import { removeEvents } from './sql/events.js'
import { ownedRecords, removeRecord } from './sql/files.js'
import { forgetEntry } from './sql/search.js'

type Counts = Record<'event' | 'record' | 'search_entry', number>

export async function eraseBeside(workspace: string, conversation: string, entry: Entry, ask: Ask): Promise<Counts> {
  const [records, events, found] = await ask(
    [ownedRecords, [workspace, conversation]],
    // which of them tell the words nobody knows: they were streamed in pieces
    [removeEvents, [workspace, conversation]],
    [forgetEntry, [workspace, conversation, entry.seq]],
  )
  const quoting = (records?.rows ?? []).map(toRecord).filter(({ body }) => quotes(body, entry.text))
  if (quoting.length > 0) await ask(...quoting.map(({ kind, id }): Call => [removeRecord, [workspace, kind, id]]))
  return { event: countOf(events), record: quoting.length, search_entry: countOf(found) }
}
