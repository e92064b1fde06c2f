/** What the rows of both databases have in common; they differ in how JSON comes out of them. */
import type { Branch } from '../contract/branch.js'
import type { Conversation } from '../contract/conversation.js'
import type { Draft } from '../contract/draft.js'
import type { Body, NewEntry } from '../contract/entry.js'
import type { StoredEvent } from '../contract/event.js'
import type { StoredReceipt } from '../contract/keeping.js'
import type { RecordAdd, RecordPut, StoredRecord } from '../contract/record.js'
import { refusal } from './refuse.js'
import { byteLength } from './runtime.js'

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

// How a body is stored: words that stand in the column beside it are not written a second time.

export interface PackedEntry {
  readonly json: string
  /** Of the whole body. */
  readonly bytes: number
}

export function packEntry(entry: Pick<NewEntry, 'body' | 'text'>): PackedEntry {
  const whole = JSON.stringify(entry.body)
  return { json: wordless(entry, whole), bytes: byteLength(whole) }
}

/** The JSON of a body, without the words that stand beside it. */
export function wordless({ body, text }: Pick<NewEntry, 'body' | 'text'>, json: string): string {
  const part = solePart(body)
  if (part?.type !== 'text' || part.text !== text) return json
  const bare = [{ ...part, text: undefined }]
  return JSON.stringify(body.kind === 'result' ? { ...body, output: bare } : { ...body, parts: bare })
}

/** A text part without its text has the text of the column. */
export function unpackBody(body: Body, text: string): Body {
  const part = solePart(body)
  if (part?.type === 'text' && part.text === undefined) part.text = text
  return body
}

function solePart(body: Body): { type: string; text?: string } | undefined {
  const parts = body?.kind === 'result' ? body.output : body?.kind === 'note' ? [] : body?.parts
  return parts?.length === 1 ? (parts[0] as { type: string; text?: string }) : undefined
}

// What may become of a record, whatever the store.

type Known = Pick<StoredRecord, 'conversation' | 'revision' | 'createdAt' | 'body'>

/** The record as it stands after a put of what is the store's own. */
export function putOn(known: Known | undefined, put: RecordPut): StoredRecord {
  checkPut(known, put)
  return {
    kind: put.kind,
    id: put.id,
    conversation: known ? known.conversation : (put.conversation ?? null),
    body: put.body ?? null,
    revision: (known?.revision ?? 0) + 1,
    createdAt: known?.createdAt ?? put.at,
    updatedAt: put.at,
  }
}

export function checkPut(
  known: Pick<StoredRecord, 'conversation' | 'revision'> | undefined,
  { conversation, expect, id }: RecordPut,
): void {
  if (known && conversation !== undefined && conversation !== known.conversation)
    throw refusal('id_conflict', 'there is a record of another conversation with this id', {
      field: 'record.id',
      value: id,
    })
  const revision = known?.revision ?? null
  if (expect !== undefined && expect !== revision)
    throw refusal('record_moved', 'the record has changed', { field: 'record.expect', value: revision })
}

/** The record as it stands after an addition. One that is made by it belongs to no conversation: many may add to it. */
export function addedTo(known: Known | undefined, { kind, id, numbers, at }: RecordAdd): StoredRecord {
  return {
    kind,
    id,
    conversation: known?.conversation ?? null,
    body: sums(known ? known.body : {}, numbers, id),
    revision: (known?.revision ?? 0) + 1,
    createdAt: known?.createdAt ?? at,
    updatedAt: at,
  }
}

function sums(body: unknown, numbers: Readonly<Record<string, number>>, id: string): Record<string, number> {
  if (!isNumbers(body)) throw notNumbers(id)
  const all = new Map(Object.entries(body))
  for (const [name, number] of Object.entries(numbers)) all.set(name, (all.get(name) ?? 0) + number)
  const sum = Object.fromEntries(all)
  if (!isNumbers(sum)) throw notNumbers(id)
  return sum
}

export const notNumbers = (id: string): Error =>
  refusal('invalid', 'numbers can only be added to numbers', { field: 'record.id', value: id })

const isNumbers = (body: unknown): body is Readonly<Record<string, number>> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.values(body).every(Number.isFinite)
