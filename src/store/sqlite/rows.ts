/** Rows of the file, and the objects of the contract. */
import type { Body, Entry } from '../contract/entry.js'
import type { Link } from '../shared/link.js'
import { unpackBody } from '../shared/pack.js'
import { readers } from '../shared/rows.js'
import type { Row } from './driver.js'

export const { toConversation, toBranch, toDraft, toReceipt, toRecord, toEvent } = readers((json) =>
  JSON.parse(json as string),
)

/** A link that knows its own place. */
export interface LinkAt extends Link {
  readonly seq: number
}

export const toPlace = (row: Row): LinkAt => ({
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
  const [[id, tokens, at, author, model, meta], placed, marked, body] = JSON.parse(row.entry as string) as Facts
  const [seq, parent, depth, total, turns] = placed
  const [opener, summary, contentHash, hash, redacted] = marked
  const text = row.text as string
  return {
    id,
    body: unpackBody(body, text),
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
    contentHash,
    hash,
    redacted: redacted === 1,
  }
}

/** In the order of the statement. */
type Said = readonly [string, number, string, string | null, string | null, Readonly<Record<string, unknown>> | null]
type Placed = readonly [seq: number, parent: string | null, depth: number, total: number, turns: number]
type Marked = readonly [opener: string | null, summary: string | null, content: string, hash: string, redacted: number]
type Facts = readonly [Said, Placed, Marked, Body]

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
export const fromHex = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
