/** Search: what is new is taken in when someone asks, so that writing costs nothing. */
import type { Hit, Page, SearchQuery, Store } from '../contract.js'
import { filterOf, hitOf, type Searched, searchedOf } from '../found.js'
import { cursorAt, limitOf, placeBefore } from '../page.js'
import { conversationTerm, type Sought, soughtIn, workspaceTerm } from '../terms.js'
import { type Desk, type Key, keyOf } from './desk.js'
import type { Row } from './driver.js'
import { toEntry } from './rows.js'
import * as side from './side.js'
import * as sql from './statements.js'

/** What one transaction takes in, so that writers get between two of them. */
const round = { conversations: 100, entries: 250 }

export const searching = (desk: Desk): Pick<Store, 'search'> => ({
  async search(workspace, query) {
    const sought = soughtIn(query.text)
    const before = placeBefore(query.cursor)
    if (sought.length === 0) return { items: [], cursor: null }
    let after: string | null = ''
    while (after !== null) after = await takeIn(desk, workspace, after)
    return desk.group.read(() => found(desk, workspace, query, sought, before))
  },
})

/** Goes once over the conversations with something new; returns where to go on, null when there is no more. */
async function takeIn(desk: Desk, workspace: string, after: string): Promise<string | null> {
  const stale = { workspace, after, limit: round.conversations }
  if (!(await desk.group.read(() => desk.db.get(side.unsearched, { ...stale, limit: 1 })))) return null
  return desk.group.write(() => {
    let [done, left] = [after, round.entries]
    for (const { id, indexed, entries } of desk.db.all(side.unsearched, stale)) {
      const key = keyOf(workspace, id as string)
      const rows = desk.db.all(sql.entriesAfter, { ...key, after: indexed as number, limit: left })
      for (const row of rows) list(desk, key, searchedOf(toEntry(row)))
      left -= rows.length
      desk.db.run(side.setIndexed, {
        ...key,
        indexed: left > 0 ? (entries as number) : (indexed as number) + rows.length,
      })
      if (left === 0) break
      done = key.conversation
    }
    return done
  })
}

function list({ db }: Desk, key: Key, searched: Searched | null): void {
  if (!searched) return
  const { seq, role, instant, terms } = searched
  const names = [workspaceTerm(key.workspace), conversationTerm(key.workspace, key.conversation)]
  db.run(side.addSearched, { ...key, seq, role, instant })
  db.run(side.addTerms, { ...key, seq, terms: [...names, ...terms].join(' ') })
}

function found(
  desk: Desk,
  workspace: string,
  query: SearchQuery,
  sought: readonly Sought[],
  before: number,
): Page<Hit> {
  const limit = limitOf(query.limit)
  const words = wordsOf(workspace, query.conversation, sought)
  const rows = desk.db.all(side.search, { workspace, ...filterOf(query), words, before, limit: limit + 1 })
  const last = rows[limit - 1]
  return {
    items: rows.slice(0, limit).map((row) => toHit(desk, workspace, row, sought)),
    cursor: rows.length > limit && last ? cursorAt(last.place as number) : null,
  }
}

/** In the language of FTS5. No term has a quotation mark in it. */
function wordsOf(workspace: string, conversation: string | undefined, sought: readonly Sought[]): string {
  const place = conversation === undefined ? workspaceTerm(workspace) : conversationTerm(workspace, conversation)
  return [`"${place}"`, ...sought.map(({ term, prefix }) => `"${term}"${prefix ? ' *' : ''}`)].join(' AND ')
}

function toHit({ db }: Desk, workspace: string, row: Row, sought: readonly Sought[]): Hit {
  const [id, seq] = [row.conversation_id as string, row.seq as number]
  const [entry] = db.all(sql.entriesBetween, { ...keyOf(workspace, id), first: seq, last: seq })
  return hitOf({ id, title: row.title as string }, toEntry(entry as Row), row.role as Hit['role'], sought)
}
