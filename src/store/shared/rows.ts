/** What the rows of both databases have in common; they differ in how JSON comes out of them. */
import type { Branch } from '../contract/branch.js'
import type { Conversation } from '../contract/conversation.js'
import type { Draft } from '../contract/draft.js'
import type { StoredEvent } from '../contract/event.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { StoredRecord } from '../contract/record.js'

type Columns = Readonly<Record<string, unknown>>

export const readers = (parse: (json: unknown) => unknown) => ({
  toConversation: (row: Columns): Conversation => ({
    id: row.id as string,
    title: row.title as string,
    folder: row.folder as string | null,
    tags: (typeof row.tags === 'string' ? parse(row.tags) : row.tags) as string[],
    pinned: Boolean(row.pinned),
    archived: Boolean(row.archived),
    meta: parse(row.meta) as Conversation['meta'],
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
    entries: row.entries as number,
    bytes: row.bytes as number,
  }),
  toBranch: (row: Columns): Branch => ({
    name: row.name as string,
    head: row.head_id as string | null,
    updatedAt: row.updated_at as string,
  }),
  toDraft: (row: Columns): Draft => ({
    id: row.id as string,
    conversation: row.conversation_id as string,
    branch: row.branch as string,
    parent: row.parent_id as string | null,
    text: row.text as string,
    body: parse(row.body),
    epoch: row.epoch as number,
    at: row.at as string,
  }),
  toReceipt: (row: Columns): StoredReceipt => ({
    id: row.id as string,
    conversation: row.conversation_id as string,
    entry: row.entry_id as string | null,
    at: row.at as string,
    body: parse(row.body),
  }),
  toRecord: (row: Columns): StoredRecord => ({
    kind: row.kind as string,
    id: row.id as string,
    conversation: row.conversation_id as string | null,
    body: parse(row.body),
    revision: row.revision as number,
    createdAt: row.created_at as string,
    updatedAt: row.updated_at as string,
  }),
  toEvent: (row: Columns): StoredEvent => ({
    type: row.type as string,
    data: parse(row.data),
    number: row.number as number,
    at: row.at as string,
  }),
})
