/** Takes what is new into the index, in short transactions, and makes it anew. */

import type { PageQuery } from '../contract/page.js'
import type { Reindexed } from '../contract/search.js'
import type { Store } from '../contract.js'
import type { Entry } from '../entry.js'
import { type Searched, searchedOf } from '../found.js'
import { cursorBehind, entryBehind, limitOf } from '../page.js'
import { conversationTerm, workspaceTerm } from '../terms.js'
import { type Desk, type Key, keyOf } from './desk.js'
import type { Row } from './driver.js'
import { tableAt, tableFor } from './parts.js'
import { toEntry } from './rows.js'
import * as side from './side.js'
import * as sql from './statements.js'

/** What one transaction takes in, so that writers get between two of them. */
const round = { conversations: 100, entries: 250 }

export async function takeAllIn(desk: Desk, workspace: string): Promise<void> {
  let after: string | null = ''
  while (after !== null) after = await takeIn(desk, workspace, after)
}

/** Goes once over the conversations with something new; returns where to go on, null when there is no more. */
async function takeIn(desk: Desk, workspace: string, after: string): Promise<string | null> {
  const stale = { workspace, after, limit: round.conversations }
  if (!(await desk.group.read(() => desk.db.get(side.unsearched, { ...stale, limit: 1 })))) return null
  const work = (): { readonly done: string; readonly moved: readonly (readonly [Key, number])[] } => {
    let [done, left] = [after, round.entries]
    const moved: [Key, number][] = []
    for (const { id, indexed, entries } of desk.db.all(side.unsearched, stale)) {
      const key = keyOf(workspace, id as string)
      const rows = desk.db.all(sql.entriesAfter, { ...key, after: indexed as number, limit: left })
      for (const row of rows) list(desk, key, searchedOf(toEntry(row)))
      left -= rows.length
      const upTo = left > 0 ? (entries as number) : (indexed as number) + rows.length
      moved.push([key, desk.db.get(side.setIndexed, { ...key, indexed: upTo })?.revision as number])
      if (left === 0) break
      done = key.conversation
    }
    return { done, moved }
  }
  const { done } = await desk.group.write(work, ({ moved }) => {
    for (const [key, revision] of moved) desk.recent.moved(key, revision)
  })
  return done
}

function list({ db }: Desk, key: Key, searched: Searched | null): void {
  if (!searched) return
  const { seq, role, instant, terms } = searched
  const place = db.get(side.addSearched, { ...key, seq, role, instant })?.place as number
  db.run(side.addTerms(tableFor(db, place)), { place, terms: termsIn(key, terms) })
}

const termsIn = ({ workspace, conversation }: Key, terms: Iterable<string>): string =>
  [workspaceTerm(workspace), conversationTerm(workspace, conversation), ...terms].join(' ')

export const reindexing = (desk: Desk): Pick<Store, 'reindex'> => ({
  async reindex(workspace, query) {
    const done = await desk.group.write(() => relistAll(desk, workspace, query))
    if (done.cursor === null) desk.purge.soon()
    return done
  },
})

function relistAll(desk: Desk, workspace: string, { limit, cursor }: PageQuery): Reindexed {
  const most = limitOf(limit)
  const rows = desk.db.all(sql.entriesBehind, { workspace, ...entryBehind(cursor), limit: most })
  const last = rows.at(-1)
  const changes = [...byConversation(rows)].flatMap(([id, own]) => changesIn(desk, keyOf(workspace, id), own))
  for (const change of changes) relist(desk, change)
  const isWhole = rows.length < most || !last
  return {
    entries: rows.length,
    cursor: isWhole ? null : cursorBehind(last.conversation_id as string, last.seq as number),
  }
}

function byConversation(rows: readonly Row[]): ReadonlyMap<string, Entry[]> {
  const all = new Map<string, Entry[]>()
  for (const row of rows) {
    const id = row.conversation_id as string
    const own = all.get(id)
    if (own) own.push(toEntry(row))
    else all.set(id, [toEntry(row)])
  }
  return all
}

/** What an entry is found by, and what it should be found by. */
interface Change {
  readonly key: Key
  readonly seq: number
  readonly searched: Searched | null
  /** Where it stands in the index; null when it does not. */
  readonly place: number | null
  readonly isSame: boolean
}

/** What stands behind a gap is left to `takeIn`. */
function changesIn({ db }: Desk, key: Key, entries: readonly Entry[]): readonly Change[] {
  const indexed = Number(db.get(side.indexedOf, key)?.indexed)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first.seq > indexed + 1) return []
  db.run(side.setIndexed, { ...key, indexed: Math.max(indexed, last.seq) })
  return entries.map((entry): Change => {
    const searched = searchedOf(entry)
    const { seq } = entry
    const place = (db.get(side.placeOf, { ...key, seq })?.place ?? null) as number | null
    const isSame =
      place !== null &&
      searched !== null &&
      db.get(side.termsAt(tableAt(db, place)), { place })?.terms === termsIn(key, searched.terms)
    return { key, seq, searched, place, isSame }
  })
}

/** Its place stays what it is, so that nothing moves for those who turn pages. */
function relist(desk: Desk, { key, seq, searched, place, isSame }: Change): void {
  const { db } = desk
  if (place === null) {
    list(desk, key, searched)
    return
  }
  if (searched) db.run(side.setSearched, { ...key, seq, role: searched.role, instant: searched.instant })
  if (isSame) return
  if (searched) db.run(side.replaceTerms(tableAt(db, place)), { place, terms: termsIn(key, searched.terms) })
  else {
    db.run(side.loseTerms, { ...key, seq })
    db.run(side.removeSearched, { ...key, seq })
  }
}
