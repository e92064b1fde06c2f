/** Takes what is new into the index, in short transactions, and makes it anew. */

import type { Entry } from '../contract/entry.js'
import type { PageQuery } from '../contract/page.js'
import type { Reindexed } from '../contract/search.js'
import type { Store } from '../contract/store.js'
import { type Searched, searchedOf, searchedSlowly } from '../search/found.js'
import { conversationTerm, workspaceTerm } from '../search/terms.js'
import { cursorBehind, entryBehind, limitOf } from '../shared/page.js'
import { createTurns, mapSlowly } from '../shared/turn.js'
import { type Key, keyOf, type Sqlite } from './desk.js'
import type { Row } from './driver.js'
import { tableAt, tableFor } from './parts.js'
import { toEntry } from './rows.js'
import * as side from './side.js'
import * as sql from './statements.js'

/** What is taken in at once, so that others get between two of them; one long message is more than the characters. */
const round = { conversations: 100, entries: 100, step: 25, chars: 100_000 }

const inTurn = createTurns()

/** One at a time: who comes meanwhile would read the same again. */
export const takeAllIn = (desk: Sqlite, workspace: string): Promise<void> =>
  inTurn(desk, workspace, async () => {
    let after: string | null = ''
    while (after !== null) after = await takeIn(desk, workspace, after)
  })

/** New entries of one conversation, as they were read. */
interface New {
  readonly key: Key
  /** The `seq` up to which entries could be found. */
  readonly from: number
  /** The `seq` up to which entries can be found then. */
  readonly upTo: number
  readonly entries: readonly Entry[]
  /** There is no more. */
  readonly isAll: boolean
}

/** Goes once over the conversations with something new; returns where to go on, null when there is no more. */
async function takeIn(desk: Sqlite, workspace: string, after: string): Promise<string | null> {
  const found = await desk.group.read(() => newIn(desk, workspace, after))
  if (found.length === 0) return null
  const ready = new Map<New, readonly (Searched | null)[]>()
  for (const one of found) ready.set(one, await mapSlowly(one.entries, searchedSlowly))
  const work = (): { readonly done: string; readonly moved: readonly (readonly [Key, number])[] } => {
    const moved: [Key, number][] = []
    for (const [one, all] of ready) {
      const { key, upTo } = one
      // someone else was faster, or has taken words away: the next round sees to it
      if (!isAsRead(desk, one)) continue
      for (const searched of all) list(desk, key, searched)
      moved.push([key, desk.db.get(side.setIndexed, { ...key, indexed: upTo })?.revision as number])
    }
    const isWhole = moved.length === found.length && found.every(({ isAll }) => isAll)
    return { done: isWhole ? (found.at(-1)?.key.conversation ?? after) : after, moved }
  }
  const { done } = await desk.group.write(work, ({ moved }) => {
    for (const [key, revision] of moved) desk.recent.moved(key, revision)
  })
  return done
}

function isAsRead({ db }: Sqlite, { key, from, upTo, entries }: New): boolean {
  const now = db.get(side.takenIn, { ...key, from, upTo })
  return now?.indexed === from && now.bare === entries.filter(({ redacted }) => redacted).length
}

function newIn({ db }: Sqlite, workspace: string, after: string): readonly New[] {
  const found: New[] = []
  let [left, chars] = [round.entries, round.chars]
  for (const row of db.all(side.unsearched, { workspace, after, limit: round.conversations })) {
    const key = keyOf(workspace, row.id as string)
    const entries: Entry[] = []
    let upTo = row.indexed as number
    while (left > 0 && chars > 0 && upTo < (row.entries as number)) {
      const some = db.all(sql.entriesAfter, { ...key, after: upTo, limit: Math.min(left, round.step) }).map(toEntry)
      if (some.length === 0) break
      entries.push(...some)
      upTo = some.at(-1)?.seq ?? upTo
      left -= some.length
      chars -= some.reduce((sum, { text }) => sum + text.length, 0)
    }
    const isAll = left > 0 && chars > 0
    found.push({ key, from: row.indexed as number, upTo: isAll ? (row.entries as number) : upTo, entries, isAll })
    if (!isAll) break
  }
  return found
}

function list({ db }: Sqlite, key: Key, searched: Searched | null): void {
  if (!searched) return
  const { seq, role, instant, terms } = searched
  const place = db.get(side.addSearched, { ...key, seq, role, instant })?.place as number
  db.run(side.addTerms(tableFor(db, place)), { place, terms: termsIn(key, terms) })
}

const termsIn = ({ workspace, conversation }: Key, terms: Iterable<string>): string =>
  [workspaceTerm(workspace), conversationTerm(workspace, conversation), ...terms].join(' ')

export const reindexing = (desk: Sqlite): Pick<Store, 'reindex'> => ({
  async reindex(workspace, query) {
    const done = await desk.group.write(() => relistAll(desk, workspace, query))
    if (done.cursor === null) desk.purge.soon()
    return done
  },
})

function relistAll(desk: Sqlite, workspace: string, { limit, cursor }: PageQuery): Reindexed {
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
function changesIn({ db }: Sqlite, key: Key, entries: readonly Entry[]): readonly Change[] {
  const indexed = Number(db.get(side.indexedOf, key)?.indexed)
  const [first, last] = [entries[0], entries.at(-1)]
  if (!first || !last || first.seq > indexed + 1) return []
  db.run(side.setIndexed, { ...key, indexed: Math.max(indexed, last.seq) })
  return entries.map((entry): Change => {
    const searched = searchedOf(entry)
    const { seq } = entry
    const place = (db.get(side.searchPlace, { ...key, seq })?.place ?? null) as number | null
    const isSame =
      place !== null &&
      searched !== null &&
      db.get(side.termsAt(tableAt(db, place)), { place })?.terms === termsIn(key, searched.terms)
    return { key, seq, searched, place, isSame }
  })
}

/** Its place stays what it is, so that nothing moves for those who turn pages. */
function relist(desk: Sqlite, { key, seq, searched, place, isSame }: Change): void {
  const { db } = desk
  if (place === null) return void list(desk, key, searched)
  if (searched) db.run(side.setSearched, { ...key, seq, role: searched.role, instant: searched.instant })
  if (isSame) return
  if (searched) db.run(side.replaceTerms(tableAt(db, place)), { place, terms: termsIn(key, searched.terms) })
  else {
    db.run(side.loseTerms, { ...key, seq })
    db.run(side.removeSearched, { ...key, seq })
  }
}
