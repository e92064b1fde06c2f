/** Records: small documents that change by compare and swap. */

import type { Page } from '../contract/page.js'
import type { RecordAdd, RecordPut, StoredRecord } from '../contract/record.js'
import type { Store } from '../contract/store.js'
import { type Written, written } from '../shared/gate.js'
import { limitOf, placeBefore, placedPage } from '../shared/page.js'
import { addedTo, putOn } from '../shared/record.js'
import { find, keyOf, type Sqlite } from './desk.js'
import { toRecord } from './rows.js'
import * as side from './side.js'
import { type Held, putRecords, sumName } from './standing.js'

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
