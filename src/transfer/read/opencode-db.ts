/** The sessions of opencode's database, one at a time and each as `opencode export` writes it. The file is only read. */
import { openDatabase } from '../../store/sqlite/driver.js'
import type { FileValue } from '../kit/contract.js'
import { errorMessage } from '../kit/each.js'
import { type Raw, raw } from '../kit/shape.js'

// the order of ids is not the order of time: they wrapped once
const messagesOf = 'select id, data from message where session_id = :id order by time_created, rowid'
const partsOf = 'select id, data from part where message_id = :id order by rowid'

export async function* sessionsIn(path: string): AsyncGenerator<FileValue> {
  const db = await openDatabase(path, 'read')
  try {
    const names = new Set(db.all(`select name from sqlite_master where type = 'table'`).map(({ name }) => name))
    if (!['session', 'message', 'part'].every((name) => names.has(name)))
      return yield { type: 'fault', reason: 'a database of no known product', place: 'the file' }
    const rows = (statement: string, id: unknown): Raw[] =>
      db.all(statement, { id: String(id) }).map((row) => ({ ...raw(JSON.parse(String(row.data))), id: row.id }))
    for (const { id } of db.all('select id from session order by time_created, rowid')) {
      const place = `session ${id}`
      try {
        const session = db.get('select * from session where id = :id', { id: id ?? null }) ?? {}
        const messages = rows(messagesOf, id).map((info) => ({ info, parts: rows(partsOf, info.id) }))
        yield { type: 'json', value: { info: infoOf(session), messages }, place }
      } catch (error) {
        yield { type: 'fault', reason: `a session that cannot be read: ${errorMessage(error)}`, place }
      }
    }
  } finally {
    db.close()
  }
}

/** By the names that the export has for its columns. */
const infoOf = ({ parent_id, time_created, time_updated, time_archived, revert, ...rest }: Raw): Raw => ({
  ...rest,
  ...(parent_id !== null && { parentID: parent_id }),
  time: { created: time_created, updated: time_updated, archived: time_archived },
  ...(typeof revert === 'string' && { revert: JSON.parse(revert) as unknown }),
})
