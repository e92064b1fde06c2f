/** Writing entries: the checks and the rows of one append, inside a transaction that others cannot enter. */
import type { Appended, AppendOptions } from '../contract/append.js'
import type { Entry, NewEntry } from '../contract/entry.js'
import { contentHash, detached, jsonOrNone, requestHash } from '../shared/gate.js'
import { callsOf, checkAnswer, link } from '../shared/link.js'
import { wordless } from '../shared/pack.js'
import { refusal } from '../shared/refuse.js'
import { putBranch } from './branches.js'
import { type Desk, type Key, moved } from './desk.js'
import type { Database } from './driver.js'
import { fromHex, type Place, toEntry, toHex, toPlace } from './rows.js'
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
    const json = JSON.stringify(given.body)
    const meta = jsonOrNone(given.meta)
    const entry = detached(given, json, meta)
    bytes += Buffer.byteLength(entry.text) + Buffer.byteLength(json)
    return { entry, content: contentHash(entry), body: wordless(entry, json), meta }
  })
  const request =
    options?.key === undefined ? '' : requestHash(batch, options.branch, options.expect ?? null, options.from ?? null)
  return { entries, bytes, request }
}

/** What the same append came to before, if it was made. */
export function writtenBefore(db: Database, key: Key, batch: Batch, name?: string): Appended | null {
  const answered = name === undefined ? null : answerOf(db, key, name, batch.request)
  return answered ?? repeatedOf(db, key, batch)
}

/** An append that was not made before. */
export function write(desk: Desk, held: Held, batch: Batch, options: Where): Appended {
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
const linkOf = ({ id, seq, depth, total, turns, opener, summary, hash }: Entry): Place => ({
  ...{ id, seq, depth, total, turns, opener, summary, hash },
})

function insert(db: Database, held: Held, batch: Batch, start: Place | null): Entry[] {
  const { key } = held
  const added: Entry[] = []
  let parent = start
  for (const { entry, content, body, meta } of batch.entries) {
    checkCall(db, key, entry, added, start)
    held.entries++
    const linked = link(entry, parent, held.entries, content)
    const written = db.run(sql.addEntry, {
      ...key,
      seq: linked.seq,
      parentSeq: parent?.seq ?? null,
      depth: linked.depth,
      tokens: linked.tokens,
      total: linked.total,
      turns: linked.turns,
      id: linked.id,
      parent: linked.parent,
      opener: linked.opener,
      summary: linked.summary,
      callId: entry.body.kind === 'result' ? entry.body.callId : null,
      contentHash: fromHex(content),
      hash: fromHex(linked.hash),
      at: entry.at,
      author: entry.author ?? null,
      model: entry.model ?? null,
      text: entry.text,
      body,
      meta,
    })
    if (written === 0) throw refusal('id_conflict', 'there is an entry with this id', { field: 'id', value: entry.id })
    for (const callId of callsOf(entry.body)) db.run(sql.addCall, { ...key, callId, seq: linked.seq })
    added.push(linked)
    parent = linked
  }
  return added
}

/** The batch itself is asked first, then the path behind it, by index. */
function checkCall(db: Database, key: Key, { body }: NewEntry, added: readonly Entry[], start: Place | null): void {
  if (body.kind !== 'result') return
  checkAnswer(body, [...added.toReversed(), ...lastWord(db, key, body.callId, start)])
}

/** The one entry on the stored path that decides, as little of it as that takes. */
function lastWord(db: Database, key: Key, callId: string, start: Place | null): Pick<Entry, 'body'>[] {
  const row = start ? db.get(sql.lastWord, { ...key, callId, start: start.seq }) : undefined
  if (!row) return []
  if (row.answers) return [{ body: { kind: 'result', callId, state: 'ok', output: [] } }]
  const parts = [{ type: 'call', id: callId, name: '', input: null, outcome: { state: 'pending' } }] as const
  return [{ body: { kind: 'message', role: 'assistant', parts, status: 'complete' } }]
}

function placeOf(db: Database, key: Key, id: string): Place {
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

/** An exact retry finds its entries; the same id with other content is a conflict. */
export function repeatedOf(db: Database, key: Key, batch: Batch): Appended | null {
  const found = batch.entries.map(({ entry }) => {
    const row = db.get(sql.entryById, { ...key, id: entry.id })
    return row && toEntry(row)
  })
  found.forEach((known, i) => {
    const { entry, content } = batch.entries[i] as Ready
    if (known && known.contentHash !== content)
      throw refusal('id_conflict', 'there is another entry with this id', { field: `batch[${i}].id`, value: entry.id })
  })
  if (found.every((known) => known === undefined)) return null
  if (found.some((known) => known === undefined))
    throw refusal('id_conflict', 'some of these entries are there already, others are not', { field: 'batch' })
  return repeated(found as Entry[])
}

const repeated = (entries: readonly Entry[]): Appended => ({
  entries,
  head: (entries.at(-1) as Entry).id,
  repeated: true,
})
