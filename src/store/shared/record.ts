/** What may become of a record, whatever the store. */
import type { RecordAdd, RecordPut, StoredRecord } from '../contract/record.js'
import { refusal } from './refuse.js'

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
