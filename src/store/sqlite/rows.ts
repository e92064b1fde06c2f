/** Rows of the file, and the objects of the contract. */

import { crc32 } from 'node:zlib'
import type { Body, Entry, NewEntry } from '../contract/entry.js'
import { canonical } from '../shared/gate.js'
import type { Link } from '../shared/link.js'
import { readers, unpackBody } from '../shared/rows.js'
import type { Row, Value, Values } from './driver.js'

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

// Checksums of rows that no hash covers: every changed bit shows.

const seal = (...values: readonly Value[]): number => crc32(JSON.stringify(values))

const facts = ['title', 'folder', 'tags', 'pinned', 'archived', 'meta']

/** Of what people say about a conversation, and when it was made; what a write moves is checked against the log. */
export const conversationSeal = (row: Values): number =>
  seal(...[...facts, 'created_at'].map((name) => row[name] ?? null))

/** As format 7 sealed it. */
export const formerSeal = (row: Values): number => seal(...facts.map((name) => row[name] ?? null))

/** Of the time of the last change, which moves with every message. */
export const stampOf = (at: string): number => seal(at)

export const branchSeal = (name: string, head: string | null, at: string): number => seal(name, head, at)

/** Of an entry whose words were removed. */
export const bareSeal = ({ id, body, tokens, at, author, model }: NewEntry): number =>
  seal(id, canonical(body), tokens, at, author ?? null, model ?? null)

export const receiptSeal = (row: Values): number =>
  seal(...['id', 'conversation', 'entry', 'at', 'body'].map((name) => row[name] ?? null))
