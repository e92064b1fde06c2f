/** What is worked out of the words of many entries, packed. */
import type { Store } from '../contract/store.js'
import { type Call, countOf } from './batch.js'
import type { Driver } from './driver.js'
import { writeIn } from './find.js'
import { lock } from './sql/frame.js'
import * as sql from './sql/sheets.js'

export const postgresSheets = (driver: Driver): Pick<Store, 'putSheet' | 'sheets'> => ({
  async putSheet(workspace, conversation, kind, { first, last, bare, bytes }) {
    const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    // nobody takes words away meanwhile
    const put: Call = [sql.putSheet, [workspace, conversation, kind, first, last, bare, data]]
    return writeIn(driver, workspace, conversation, lock, [put], ([, done]) => ({
      calls: [],
      answer: countOf(done) > 0,
    }))
  },

  async sheets(workspace, conversation, kind, firsts) {
    const [found] = await driver.read(workspace, [sql.sheets, [workspace, conversation, kind, firsts ?? null]])
    return (found?.rows ?? []).map((row) => ({
      first: row.first as number,
      last: row.last as number,
      bytes: row.bytes as Buffer,
    }))
  },
})
