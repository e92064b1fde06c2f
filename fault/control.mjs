// The negative control: a conversation as one JSON value that is read, changed and written back. The audit must catch it.
import { setImmediate } from 'node:timers/promises'

export function jsonColumnStore(db) {
  db.exec('pragma busy_timeout = 10000')
  db.exec('pragma journal_mode = wal')
  db.exec('create table if not exists conversation (id text primary key, messages text not null)')
  const read = (id) => JSON.parse(db.get('select messages from conversation where id = :id', { id })?.messages ?? '[]')
  return {
    async create(_workspace, { id }) {
      db.run("insert or ignore into conversation (id, messages) values (:id, '[]')", { id })
    },
    async append(_workspace, conversation, batch) {
      const messages = read(conversation)
      await setImmediate()
      for (const entry of batch) messages.push({ ...entry, seq: messages.length + 1 })
      const values = { id: conversation, messages: JSON.stringify(messages) }
      db.run('update conversation set messages = :messages where id = :id', values)
      return { entries: messages.slice(-batch.length), head: batch.at(-1).id, repeated: false }
    },
    async feed(_workspace, conversation, after, limit) {
      return read(conversation).slice(after, after + limit)
    },
    async close() {
      db.close()
    },
  }
}
