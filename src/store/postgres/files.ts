/** Records: small documents that change by compare and swap. */

import type { RecordPut, StoredRecord } from '../contract/record.js'
import type { Store } from '../contract/store.js'
import { limitOf, placeBefore, placedPage } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { checkPut } from '../shared/rows.js'
import type { Call, Row } from './batch.js'
import type { Driver } from './driver.js'
import { checkHere, orMissing } from './find.js'
import { toRecord } from './rows.js'
import * as sql from './sql/files.js'
import { holdRow } from './sql/frame.js'

export const postgresFiles = (driver: Driver): Pick<Store, 'putRecord' | 'getRecord' | 'removeRecord' | 'records'> => ({
  async putRecord(workspace, put) {
    const { kind, id, conversation } = put
    const calls = [putting(workspace, put), [sql.getRecord, [workspace, kind, id]] as Call]
    if (conversation === undefined) {
      const [done, found] = await driver.once(workspace, ...calls)
      return recordOf(done?.rows[0]) ?? unput(found?.rows[0], put)
    }
    const held: Call = [holdRow, [workspace, conversation]]
    const [, done, found] = await driver
      .once(workspace, held, ...calls)
      .catch(orMissing(driver, workspace, conversation))
    if (!done?.rows[0]) await checkHere(driver, workspace, conversation)
    return recordOf(done?.rows[0]) ?? unput(found?.rows[0], put)
  },

  async getRecord(workspace, kind, id) {
    const [found] = await driver.read(workspace, [sql.getRecord, [workspace, kind, id]])
    return recordOf(found?.rows[0])
  },

  async removeRecord(workspace, kind, id) {
    await driver.once(workspace, [sql.removeRecord, [workspace, kind, id]])
  },

  async records(workspace, { kind, conversation, ...query }) {
    const limit = limitOf(query.limit)
    const asked = [workspace, kind, placeBefore(query.cursor), limit + 1]
    const [found] = await driver.read(
      workspace,
      conversation === undefined ? [sql.listRecords, asked] : [sql.listRecordsIn, [...asked, conversation]],
    )
    return placedPage(found?.rows ?? [], limit, toRecord)
  },
})

/** The statement that puts it, if it is as expected. */
export function putting(workspace: string, put: RecordPut): Call {
  const { kind, id, conversation = null, body = null, at, expect } = put
  const values = [workspace, kind, id, conversation, JSON.stringify(body), at]
  if (expect === undefined) return [sql.putRecord, values]
  return expect === null ? [sql.makeRecord, values] : [sql.changeRecord, [...values, expect]]
}

/** Why it was not put. */
export function unput(found: Row | undefined, put: RecordPut): never {
  checkPut(found && toRecord(found), put)
  throw refusal('unavailable', 'the record changed at this very moment; the same call can be made again')
}

export const recordOf = (row: Row | undefined): StoredRecord | null => (row ? toRecord(row) : null)
