/** Blobs and receipts. */
import { createHash } from 'node:crypto'
import type { Store, StoredReceipt } from '../contract.js'
import { bounds, checkJson, checkName, checkText, checkWorkspace, requestHash } from '../gate.js'
import { decodeCursor, limitOf } from '../page.js'
import { refusal } from '../refuse.js'
import { pageOf } from './conversations.js'
import type { Driver, Row } from './driver.js'
import { checkState, name, stateOf, storable, within } from './find.js'
import { toBlob, toReceipt } from './rows.js'
import * as sql from './statements.js'

export function blobs(driver: Driver): Pick<Store, 'putBlob' | 'getBlob'> {
  return {
    async putBlob(workspace, id, { bytes, mediaType }) {
      checkText(mediaType, 'mediaType', bounds.name)
      checkWorkspace(workspace)
      const conversation = [workspace, name(id)]
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const [, put, , state] = await driver.once(
        workspace,
        [sql.hold, conversation],
        [sql.putBlob, [...conversation, sha256, mediaType, bytes.length, data]],
        [sql.putBlobRef, [...conversation, sha256]],
        stateOf(workspace, id),
      )
      checkState(state, id)
      const row = put?.rows[0] as Row
      return { sha256, mediaType: row.media_type as string, size: row.size as number }
    },

    async getBlob(workspace, sha256) {
      checkWorkspace(workspace)
      const [found] = await driver.read(workspace, [sql.getBlob, [workspace, name(sha256)]])
      const row = found?.rows[0]
      return row ? toBlob(row) : null
    },
  }
}

export function receipts(driver: Driver): Pick<Store, 'putReceipt' | 'getReceipt' | 'receipts'> {
  return {
    async putReceipt(workspace, receipt) {
      checkName(receipt.id, 'receipt.id')
      checkJson(receipt.body, 'receipt.body')
      checkWorkspace(workspace)
      const { id, conversation, entry, at, body } = receipt
      const held = [workspace, name(conversation)]
      const [, , found, state] = await driver.once(
        workspace,
        [sql.hold, held],
        [sql.putReceipt, [...held, id, entry, at, JSON.stringify(body)]],
        [sql.getReceipt, [workspace, id]],
        stateOf(workspace, conversation),
      )
      checkState(state, conversation)
      const stored = toReceipt(found?.rows[0] as Row)
      if (requestHash(stored) !== requestHash(receipt))
        throw refusal('id_conflict', 'there is another receipt with this id', { field: 'receipt.id', value: id })
    },

    async getReceipt(workspace, id) {
      checkWorkspace(workspace)
      const [found] = await driver.read(workspace, [sql.getReceipt, [workspace, name(id)]])
      const row = found?.rows[0]
      return row ? toReceipt(row) : null
    },

    async receipts(workspace, id, { cursor, limit }) {
      checkWorkspace(workspace)
      const after = cursor === undefined ? null : safely(() => decodeCursor(cursor, 2))
      const most = safely(() => limitOf(limit)) ?? 0
      const first = [workspace, name(id), most + 1]
      const [found] = await within(
        driver,
        workspace,
        id,
        after?.every(storable) ? [sql.listReceiptsAfter, [...first, ...after]] : [sql.listReceipts, first],
      )
      if (cursor !== undefined) decodeCursor(cursor, 2)
      return pageOf(found?.rows.map(toReceipt) ?? [], limitOf(limit), keyOf)
    },
  }
}

const keyOf = (one: StoredReceipt): readonly string[] => [one.at, one.id]

/** That the conversation is missing is said first, so the refusal waits. */
function safely<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
