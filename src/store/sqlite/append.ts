/** Writing entries: the checks and the rows of one append, inside a transaction that others cannot enter. */
import type { Appended, AppendOptions } from '../contract/append.js'
import type { Entry, NewEntry } from '../contract/entry.js'
import { repeatedOf as found, moved } from '../memory/room.js'
import { appendHash, contentHash, entryOf, writtenEntry } from '../shared/gate.js'
import { callsOf, checkAnswer, link, standIn } from '../shared/link.js'
import { refusal } from '../shared/refuse.js'
import { wordless } from '../shared/rows.js'
import { putBranch } from './conversations.js'
import type { Key, Sqlite } from './desk.js'
import type { Database } from './driver.js'
import { fromHex, type LinkAt, toEntry, toHex, toPlace } from './rows.js'
import { type Growth, type Held, headOf } from './standing.js'
import * as sql from './statements.js'

/** A batch as it was when it was given, with everything that can be worked out before the lock. */
export interface Batch {
  readonly entries: readonly Ready[]
  readonly bytes: number
  readonly request: string
}

interface Ready {
  readonly entry: NewEntry
  readonly content: string
  readonly body: string
  readonly meta: string | null
}

type Where = Pick<AppendOptions, 'branch' | 'expect' | 'from' | 'key' | 'at'>

/** What appends of one transaction add to the conversation. */
export const growthBy = (batches: readonly { batch: Batch; at: string }[], events = 0): Growth => ({
  entries: batches.reduce((sum, { batch }) => sum + batch.entries.length, 0),
  bytes: batches.reduce((sum, { batch }) => sum + batch.bytes, 0),
  events,
  at: batches.at(-1)?.at ?? null,
})

export function ready(batch: readonly NewEntry[], options?: AppendOptions): Batch {
  let bytes = 0
  const entries = batch.map((given): Ready => {
    const own = writtenEntry(given)
    const { json, metaJson: meta } = own
    const entry = entryOf(own)
    bytes += Buffer.byteLength(entry.text) + own.bytes
    return { entry, content: contentHash(entry), body: wordless(entry, json), meta }
  })
  const request = options?.key === undefined ? '' : appendHash(batch, options)
  return { entries, bytes, request }
}

/** What the same append came to before, if it was made. */
export function writtenBefore(db: Database, key: Key, batch: Batch, name?: string): Appended | null {
  const answered = name === undefined ? null : answerOf(db, key, name, batch.request)
  return answered ?? repeatedOf(db, key, batch)
}

/** An append that was not made before. */
export function write(desk: Sqlite, held: Held, batch: Batch, options: Where): Appended {
  const { db } = desk
  const { key, heads } = held
  const head = headOf(desk, held, options.branch)
  if (options.expect !== undefined && options.expect !== (head?.id ?? null)) throw moved(head?.id ?? null)
  const { from: start = head?.id ?? null } = options
  const parent = start === null ? null : start === head?.id ? head : placeOf(db, key, start)

  const entries = insert(db, held, batch, parent)
  const [first, last] = [entries[0] as Entry, entries.at(-1) as Entry]
  const { branch, at } = options
  putBranch(db, key, { name: branch, head: last.id, at }, head === null)
  heads.set(options.branch, linkOf(last))
  if (options.key !== undefined)
    db.run(sql.addAnswer, {
      ...key,
      key: options.key,
      request: fromHex(batch.request),
      first: first.seq,
      last: last.seq,
    })
  return { entries, head: last.id, repeated: false }
}

/** The few facts that the next entry builds on. */
const linkOf = ({ id, seq, depth, total, turns, opener, summary, hash }: Entry): LinkAt => ({
  ...{ id, seq, depth, total, turns, opener, summary, hash },
})

function insert(db: Database, held: Held, batch: Batch, start: LinkAt | null): Entry[] {
  const { key } = held
  const added: Entry[] = []
  let parent = start
  for (const { entry, content, body, meta } of batch.entries) {
    checkCall(db, key, entry, added, start)
    held.entries++
    const linked = link(entry, parent, held.entries, content)
    const written = putEntry(db, key, linked, parent?.seq ?? null, body, meta)
    if (written === 0) throw refusal('id_conflict', 'there is an entry with this id', { field: 'id', value: entry.id })
    added.push(linked)
    parent = linked
  }
  return added
}

/** The only writer of rows of the log; returns 0 when there is an entry with this id. */
export function putEntry(
  db: Database,
  key: Key,
  { contentHash: content, hash, author, model, ...entry }: Entry,
  parentSeq: number | null,
  body: string,
  meta: string | null,
): number {
  const { seq, depth, tokens, total, turns, id, parent, opener, summary, at, text } = entry
  const callId = entry.body.kind === 'result' ? entry.body.callId : null
  const written = db.run(sql.addEntry, {
    ...key,
    ...{ seq, parentSeq, depth, tokens, total, turns, id, parent, opener, summary, callId },
    ...{ contentHash: fromHex(content), hash: fromHex(hash), at, text, body, meta },
    ...{ author: author ?? null, model: model ?? null },
  })
  for (const call of callsOf(entry.body)) db.run(sql.addCallRow, { ...key, callId: call, seq })
  return written
}

/** The batch itself is asked first, then the path behind it, by index. */
function checkCall(db: Database, key: Key, { body }: NewEntry, added: readonly Entry[], start: LinkAt | null): void {
  if (body.kind !== 'result') return
  checkAnswer(body, [...added.toReversed(), ...lastWord(db, key, body.callId, start)])
}

/** The one entry on the stored path that decides, as little of it as that takes. */
function lastWord(db: Database, key: Key, callId: string, start: LinkAt | null): Pick<Entry, 'body'>[] {
  const row = start ? db.get(sql.lastWord, { ...key, callId, start: start.seq }) : undefined
  return row ? [standIn(callId, Boolean(row.answers))] : []
}

function placeOf(db: Database, key: Key, id: string): LinkAt {
  const row = db.get(sql.linkById, { ...key, id })
  if (!row) throw refusal('unknown_parent', 'there is no such entry', { field: 'from', value: id })
  return toPlace(row)
}

/** What the same request got the first time. */
function answerOf(db: Database, key: Key, name: string, request: string): Appended | null {
  const row = db.get(sql.answered, { ...key, key: name })
  if (!row) return null
  if (toHex(row.request as Uint8Array) !== request)
    throw refusal('key_reused', 'this key was used for another request', { field: 'key', value: name })
  const span = { ...key, first: row.first_seq as number, last: row.last_seq as number }
  return repeated(db.all(sql.entriesBetween, span).map(toEntry))
}

/** What an exact retry finds. */
export function repeatedOf(db: Database, key: Key, batch: Batch): Appended | null {
  const entries = batch.entries.map(({ entry }) => entry)
  const rows = entries.map(({ id }) => db.get(sql.entryById, { ...key, id })).filter((row) => row !== undefined)
  return rows.length === 0 ? null : found({ byId: new Map(rows.map(toEntry).map((one) => [one.id, one])) }, entries)
}

const repeated = (entries: readonly Entry[]): Appended => ({
  entries,
  head: (entries.at(-1) as Entry).id,
  repeated: true,
})
