/** Blobs and receipts. */
import { createHash } from 'node:crypto'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Store } from '../contract/store.js'
import { jsonIn, receiptOf, requestHash } from '../shared/gate.js'
import { decodeCursor, limitOf, pageOf, receiptKey } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { type Call, countOf, type Row } from './batch.js'
import type { Driver } from './driver.js'
import { checkState, readIn, stateOf } from './find.js'
import { toBlob, toReceipt } from './rows.js'
import { holdRow } from './sql/frame.js'
import * as sql from './sql/records.js'
import { type Key, only, type Work } from './work.js'

export function blobs(driver: Driver): Pick<Store, 'putBlob' | 'getBlob'> {
  return {
    async putBlob(workspace, conversation, { bytes, mediaType }) {
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const [, put, , state] = await driver.once(
        workspace,
        [holdRow, [workspace, conversation]],
        [sql.putBlob, [workspace, conversation, sha256, mediaType, bytes.length, data]],
        [sql.putBlobRef, [workspace, conversation, sha256]],
        stateOf(workspace, conversation),
      )
      checkState(state, conversation)
      const row = put?.rows[0] as Row
      return { sha256, mediaType: row.media_type as string, size: row.size as number }
    },

    async getBlob(workspace, sha256) {
      const [found] = await driver.read(workspace, [sql.getBlob, [workspace, sha256]])
      const row = found?.rows[0]
      return row ? toBlob(row) : null
    },
  }
}

export function receipts(driver: Driver): Pick<Store, 'putReceipt' | 'getReceipt' | 'receipts'> {
  return {
    async putReceipt(workspace, receipt) {
      const key = [workspace, receipt.conversation] as const
      await only(driver, holdRow, key, receiving(key, receipt))
    },

    async getReceipt(workspace, id) {
      const [found] = await driver.read(workspace, [sql.selectReceipt, [workspace, id]])
      const row = found?.rows[0]
      return row ? toReceipt(row) : null
    },

    async receipts(workspace, conversation, query) {
      const limit = limitOf(query.limit)
      const first = [workspace, conversation, limit + 1]
      const { cursor } = query
      const rows = await readIn(
        driver,
        workspace,
        conversation,
        cursor === undefined
          ? [sql.selectReceipts, first]
          : [sql.listReceiptsAfter, [...first, ...decodeCursor(cursor, 2)]],
      )
      return pageOf(rows.map(toReceipt), limit, receiptKey)
    },
  }
}

export function receiving([workspace, conversation]: Key, given: StoredReceipt): Work {
  const { body, ...receipt } = receiptOf(given)
  const { id, entry, at } = receipt
  const json = jsonIn(given, body)
  const calls: Call[] = [
    [sql.putReceipt, [workspace, conversation, id, entry, at, json]],
    [sql.selectReceipt, [workspace, id]],
  ]
  return {
    plan: () => ({
      calls,
      // one that is there already must be the same
      outcome: ([put, found]) =>
        countOf(put) === 1 ||
        requestHash(toReceipt(found?.rows[0] as Row)) === requestHash({ ...receipt, body: JSON.parse(json) })
          ? null
          : undefined,
    }),
    why: async () => {
      throw refusal('id_conflict', 'there is another receipt with this id', { field: 'receipt.id', value: id })
    },
  }
}
