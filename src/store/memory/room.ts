/** One conversation in memory, and the two things that are more than a look-up: writing, and reading back. */

import type { Appended, AppendOptions, Reach, Stretch } from '../contract/append.js'
import type { Branch, BranchMove } from '../contract/branch.js'
import type { Conversation } from '../contract/conversation.js'
import type { Draft } from '../contract/draft.js'
import type { Entry, NewEntry } from '../contract/entry.js'
import type { StoredEvent } from '../contract/event.js'
import type { StoredBlob, StoredReceipt } from '../contract/keeping.js'
import type { Sheet } from '../contract/sheet.js'
import { appendHash, checkJson, contentHash, plainEntry } from '../shared/gate.js'
import { asideOf, blobsOf, checkAnswer, link } from '../shared/link.js'
import { refusal } from '../shared/refuse.js'
import { byteLength } from '../shared/runtime.js'
import type { HeldDraft } from './drafts.js'
import { type Listing, newListing } from './listing.js'
import type { Filed } from './records.js'
import type { Embedded } from './vectors.js'

export interface Room {
  conversation: Conversation
  readonly entries: Entry[]
  readonly byId: Map<string, Entry>
  readonly branches: Map<string, Branch>
  readonly drafts: Map<string, HeldDraft>
  readonly keys: Map<string, { readonly request: string; readonly entries: readonly string[] }>
  readonly blobs: Set<string>
  readonly events: StoredEvent[]
  /** Of each kind, by the first of their entries. */
  readonly sheets: Map<string, Map<number, Sheet>>
  /** The number of the last event. */
  newest: number
  /** The `seq` up to which its entries can be found. */
  indexed: number
}

export interface Workspace {
  readonly rooms: Map<string, Room>
  readonly tombstones: Set<string>
  readonly blobs: Map<string, StoredBlob>
  readonly receipts: Map<string, StoredReceipt>
  readonly records: Map<string, Filed>
  readonly listing: Listing
  /** Of each model. */
  readonly vectors: Map<string, Embedded>
  /** The last place that was given to a record or to an entry that can be found. */
  places: number
}

export const newWorkspace = (): Workspace => ({
  rooms: new Map(),
  tombstones: new Set(),
  blobs: new Map(),
  receipts: new Map(),
  records: new Map(),
  listing: newListing(),
  vectors: new Map(),
  places: 0,
})

export const newRoom = (conversation: Conversation): Room => ({
  conversation,
  entries: [],
  byId: new Map(),
  branches: new Map(),
  drafts: new Map(),
  keys: new Map(),
  blobs: new Set(),
  events: [],
  sheets: new Map(),
  newest: 0,
  indexed: 0,
})

/** What the same append came to before, if it was made. */
export function writtenBefore(room: Room, batch: readonly NewEntry[], options: AppendOptions): Appended | null {
  const answered = options.key === undefined ? undefined : room.keys.get(options.key)
  if (!answered) return repeatedOf(room, batch)
  if (answered.request !== appendHash(batch, options))
    throw refusal('key_reused', 'this key was used for another request', { field: 'key', value: options.key })
  const entries = answered.entries.map((id) => room.byId.get(id) as Entry)
  return { entries, head: (entries.at(-1) as Entry).id, repeated: true }
}

export function write(room: Room, batch: readonly NewEntry[], options: AppendOptions): Appended {
  const known = writtenBefore(room, batch, options)
  if (known) return known
  const head = room.branches.get(options.branch)?.head ?? null
  if (options.expect !== undefined && options.expect !== head) throw moved(head)
  const start = options.from === undefined ? head : options.from
  if (start !== null && !room.byId.has(start))
    throw refusal('unknown_parent', 'there is no such entry', { field: 'from', value: start })

  const added: Entry[] = []
  let parent = start === null ? null : (room.byId.get(start) as Entry)
  for (const entry of batch) {
    checkAnswer(entry.body, newestFirst(added, start, room))
    const linked = link(plainEntry(entry), parent, room.entries.length + added.length + 1)
    added.push(linked)
    parent = linked
  }
  for (const entry of added) {
    room.entries.push(entry)
    room.byId.set(entry.id, entry)
  }
  const last = added.at(-1) as Entry
  room.branches.set(options.branch, { name: options.branch, head: last.id, updatedAt: options.at })
  const bytes = added.reduce((sum, entry) => sum + byteLength(entry.text) + checkJson(entry.body, 'body'), 0)
  room.conversation = {
    ...room.conversation,
    entries: room.entries.length,
    bytes: room.conversation.bytes + bytes,
    updatedAt: options.at,
  }
  // the ids alone: words that are redacted later must not stand here
  if (options.key !== undefined)
    room.keys.set(options.key, { request: appendHash(batch, options), entries: added.map(({ id }) => id) })
  return { entries: added, head: last.id, repeated: false }
}

