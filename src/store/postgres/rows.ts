/** Rows of the tables as the values of the contract, and back. */
import type { Body, Entry, NewEntry } from '../contract/entry.js'
import type { StoredBlob } from '../contract/keeping.js'
import { readers, unpackBody } from '../shared/rows.js'
import type { Row } from './batch.js'

export const { toConversation, toBranch, toDraft, toReceipt, toRecord, toEvent } = readers(parse)

export const rowToEntry = (row: Row): Entry => ({
  id: row.id as string,
  body: unpackBody(parse(row.body) as Body, row.text as string),
  text: row.text as string,
  tokens: row.tokens as number,
  at: row.at as string,
  ...(row.author === null ? null : { author: row.author as string }),
  ...(row.model === null ? null : { model: row.model as string }),
  ...(row.meta === null ? null : { meta: parse(row.meta) as NonNullable<Entry['meta']> }),
  ...placeOf(row),
})

/** What was said, in the place that it was given. */
export const linked = (entry: NewEntry, row: Row): Entry => ({ ...entry, ...placeOf(row) })

const placeOf = (row: Row): Omit<Entry, keyof NewEntry> => ({
  seq: row.seq as number,
  parent: row.parent_id as string | null,
  depth: row.depth as number,
  total: row.total as number,
  turns: row.turns as number,
  opener: row.opener_id as string | null,
  summary: row.summary_id as string | null,
  contentHash: row.content_hash as string,
  hash: row.hash as string,
  redacted: row.redacted as boolean,
})

export const toBlob = (row: Row): StoredBlob => ({
  sha256: row.sha256 as string,
  mediaType: row.media_type as string,
  size: row.size as number,
  bytes: new Uint8Array(row.bytes as Buffer),
})

/** What cannot be parsed was damaged on its way, and is for `verify` to find. */
function parse(json: unknown): unknown {
  try {
    return JSON.parse(json as string)
  } catch {
    return null
  }
}
