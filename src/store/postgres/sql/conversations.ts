/** Conversations, their lists and their end. */
import { type Statement, sql } from './statement.js'

const conversationColumns = `c.id, c.title, c.folder, c.tags, c.pinned, c.archived, c.meta, c.created_at, c.updated_at,
  c.entries, c.bytes`

/** Only if it was never removed; `state` in the same transaction decides, after any wait for a removal. */
export const insertConversation = sql(
  'create_conversation',
  `insert into conversation as c (workspace_id, id, title, folder, tags, meta, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $7, $7) on conflict do nothing returning ${conversationColumns}`,
)

export const conversationRow = sql(
  'get_conversation',
  `select ${conversationColumns} from conversation c where c.workspace_id = $1 and c.id = $2`,
)

export const changeConversation = sql(
  'update_conversation',
  `update conversation c set title = coalesce($3, title), folder = case when $4 then $5 else folder end,
      tags = coalesce($6, tags), pinned = coalesce($7, pinned), archived = coalesce($8, archived),
      meta = coalesce($9, meta), updated_at = $10
    where c.workspace_id = $1 and c.id = $2 returning ${conversationColumns}`,
)

export const setTitle = sql('set_title', 'update conversation set title = $3 where workspace_id = $1 and id = $2')

const listed = `select ${conversationColumns} from conversation c
    where c.workspace_id = $1 and ($2::boolean is null or c.archived = $2) and ($3::boolean is null or c.pinned = $3)
      and ($4::text is null or c.folder = $4) and ($5::text is null or $5 = any (c.tags))`

export const selectConversations = sql(
  'list_conversations',
  `${listed} order by c.pinned desc, c.updated_at desc, c.id limit $6`,
)

/** Three ranges of the index, each in its order. */
export const listConversationsAfter = sql(
  'list_conversations_after',
  `(${listed} and c.pinned = $7 and c.updated_at = $8 and c.id > $9 order by c.id limit $6)
    union all (${listed} and c.pinned = $7 and c.updated_at < $8 order by c.updated_at desc, c.id limit $6)
    union all (${listed} and c.pinned < $7 order by c.pinned desc, c.updated_at desc, c.id limit $6)
    order by pinned desc, updated_at desc, id limit $6`,
)

// removal

const owned = (table: string): Statement =>
  sql(`remove_owned_${table}`, `delete from ${table} where workspace_id = $1 and conversation_id = $2`)

export const removeReceipts = owned('receipt')
export const removeDrafts = owned('draft')
export const removeBranches = owned('branch')
export const removeKeys = owned('idempotency')
export const removeEntries = owned('entry')

export const removeConversation = sql(
  'remove_conversation',
  'delete from conversation where workspace_id = $1 and id = $2',
)

export const putTombstone = sql(
  'put_tombstone',
  'insert into tombstone (workspace_id, conversation_id) values ($1, $2) on conflict do nothing',
)
