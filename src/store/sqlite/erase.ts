/** Deleting for good: the rows of every table, and then what the file still remembers of them. */

import type { Entry } from '../contract/entry.js'
import type { Store } from '../contract/store.js'
import type { Removal } from '../contract/upkeep.js'
import { quotes, titleWithout, untitled } from '../search/quote.js'
import { written } from '../shared/gate.js'
import { bare, blobsOf } from '../shared/link.js'
import { refusal } from '../shared/refuse.js'
import { find, type Key, keyOf, type Sqlite } from './desk.js'
import { putRecord } from './files.js'
import { bareSeal, conversationSeal, toEntry, toRecord } from './rows.js'
import type { Scrub } from './scrub.js'
import * as side from './side.js'
import * as sql from './statements.js'
import { goOn, thinOut } from './thin.js'

export const erase = (desk: Sqlite, scrub: Scrub): Pick<Store, 'remove' | 'redact'> => ({
  async remove(workspace, conversation) {
    const key = keyOf(workspace, conversation)
    const gone = await thinOut(desk, key)
    const { removed } = await removeAll(desk, key, gone === null)
    await scrub.now()
    const sums = Object.entries(gone ?? {}).map(([table, count]) => [table, count + (removed[table] ?? 0)])
    return { conversation, entry: null, removed: { ...removed, ...Object.fromEntries(sums) } }
  },

  async redact(workspace, conversation, id) {
    const key = keyOf(workspace, conversation)
    const { db } = desk
    const removal = await desk.group.write((): Removal => {
      find(desk, key)
      const row = db.get(sql.entryById, { ...key, id })
      if (!row) throw refusal('not_found', 'there is no such entry', { field: 'entry', value: id })
      db.run(sql.forgetStanding, key)
      const entry = toEntry(row)
      const blob = freeBlobs(desk, key, entry)
      const body = bare(entry.body)
      db.run(sql.addRedaction, { ...key, seq: entry.seq, seal: bareSeal({ ...entry, body }) })
      db.run(sql.bareEntry, { ...key, id, body: JSON.stringify(body) })
      const receipt = db.run(sql.removeAll.receipt, key)
      // which of them tell the words nobody knows: they were streamed in pieces
      const event = db.run(side.removeEvents, key)
      const record = removeQuotes(desk, key, entry.text)
      const search_entry = forget(desk, key, entry.seq)
      const title = removeTitles(desk, key, entry)
      const removed = { entry: 1, receipt, blob, event, record, search_entry, ...(title > 0 && { title }) }
      return { conversation, entry: id, removed }
    })
    await scrub.now()
    return removal
  },
})

/** Goes on where another process ended while it deleted. */
export async function finish(desk: Sqlite, scrub: Scrub): Promise<void> {
  if (await goOn(desk, (key) => removeAll(desk, key, false))) await scrub.now()
}

/** All rows that are there, in one transaction; `whole` refuses what is not there any more. */
const removeAll = (desk: Sqlite, key: Key, whole: boolean): Promise<Removal> =>
  desk.group.write((): Removal => {
    const { db } = desk
    const { workspace, conversation } = key
    if (whole) find(desk, key)
    const blobs = db.all(sql.ownedBlobs, key)
    const event = db.run(side.removeEvents, key)
    const record = db.run(side.removeRecords, key)
    const search_entry = forget(desk, key, null)
    const idempotency = db.run(sql.removeAll.idempotency, key)
    const receipt = db.run(sql.removeAll.receipt, key)
    const draft = db.run(sql.removeAll.draft, key)
    const branch = db.run(sql.removeAll.branch, key)
    db.run(sql.removeAll.call, key)
    const entry = db.run(sql.removeAll.entry, key)
    db.run(sql.removeAll.blobRef, key)
    db.run(sql.removeAll.redaction, key)
    for (const { sha256 } of blobs) db.run(sql.removeBlob, { workspace, sha256: sha256 as string })
    db.run(sql.removeAll.conversation, key)
    db.run(sql.addTombstone, key)
    const beside = { event, record, search_entry }
    const removed = { conversation: 1, entry, branch, draft, blob: blobs.length, receipt, idempotency, ...beside }
    return { conversation, entry: null, removed }
  })

/** Takes an entry out of the index, or all of them; returns how many there were. */
function forget({ db }: Sqlite, key: Key, seq: number | null): number {
  db.run(side.removeSheets, { ...key, seq })
  db.run(side.loseTerms, { ...key, seq })
  return db.run(side.removeSearched, { ...key, seq })
}

/** Removes the records that repeat a text. */
function removeQuotes({ db }: Sqlite, key: Key, text: string): number {
  const quoting = db
    .all(side.recordsOwned, key)
    .map(toRecord)
    .filter(({ body }) => quotes(body, text))
  for (const { kind, id } of quoting) db.run(side.removeRecord, { workspace: key.workspace, kind, id })
  return quoting.length
}

/** Removes the titles that were made of an entry, its conversation's own and those in records. */
function removeTitles(desk: Sqlite, key: Key, entry: Entry): number {
  const { db } = desk
  const facts = db.get(sql.sealed, key) ?? {}
  const title = facts.title as string
  const left = titleWithout(title, entry)
  if (left !== title) db.run(sql.setTitle, { ...key, title: left, seal: conversationSeal({ ...facts, title: left }) })
  const changed = db
    .all(side.recordsOwned, key)
    .map(toRecord)
    .map((record) => ({ ...record, left: untitled(record.body, entry) }))
    .filter(({ body, left: after }) => after !== body)
  for (const { kind, id, left: body, updatedAt: at } of changed)
    putRecord(desk, key.workspace, written({ kind, id, body, at }))
  return changed.length + (left === title ? 0 : 1)
}

/** Gives up the blobs that no other entry of the conversation names; returns how many nobody needs any more. */
function freeBlobs({ db }: Sqlite, key: Key, entry: Entry): number {
  let removed = 0
  for (const sha256 of blobsOf(entry)) {
    const others = db.all(sql.mentions, { ...key, id: entry.id, sha256 }).map(toEntry)
    if (others.some((other) => blobsOf(other).includes(sha256))) continue
    if (db.run(sql.freeBlob, { ...key, sha256 }) === 0) continue
    removed += db.run(sql.removeUnused, { workspace: key.workspace, sha256 })
  }
  return removed
}