export function setBranch(room: Room, { name, head, expect, at }: BranchMove): Branch {
  const current = room.branches.get(name)?.head ?? null
  if (current !== expect) throw moved(current)
  if (head !== null && !room.byId.has(head))
    throw refusal('unknown_parent', 'there is no such entry', { field: 'head', value: head })
  const branch: Branch = { name, head, updatedAt: at }
  room.branches.set(name, branch)
  return copy(branch)
}

/** Where a draft's entries go: behind what was written meanwhile, or aside. */
export function placeOf(room: Room, draft: Draft): Pick<AppendOptions, 'branch' | 'from'> {
  const { branch, parent } = draft
  if (parent === null) return { branch }
  const head = room.byId.get(room.branches.get(branch)?.head ?? '')
  for (const { id } of head ? pathFrom(head, room.byId) : []) if (id === parent) return { branch }
  return { branch: asideOf(draft), from: parent }
}

/** The blobs that go with an entry: no other entry names them. */
export const soleBlobs = (room: Room, entry: Entry): string[] =>
  blobsOf(entry).filter(
    (sha) =>
      room.blobs.has(sha) && !room.entries.some((other) => other.id !== entry.id && blobsOf(other).includes(sha)),
  )

/** An exact retry finds its entries; the same id with other content is a conflict. */
export function repeatedOf(room: Pick<Room, 'byId'>, batch: readonly NewEntry[]): Appended | null {
  const found = batch.map((entry) => room.byId.get(entry.id))
  for (const [i, entry] of batch.entries()) {
    const known = found[i]
    if (known && known.contentHash !== contentHash(entry))
      throw refusal('id_conflict', 'there is another entry with this id', { field: `batch[${i}].id`, value: entry.id })
  }
  if (found.every((entry) => entry === undefined)) return null
  if (found.some((entry) => entry === undefined))
    throw refusal('id_conflict', 'some of these entries are there already, others are not', { field: 'batch' })
  const entries = found as Entry[]
  return { entries, head: (entries.at(-1) as Entry).id, repeated: true }
}

/** The path that the next entry of a batch would follow. */
function* newestFirst(added: readonly Entry[], start: string | null, room: Pick<Room, 'byId'>): Generator<Entry> {
  yield* added.toReversed()
  if (start !== null) yield* pathFrom(room.byId.get(start) as Entry, room.byId)
}

function* pathFrom(from: Entry, byId: ReadonlyMap<string, Entry>): Generator<Entry> {
  for (let entry: Entry | undefined = from; entry; entry = entry.parent === null ? undefined : byId.get(entry.parent))
    yield entry
}

export function walk(room: Room, last: Entry, more: (entry: Entry, taken: number) => boolean): Entry[] {
  const out: Entry[] = []
  for (const entry of pathFrom(last, room.byId)) {
    if (!more(entry, out.length)) break
    out.push(entry)
  }
  return out.reverse()
}

export function stretch(room: Room, last: Entry, reach: Reach): Stretch {
  const {
    tokens = Number.POSITIVE_INFINITY,
    entries: most = Number.POSITIVE_INFINITY,
    turns = Number.POSITIVE_INFINITY,
  } = reach
  // the entry that crosses a limit is still read: what stands behind it is not
  const entries = walk(room, last, (entry, taken) => {
    const newer = last.total - entry.total
    return newer <= tokens && taken <= most && last.turns - entry.turns <= turns
  })
  const read = new Set(entries.map((entry) => entry.id))
  const opener = last.opener !== null && !read.has(last.opener) ? (room.byId.get(last.opener) as Entry) : null
  const summary = last.summary !== null && !read.has(last.summary) ? (room.byId.get(last.summary) as Entry) : null
  return { head: last, entries, opener, summary }
}

export const moved = (head: string | null) =>
  refusal('head_moved', 'the branch has moved on', { field: 'expect', value: head })

/** What goes in and what comes out is never the stored object itself; `structuredClone` takes longer for small ones. */
export function copy<T>(value: T): T
export function copy(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copy)
  if (Object.getPrototypeOf(value) !== Object.prototype || Object.hasOwn(value, '__proto__'))
    return structuredClone(value)
  const made: Record<string, unknown> = {}
  for (const name of Object.keys(value)) made[name] = copy((value as Record<string, unknown>)[name])
  return made
}
