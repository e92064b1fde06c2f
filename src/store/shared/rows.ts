/** Rows that both databases keep alike, as the values of the contract. */
import type { Branch } from '../contract/branch.js'
import type { StoredRecord } from '../contract/record.js'

type Row = Readonly<Record<string, unknown>>

export const toBranch = (row: Row): Branch => ({
  name: row.name as string,
  head: row.head_id as string | null,
  updatedAt: row.updated_at as string,
})

export const toRecord = (row: Row): StoredRecord => ({
  kind: row.kind as string,
  id: row.id as string,
  conversation: row.conversation_id as string | null,
  body: JSON.parse(row.body as string),
  revision: row.revision as number,
  createdAt: row.created_at as string,
  updatedAt: row.updated_at as string,
})
