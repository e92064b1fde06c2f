/** Blobs and receipts: what stands beside the entries. */
import { createHash } from 'node:crypto'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Page } from '../contract/page.js'
import type { Store } from '../contract/store.js'
import { jsonIn, receiptOf, requestHash } from '../shared/gate.js'
import { decodeCursor, limitOf, pageOf, receiptKey } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { find, keyOf, type Sqlite } from './desk.js'
import { receiptSeal, toReceipt } from './rows.js'
import * as sql from './statements.js'

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
