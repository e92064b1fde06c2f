/** Conversations, their lists and their end. */
import type { Conversation, Page, Store } from '../contract.js'
import { bounds, checkConversation, checkJson, checkText, checkWorkspace } from '../gate.js'
import { decodeCursor, encodeCursor, limitOf } from '../page.js'
import { refusal } from '../refuse.js'
import type { Call, Driver } from './driver.js'
import { checkState, gone, name, stateOf, storable } from './find.js'
import { toConversation } from './rows.js'
import * as sql from './statements.js'

export function conversations(driver: Driver): Pick<Store, 'create' | 'get' | 'list' | 'update' | 'remove'> {
  return {
    async create(workspace, input) {
      checkConversation(input)
      checkWorkspace(workspace)
      const { id, title = '', folder = null, tags = [], meta = {}, at } = input
      const made: Call = [sql.createConversation, [workspace, id, title, folder, tags, JSON.stringify(meta), at]]
      return driver.write(workspace, [made, stateOf(workspace, id)], ([inserted, state]) => {
        if (state?.rows[0]?.gone) throw gone(id)
        const row = inserted?.rows[0]
        if (!row)
          throw refusal('id_conflict', 'there is a conversation with this id', { field: 'conversation.id', value: id })
        return { calls: [], answer: toConversation(row) }
      })
    },

    async get(workspace, id) {
      checkWorkspace(workspace)
      const [found] = await driver.read(workspace, [sql.getConversation, [workspace, name(id)]])
      const row = found?.rows[0]
      return row ? toConversation(row) : null
    },

    async list(workspace, query) {
      checkWorkspace(workspace)
      const { archived = null, pinned = null, folder = null, tag = null, cursor } = query
      const after = cursor === undefined ? null : decodeCursor(cursor, 3)
      const limit = limitOf(query.limit)
      if (![folder, tag, ...(after ?? [])].every((text) => text === null || storable(text)))
        return { items: [], cursor: null }
      const filter = [workspace, archived, pinned, folder, tag, limit + 1]
      const [found] = await driver.read(
        workspace,
        after
          ? [sql.listConversationsAfter, [...filter, after[0] === '0', after[1], after[2]]]
          : [sql.listConversations, filter],
      )
      return pageOf(found?.rows.map(toConversation) ?? [], limit, keyOf)
    },

    async update(workspace, id, patch) {
      checkText(patch.title ?? '', 'title', bounds.title)
      checkText(patch.folder ?? '', 'folder', bounds.name)
      for (const tag of patch.tags ?? []) checkText(tag, 'tags', bounds.name)
      checkJson(patch.meta ?? {}, 'meta')
      checkWorkspace(workspace)
      const { title = null, folder, tags = null, pinned = null, archived = null, meta, at } = patch
      const [updated, state] = await driver.once(
        workspace,
        [
          sql.updateConversation,
          [
            ...[workspace, name(id), title, folder !== undefined, folder ?? null, tags, pinned, archived],
            ...[meta === undefined ? null : JSON.stringify(meta), at],
          ],
        ],
        stateOf(workspace, id),
      )
      checkState(state, id)
      return toConversation(updated?.rows[0] ?? {})
    },

    async remove(workspace, id) {
      checkWorkspace(workspace)
      const conversation = [workspace, name(id)]
      const first: Call[] = [sql.lockAlone, sql.lockBlobs, ...owned.map(([, statement]) => statement)].map(
        (statement) => [statement, conversation],
      )
      return driver.write(workspace, [stateOf(workspace, id), ...first], async ([, locked, , ...removals], ask) => {
        if (locked?.rows.length === 0) checkState((await ask(stateOf(workspace, id)))[0], id)
        const counts = owned.map(([what], i) => [what, removals[i]?.rowCount ?? 0])
        const removed = { conversation: 1, ...Object.fromEntries(counts) }
        return {
          calls: [
            [sql.removeConversation, conversation],
            [sql.putTombstone, conversation],
          ],
          answer: { conversation: id, entry: null, removed },
        }
      })
    },
  }
}

const owned = [
  ['entry', sql.removeEntries],
  ['branch', sql.removeBranches],
  ['draft', sql.removeDrafts],
  ['blob', sql.removeBlobs],
  ['receipt', sql.removeReceipts],
  ['idempotency', sql.removeKeys],
] as const

const keyOf = (one: Conversation): readonly string[] => [one.pinned ? '0' : '1', one.updatedAt, one.id]

/** `rows` has one more than the limit when there is another page. */
export function pageOf<T>(rows: readonly T[], limit: number, key: (one: T) => readonly string[]): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, cursor: rows.length > limit && last ? encodeCursor(key(last)) : null }
}
