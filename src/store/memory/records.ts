/** Records and receipts in memory. */
import type { StoredReceipt } from '../contract/keeping.js'
import type { Page } from '../contract/page.js'
import type { RecordAdd, RecordPut, RecordQuery, StoredRecord } from '../contract/record.js'
import { plain, receiptOf, requestHash } from '../shared/gate.js'
import { limitOf, placeBefore, placedPage } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { addedTo, putOn } from '../shared/rows.js'
import { copy, type Workspace } from './room.js'

/** A record, and its place in the order in which they were made. */
export type Filed = { readonly place: number; readonly record: StoredRecord }

/** No name has a NUL. */
export const fileName = (kind: string, id: string): string => `${kind}\0${id}`

export const putRecord = (home: Workspace, put: RecordPut): StoredRecord =>
  file(home, putOn(home.records.get(fileName(put.kind, put.id))?.record, plain(put)))

export const addRecord = (home: Workspace, addition: RecordAdd): StoredRecord =>
  file(home, addedTo(home.records.get(fileName(addition.kind, addition.id))?.record, addition))

function file(home: Workspace, record: StoredRecord): StoredRecord {
  const name = fileName(record.kind, record.id)
  const place = home.records.get(name)?.place ?? ++home.places
  home.records.set(name, { place, record })
  return copy(record)
}

export const removeRecord = (home: Workspace, kind: string, id: string): boolean =>
  home.records.delete(fileName(kind, id))

export const recordsOf = (home: Workspace, conversation: string): StoredRecord[] =>
  [...home.records.values()].map(({ record }) => record).filter((record) => record.conversation === conversation)

export function listRecords(home: Workspace, { kind, conversation, limit, cursor }: RecordQuery): Page<StoredRecord> {
  const before = placeBefore(cursor)
  const found = [...home.records.values()]
    .filter(({ place, record }) => place < before && record.kind === kind)
    .filter(({ record }) => conversation === undefined || record.conversation === conversation)
    .sort((one, other) => other.place - one.place)
  return placedPage(found, limitOf(limit), ({ record }) => copy(record))
}

export function putReceipt({ receipts }: Workspace, given: StoredReceipt): void {
  const receipt = receiptOf(given)
  const known = receipts.get(receipt.id)
  if (known && requestHash(known) !== requestHash(receipt))
    throw refusal('id_conflict', 'there is another receipt with this id', { field: 'receipt.id', value: receipt.id })
  receipts.set(receipt.id, plain(receipt))
}
