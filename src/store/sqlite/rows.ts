/** Rows of the file, and the objects of the contract. */
import type { Conversation } from '../contract/conversation.js'
import type { Draft } from '../contract/draft.js'
import type { Body, Entry } from '../contract/entry.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { Link } from '../shared/link.js'
import { unpack } from '../shared/pack.js'
import type { Row } from './driver.js'

/** A link that knows its own place. */
export interface Place extends Link {
  readonly seq: number
}

export const toPlace = (row: Row): Place => ({
  id: row.id as string,
  seq: row.seq as number,
  depth: row.depth as number,
  total: row.total as number,
  turns: row.turns as number,
  opener: row.opener_id as string | null,
  summary: row.summary_id as string | null,
  hash: toHex(row.hash as Uint8Array),
})

export function toEntry(row: Row): Entry {
  const [facts, body] = JSON.parse(row.entry as string) as [Facts, Body]
  const [
    id,
    tokens,
    at,
    author,
    model,
    meta,
    seq,
    parent,
    depth,
    total,
    turns,
    opener,
    summary,
    content,
    hash,
    redacted,
  ] = facts
  const text = row.text as string
  return {
    id,
    body: unpack(body, text),
    text,
    tokens,
    at,
    ...(author === null ? null : { author }),
    ...(model === null ? null : { model }),
    ...(meta === null ? null : { meta }),
    seq,
    parent,
    depth,
    total,
    turns,
    opener,
    summary,
    contentHash: content,
    hash,
    redacted: redacted === 1,
  }
}

/** In the order of the statement. */
type Facts = readonly [
  id: string,
  tokens: number,
  at: string,
  author: string | null,
  model: string | null,
  meta: Readonly<Record<string, unknown>> | null,
  seq: number,
  parent: string | null,
  depth: number,
  total: number,
  turns: number,
  opener: string | null,
  summary: string | null,
  content: string,
  hash: string,
  redacted: number,
]

export const toConversation = (row: Row): Conversation => ({
  id: row.id as string,
  title: row.title as string,
  folder: row.folder as string | null,
  tags: JSON.parse(row.tags as string),
  pinned: row.pinned === 1,
  archived: row.archived === 1,
  meta: JSON.parse(row.meta as string),
  createdAt: row.created_at as string,
  updatedAt: row.updated_at as string,
  entries: row.entries as number,
  bytes: row.bytes as number,
})

export const toDraft = (row: Row): Draft => ({
  id: row.id as string,
  conversation: row.conversation_id as string,
  branch: row.branch as string,
  parent: row.parent_id as string | null,
  text: row.text as string,
  body: JSON.parse(row.body as string),
  epoch: row.epoch as number,
  at: row.at as string,
})

export const toReceipt = (row: Row): StoredReceipt => ({
  id: row.id as string,
  conversation: row.conversation_id as string,
  entry: row.entry_id as string | null,
  at: row.at as string,
  body: JSON.parse(row.body as string),
})

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
export const fromHex = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
