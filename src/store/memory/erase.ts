/** Deleting in memory: everything a conversation owns, or the words of one entry wherever they stand. */

import type { Entry } from '../contract/entry.js'
import type { StoredRecord } from '../contract/record.js'
import type { Removal } from '../contract/upkeep.js'
import { quotes, titleWithout, untitled } from '../search/quote.js'
import { bare } from '../shared/link.js'
import { trimEvents } from './events.js'
import { putRecord, recordsOf, removeRecord } from './records.js'
import { type Room, soleBlobs, type Workspace } from './room.js'
import { forget } from './search.js'
import { dropSheets } from './sheets.js'

export function remove(home: Workspace, room: Room): Removal {
  const { id } = room.conversation
  home.rooms.delete(id)
  home.tombstones.add(id)
  const removed = {
    conversation: 1,
    entry: room.entries.length,
    branch: room.branches.size,
    draft: room.drafts.size,
    blob: freeBlobs(home, [...room.blobs]),
    receipt: removeReceipts(home, id),
    idempotency: room.keys.size,
    event: room.events.length,
    record: removeRecords(home, id, () => true),
    search_entry: forget(home, id),
  }
  return { conversation: id, entry: null, removed }
}

export function redact(home: Workspace, room: Room, entry: Entry): Removal {
  const { id } = room.conversation
  const freed = soleBlobs(room, entry)
  for (const sha of freed) room.blobs.delete(sha)
  const emptied = redacted(entry)
  room.byId.set(entry.id, emptied)
  room.entries[entry.seq - 1] = emptied
  dropSheets(room, entry.seq)
  const removed = {
    entry: 1,
    receipt: removeReceipts(home, id),
    blob: freeBlobs(home, freed),
    // which of them tell the words nobody knows: they were streamed in pieces
    event: trimEvents(room, room.newest),
    record: removeRecords(home, id, ({ body }) => quotes(body, entry.text)),
    search_entry: forget(home, id, entry.seq),
  }
  const title = removeTitles(home, room, entry)
  return { conversation: id, entry: entry.id, removed: { ...removed, ...(title > 0 && { title }) } }
}

function removeTitles(home: Workspace, room: Room, entry: Entry): number {
  const { id, title } = room.conversation
  const left = titleWithout(title, entry)
  if (left !== title) room.conversation = { ...room.conversation, title: left }
  const changed = recordsOf(home, id).flatMap((record) => {
    const body = untitled(record.body, entry)
    return body === record.body ? [] : [{ kind: record.kind, id: record.id, body, at: record.updatedAt }]
  })
  for (const record of changed) putRecord(home, record)
  return changed.length + (left === title ? 0 : 1)
}

/** Returns how many of them no conversation has any more. */
function freeBlobs({ rooms, blobs }: Workspace, freed: readonly string[]): number {
  const orphaned = freed.filter((sha) => ![...rooms.values()].some((room) => room.blobs.has(sha)))
  for (const sha of orphaned) blobs.delete(sha)
  return orphaned.length
}

function removeReceipts({ receipts }: Workspace, conversation: string): number {
  const owned = [...receipts.values()].filter((receipt) => receipt.conversation === conversation)
  for (const { id } of owned) receipts.delete(id)
  return owned.length
}

function removeRecords(home: Workspace, conversation: string, goes: (record: StoredRecord) => boolean): number {
  const owned = recordsOf(home, conversation).filter(goes)
  for (const { kind, id } of owned) removeRecord(home, kind, id)
  return owned.length
}

function redacted(entry: Entry): Entry {
  const { meta: _, ...rest } = entry
  return { ...rest, body: bare(entry.body), text: '', redacted: true }
}
