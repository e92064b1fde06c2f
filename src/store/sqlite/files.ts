/** Records: small documents that change by compare and swap. */

import type { Page } from '../contract/page.js'
import type { RecordAdd, RecordPut, StoredRecord } from '../contract/record.js'
import type { Store } from '../contract.js'
import { plain } from '../gate.js'
import { cursorAt, limitOf, placeBefore } from '../page.js'
import { addedTo, putOn } from '../record.js'
import { type Desk, find, keyOf } from './desk.js'
import type { Row } from './driver.js'
import * as side from './side.js'

export const files = (desk: Desk): Pick<Store, 'putRecord' | 'getRecord' | 'removeRecord' | 'records'> => ({
  async putRecord(workspace, record) {
    const given = plain(record)
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
          ? desk.db.all(side.records, asked)
          : desk.db.all(side.recordsIn, { ...asked, conversation })
      const last = rows[limit - 1]
      const cursor = rows.length > limit && last ? cursorAt(last.place as number) : null
      return { items: rows.slice(0, limit).map(toRecord), cursor }
    })
  },
})

export function putRecord(desk: Desk, workspace: string, put: RecordPut): StoredRecord {
  if (put.conversation !== undefined) find(desk, keyOf(workspace, put.conversation))
  return setRecord(desk, workspace, put)
}

/** Where the conversation is known to be there. */
export const setRecord = (desk: Desk, workspace: string, put: RecordPut): StoredRecord =>
  keep(desk, workspace, putOn(known(desk, workspace, put.kind, put.id), put))

export const addRecord = (desk: Desk, workspace: string, addition: RecordAdd): StoredRecord =>
  keep(desk, workspace, addedTo(known(desk, workspace, addition.kind, addition.id), addition))

function known({ db }: Desk, workspace: string, kind: string, id: string): StoredRecord | undefined {
  const row = db.get(side.recordById, { workspace, kind, id })
  return row && toRecord(row)
}

function keep({ db }: Desk, workspace: string, record: StoredRecord): StoredRecord {
  const { kind, id, conversation: owner, revision, createdAt, updatedAt } = record
  const body = JSON.stringify(record.body)
  db.run(side.putRecord, { workspace, kind, id, owner, body, revision, createdAt, updatedAt })
  return record
}

export const toRecord = (row: Row): StoredRecord => ({
  kind: row.kind as string,
  id: row.id as string,
  conversation: row.conversation_id as string | null,
  body: JSON.parse(row.body as string),
  revision: row.revision as number,
  createdAt: row.created_at as string,
  updatedAt: row.updated_at as string,
})
