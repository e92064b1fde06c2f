/** The words of entries: those that have them, and how they are shown. */
import type { Hit, SearchQuery } from '../contract/search.js'
import { filterOf, hitOf } from '../search/found.js'
import { type Span, spansOf } from '../search/spans.js'
import { conversationTerm, type Sought, workspaceTerm } from '../search/terms.js'
import { keyOf, type Sqlite } from './desk.js'
import type { Row, Values } from './driver.js'
import { tablesBelow } from './parts.js'
import { toEntry } from './rows.js'
import * as side from './side.js'
import * as sql from './statements.js'

/** Newest first, below a place. */
export function withWords(
  desk: Sqlite,
  workspace: string,
  query: SearchQuery,
  sought: readonly Sought[],
  before: number,
  limit: number,
): Row[] {
  const asked = {
    workspace,
    ...narrowed(desk, workspace, query),
    words: wordsOf(workspace, query.conversation, sought),
    before,
  }
  const rows: Row[] = []
  for (const table of tablesBelow(desk.db, workspace, before)) {
    rows.push(...desk.db.all(side.searchWords(table), { ...asked, limit: limit - rows.length }))
    if (rows.length >= limit) break
  }
  return rows
}

/** The filters of a query, as the statement takes them. */
function narrowed(desk: Sqlite, workspace: string, query: SearchQuery): Values {
  const spans = spansIn(desk, workspace, query)
  return { ...filterOf(query), tag: query.tag ?? null, spans: spans && JSON.stringify(spans) }
}

/** Null when no branch is named. */
export function spansIn(
  { db }: Sqlite,
  workspace: string,
  { conversation = '', branch }: SearchQuery,
): readonly Span[] | null {
  if (branch === undefined) return null
  return spansOf(db.all(side.pathSeqs, { ...keyOf(workspace, conversation), branch }).map(({ seq }) => seq as number))
}

/** In the language of FTS5. No term has a quotation mark in it. */
function wordsOf(workspace: string, conversation: string | undefined, sought: readonly Sought[]): string {
  const place = conversation === undefined ? workspaceTerm(workspace) : conversationTerm(workspace, conversation)
  return [`"${place}"`, ...sought.map(({ term, prefix }) => `"${term}"${prefix ? ' *' : ''}`)].join(' AND ')
}

export function toHit({ db }: Sqlite, workspace: string, row: Row, sought: readonly Sought[]) {
  const [id, seq] = [row.conversation_id as string, row.seq as number]
  const [read] = db.all(sql.entriesBetween, { ...keyOf(workspace, id), first: seq, last: seq })
  const entry = toEntry(read as Row)
  return { hit: hitOf({ id, title: row.title as string }, entry, row.role as Hit['role'], sought), text: entry.text }
}
