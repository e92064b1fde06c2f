/** Rows of the tables as the values of the contract, and back. */
import type { Branch, Conversation, Draft, StoredBlob, StoredReceipt } from '../contract.js'
import type { Body, Entry, NewEntry } from '../entry.js'
import { callsOf } from '../link.js'
import type { Row } from './driver.js'

export const toConversation = (row: Row): Conversation => ({
  id: row.id as string,
  title: row.title as string,
  folder: row.folder as string | null,
  tags: row.tags as string[],
  pinned: row.pinned as boolean,
  archived: row.archived as boolean,
  meta: parse(row.meta) as Conversation['meta'],
  createdAt: row.created_at as string,
  updatedAt: row.updated_at as string,
  entries: row.entries as number,
  bytes: row.bytes as number,
})

export const toEntry = (row: Row): Entry => ({
  id: row.id as string,
  body: parse(row.body) as Body,
  text: row.text as string,
  tokens: row.tokens as number,
  at: row.at as string,
  ...(row.author === null ? null : { author: row.author as string }),
  ...(row.model === null ? null : { model: row.model as string }),
  ...(row.meta === null ? null : { meta: parse(row.meta) as NonNullable<Entry['meta']> }),
  seq: row.seq as number,
  parent: row.parent as string | null,
  depth: row.depth as number,
  total: row.total as number,
  turns: row.turns as number,
  opener: row.opener as string | null,
  summary: row.summary as string | null,
  contentHash: row.content_hash as string,
  hash: row.hash as string,
  redacted: row.redacted as boolean,
})

/** The values of `insertEntry` after the workspace and the conversation. */
export const fromEntry = (entry: Entry): readonly unknown[] => [
  entry.seq,
  entry.id,
  entry.parent,
  entry.text,
  JSON.stringify(entry.body),
  entry.tokens,
  entry.at,
  entry.author ?? null,
  entry.model ?? null,
  entry.meta === undefined ? null : JSON.stringify(entry.meta),
  entry.depth,
  entry.total,
  entry.turns,
  entry.opener,
  entry.summary,
  ...linksOf(entry.body),
  entry.contentHash,
  entry.hash,
]

function linksOf(body: Body): readonly [calls: readonly string[] | null, answers: string | null] {
  const calls = callsOf(body)
  return [calls.length > 0 ? calls : null, body.kind === 'result' ? body.callId : null]
}

/** As it will be read back: a copy, and nothing in it that JSON cannot say. */
export const plain = (entry: NewEntry): NewEntry => JSON.parse(JSON.stringify(entry)) as NewEntry

export const toBranch = (row: Row): Branch => ({
  name: row.name as string,
  head: row.head as string | null,
  updatedAt: row.updated_at as string,
})

export const toDraft = (row: Row): Draft => ({
  id: row.id as string,
  conversation: row.conversation_id as string,
  branch: row.branch as string,
  parent: row.parent as string | null,
  text: row.text as string,
  body: parse(row.body),
  epoch: row.epoch as number,
  at: row.at as string,
})

export const toBlob = (row: Row): StoredBlob => ({
  sha256: row.sha256 as string,
  mediaType: row.media_type as string,
  size: row.size as number,
  bytes: new Uint8Array(row.bytes as Buffer),
})

export const toReceipt = (row: Row): StoredReceipt => ({
  id: row.id as string,
  conversation: row.conversation_id as string,
  entry: row.entry_id as string | null,
  at: row.at as string,
  body: parse(row.body),
})

/** What cannot be parsed was damaged on its way, and is for `verify` to find. */
function parse(json: unknown): unknown {
  try {
    return JSON.parse(json as string)
  } catch {
    return null
  }
}
