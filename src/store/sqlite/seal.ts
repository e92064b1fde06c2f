/** Checksums of rows that no hash covers: every changed bit shows. */
import { crc32 } from 'node:zlib'
import type { NewEntry } from '../contract/entry.js'
import { canonical } from '../shared/gate.js'
import type { Value, Values } from './driver.js'

const seal = (...values: readonly Value[]): number => crc32(JSON.stringify(values))

/** Of what people say about a conversation; what a write moves is checked against the log. */
export const conversationSeal = (row: Values): number =>
  seal(...['title', 'folder', 'tags', 'pinned', 'archived', 'meta'].map((name) => row[name] ?? null))

export const branchSeal = (name: string, head: string | null, at: string): number => seal(name, head, at)

/** Of an entry whose words were removed. */
export const bareSeal = ({ id, body, tokens, at, author, model }: NewEntry): number =>
  seal(id, canonical(body), tokens, at, author ?? null, model ?? null)

export const receiptSeal = (row: Values): number =>
  seal(...['id', 'conversation', 'entry', 'at', 'body'].map((name) => row[name] ?? null))
