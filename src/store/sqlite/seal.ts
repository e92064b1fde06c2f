/** Checksums of rows that no hash covers: every changed bit shows. */
import { crc32 } from 'node:zlib'
import type { NewEntry } from '../contract/entry.js'
import { canonical } from '../shared/gate.js'
import type { Value, Values } from './driver.js'

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
