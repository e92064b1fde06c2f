/** Conversations, their lists and their end. */

import type { Store } from '../contract/store.js'
import { decodeCursor, limitOf, listKey, pageOf } from '../shared/page.js'
import { refusal } from '../shared/refuse.js'
import { type Call, countOf, type Row } from './batch.js'
import type { Driver } from './driver.js'
import { checkState, gone, stateOf, writeIn } from './find.js'
import { toConversation } from './rows.js'
import * as sql from './sql/conversations.js'
import { removeEvents } from './sql/events.js'
import { removeRecords } from './sql/files.js'
import { lockAlone } from './sql/frame.js'
import { lockBlobs, removeBlobs } from './sql/records.js'
import { removeSearched } from './sql/search.js'
import { workOf } from './steps.js'
import { performed } from './work.js'

type Conversations = Pick<Store, 'create' | 'get' | 'list' | 'update' | 'remove'>

/** `channel` is what listeners are told on. */
export function postgresConversations(driver: Driver, channel: string): Conversations {
  return {
    async create(workspace, { id, title = '', folder = null, tags = [], meta = {}, at, steps = [] }) {
      const works = steps.map((step) => workOf([workspace, id], step, channel))
      const made: Call = [sql.insertConversation, [workspace, id, title, folder, tags, JSON.stringify(meta), at]]
      return driver.write(workspace, [made, stateOf(workspace, id)], async ([inserted, state], ask) => {
        if (state?.rows[0]?.gone) throw gone(id)
        const row = inserted?.rows[0]
        if (!row)
          throw refusal('id_conflict', 'there is a conversation with this id', { field: 'conversation.id', value: id })
        if (works.length === 0) return { calls: [], answer: toConversation(row) }
        const done = await performed(works, ask)
        if (!done.ok) {
          await works[done.done]?.why?.(ask)
          throw refusal('unavailable', 'something changed at this very moment; the same call can be made again')
        }
        const [made] = await ask([sql.conversationRow, [workspace, id]])
        return { calls: [], answer: toConversation(made?.rows[0] as Row) }
      })
    },

    async get(workspace, id) {
      const [found] = await driver.read(workspace, [sql.conversationRow, [workspace, id]])
      const row = found?.rows[0]
      return row ? toConversation(row) : null
    },

    async list(workspace, { archived = null, pinned = null, folder = null, tag = null, ...query }) {
      const [unpinned, time, id] = query.cursor === undefined ? [] : decodeCursor(query.cursor, 3)
      const limit = limitOf(query.limit)
      const filter = [workspace, archived, pinned, folder, tag, limit + 1]
      const [found] = await driver.read(
        workspace,
        time === undefined || id === undefined
          ? [sql.selectConversations, filter]
          : [sql.listConversationsAfter, [...filter, unpinned === '0', time, id]],
      )
      return pageOf(found?.rows.map(toConversation) ?? [], limit, listKey)
    },

    async update(workspace, id, { title = null, folder, tags = null, pinned = null, archived = null, meta, at }) {
      const values = [
        ...[workspace, id, title, folder !== undefined, folder ?? null, tags, pinned, archived],
        ...[meta === undefined ? null : JSON.stringify(meta), at],
      ]
      const [updated, state] = await driver.once(workspace, [sql.changeConversation, values], stateOf(workspace, id))
      const row = updated?.rows[0]
      if (row) return toConversation(row)
      checkState(state, id)
      throw refusal('unavailable', 'the conversation was made at this very moment')
    },

    async remove(workspace, id) {
      const all: Call[] = [lockBlobs, ...owned.map(([, statement]) => statement), sql.removeConversation].map(
        (statement) => [statement, [workspace, id]],
      )
      return writeIn(driver, workspace, id, lockAlone, all, ([, , ...removals]) => {
        const counts = owned.map(([what], i) => [what, countOf(removals[i])])
        return {
          calls: [[sql.putTombstone, [workspace, id]]],
          answer: { conversation: id, entry: null, removed: { conversation: 1, ...Object.fromEntries(counts) } },
        }
      })
    },
  }
}

const owned = [
  ['entry', sql.removeEntries],
  ['branch', sql.removeBranches],
  ['draft', sql.removeDrafts],
  ['blob', removeBlobs],
  ['receipt', sql.removeReceipts],
  ['idempotency', sql.removeKeys],
  ['event', removeEvents],
  ['record', removeRecords],
  ['search_entry', removeSearched],
] as const
