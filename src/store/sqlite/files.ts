/** Records: small documents that change by compare and swap. */

import { createHash } from 'node:crypto'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Page } from '../contract/page.js'
import type { RecordAdd, RecordPut, StoredRecord } from '../contract/record.js'
import type { Store } from '../contract/store.js'
import { jsonIn, receiptOf, requestHash, type Written, written } from '../shared/gate.js'
import { decodeCursor, limitOf, pageOf, placeBefore, placedPage, receiptKey } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { addedTo, putOn } from '../shared/rows.js'
import { find, keyOf, type Sqlite } from './desk.js'
import { receiptSeal, toReceipt, toRecord } from './rows.js'
import * as side from './side.js'
import { type Held, putRecords, sumName } from './standing.js'
import * as sql from './statements.js'

export const files = (desk: Sqlite): Pick<Store, 'putRecord' | 'getRecord' | 'removeRecord' | 'records'> => ({
  async putRecord(workspace, record) {
    const given = written(record)
    return desk.group.write(() => putRecord(desk, workspace, given))
  },

  async getRecord(workspace, kind, id) {
    return desk.group.look(() => known(desk, workspace, kind, id) ?? null)
  },

  async removeRecord(workspace, kind, id) {
    await desk.group.write(() => desk.db.run(side.removeRecord, { workspace, kind, id }))
  },

  async records(workspace, { kind, conversation, ...query }) {
    const limit = limitOf(query.limit)
    const asked = { workspace, kind, before: placeBefore(query.cursor), limit: limit + 1 }
    return desk.group.look((): Page<StoredRecord> => {
      const rows =
        conversation === undefined
          ? desk.db.all(kind === 'run' ? side.runs : side.records, asked)
          : desk.db.all(side.recordsIn, { ...asked, conversation })
      return placedPage(rows, limit, toRecord)
    })
  },
})

export function putRecord(desk: Sqlite, workspace: string, put: Written<RecordPut>): StoredRecord {
  if (put.conversation !== undefined) find(desk, keyOf(workspace, put.conversation))
  const record = putOn(known(desk, workspace, put.kind, put.id), put)
  putRecords(desk, { key: keyOf(workspace, ''), records: [{ ...record, json: put.json }] })
  return record
}

/** Where the conversation is known to be there. One that is not looked up first is taken for a new one. */
export function setRecord(desk: Sqlite, held: Held, put: Written<RecordPut>): StoredRecord {
  const record = putOn(before(desk, held, put, typeof put.expect === 'number'), put)
  held.records.push({ ...record, json: put.json })
  return record
}

export function addRecord(desk: Sqlite, held: Held, addition: RecordAdd): StoredRecord {
  const seen = desk.sums.get(sumName(held.key.workspace, addition))
  const record = addedTo(before(desk, held, addition, seen === undefined) ?? seen, addition)
  held.records.push(record)
  held.sums.push(record)
  return record
}

function before(
  desk: Sqlite,
  held: Held,
  { kind, id }: Pick<StoredRecord, 'kind' | 'id'>,
  asks: boolean,
): StoredRecord | undefined {
  const again = held.records.some((record) => record.kind === kind && record.id === id)
  if (again) putRecords(desk, held)
  return again || held.careful || asks ? known(desk, held.key.workspace, kind, id) : undefined
}

function known({ db }: Sqlite, workspace: string, kind: string, id: string): StoredRecord | undefined {
  const row = db.get(side.recordById, { workspace, kind, id })
  return row && toRecord(row)
}

// Blobs and receipts: what stands beside the entries.

type Methods = 'putBlob' | 'getBlob' | 'putReceipt' | 'getReceipt' | 'receipts'

export const records = (desk: Sqlite): Pick<Store, Methods> => ({
  async putBlob(workspace, conversation, blob) {
    const key = keyOf(workspace, conversation)
    const [bytes, mediaType] = [blob.bytes.slice(), blob.mediaType]
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return desk.group.write(() => {
      find(desk, key)
      const known = desk.db.get(sql.blobFacts, { workspace, sha256 })
      if (!known) desk.db.run(sql.addBlob, { workspace, sha256, mediaType, size: bytes.length, bytes })
      desk.db.run(sql.referBlob, { ...key, sha256 })
      return { sha256, mediaType: known ? (known.media_type as string) : mediaType, size: bytes.length }
    })
  },

  async getBlob(workspace, sha256) {
    return desk.group.look(() => {
      const row = desk.db.get(sql.blobById, { workspace, sha256 })
      if (!row) return null
      const bytes = new Uint8Array(row.bytes as Uint8Array)
      return { sha256, mediaType: row.media_type as string, size: row.size as number, bytes }
    })
  },

  async putReceipt(workspace, receipt) {
    const { body, ...given } = receiptOf(receipt)
    const json = jsonIn(receipt, body)
    return desk.group.write(() => {
      find(desk, keyOf(workspace, given.conversation))
      putReceipt(desk, workspace, given, json)
    })
  },

  async getReceipt(workspace, id) {
    return desk.group.look(() => {
      const row = desk.db.get(sql.receiptById, { workspace, id })
      return row ? toReceipt(row) : null
    })
  },

  async receipts(workspace, conversation, query) {
    const key = keyOf(workspace, conversation)
    return desk.group.read((): Page<StoredReceipt> => {
      find(desk, key)
      const cursor = query.cursor === undefined ? null : decodeCursor(query.cursor, 2)
      const limit = limitOf(query.limit)
      const [at = '', after = ''] = cursor ?? []
      const rows = cursor
        ? desk.db.all(sql.receiptsAfter, { ...key, at, after, limit: limit + 1 })
        : desk.db.all(sql.receiptsFirst, { ...key, limit: limit + 1 })
      return pageOf(rows.map(toReceipt), limit, receiptKey)
    })
  },
})

/** `body` is that of the receipt, as JSON. */
export function putReceipt({ db }: Sqlite, workspace: string, receipt: Omit<StoredReceipt, 'body'>, body: string) {
  const { id, conversation, entry, at } = receipt
  const facts = { id, conversation, entry, at, body }
  if (db.run(sql.addReceipt, { workspace, ...facts, seal: receiptSeal(facts) }) === 1) return
  const row = db.get(sql.receiptById, { workspace, id })
  if (row && requestHash(toReceipt(row)) !== requestHash({ ...receipt, body: JSON.parse(body) }))
    throw refusal('id_conflict', 'there is another receipt with this id', { field: 'receipt.id', value: id })
}
