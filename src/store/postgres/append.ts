/** Writing to the log: it is done at once, or nothing is; then the reason is looked for. */
import type { Appended, AppendOptions } from '../contract/append.js'
import type { Entry, NewEntry } from '../contract/entry.js'
import { moved, repeatedOf } from '../memory/room.js'
import { appendHash, contentHash, plainEntry } from '../shared/gate.js'
import { callsOf, checkAnswer, standIn } from '../shared/link.js'
import { refusal } from '../shared/refuse.js'
import { type PackedEntry, packEntry } from '../shared/rows.js'
import type { Call, PgValue, Result, Row } from './batch.js'
import type { More } from './driver.js'
import { unknownParent } from './find.js'
import { linked, rowToEntry } from './rows.js'
import * as sql from './sql/append.js'
import { getEntries, getKey, nearestOnPath as nearestCalls, place as placeOf } from './sql/log.js'

/** Whose log, where in it, and what for. */
export interface LogWriting {
  readonly workspace: string
  readonly conversation: string
  readonly options: AppendOptions
  readonly batch: readonly NewEntry[]
  /** The name of the whole request, if there is a key to find it by. */
  readonly request: string | null
}

export function placedWriting(
  workspace: string,
  conversation: string,
  batch: readonly NewEntry[],
  options: AppendOptions,
): LogWriting {
  const request = options.key === undefined ? null : appendHash(batch, options)
  return { workspace, conversation, options, batch: batch.map(plainEntry), request }
}

/** The statements that write it, the entries first. */
export function appending(writing: LogWriting): readonly Call[] {
  const { workspace, conversation, options, batch, request } = writing
  const { branch, at, key } = options
  const whose = [workspace, conversation]
  const packed = batch.map(packEntry)
  const rows = batch.map((entry, i) => [...whose, ...valuesOf(entry, packed[i] as PackedEntry)])
  const last = (batch.at(-1) as NewEntry).id
  const bytes = batch.reduce((sum, { text }, i) => sum + Buffer.byteLength(text) + (packed[i] as PackedEntry).bytes, 0)
  return [
    first(writing, rows[0] as readonly PgValue[]),
    ...rows.slice(1).map((row, i): Call => [sql.appendNext, [...row, (batch[i] as NewEntry).id]]),
    [sql.advance, [...whose, branch, last, at]],
    ...(key === undefined ? [] : [[sql.putKey, [...whose, last, batch.length, key, request]] as const]),
    [sql.grow, [...whose, last, batch.length, bytes, at]],
  ]
}

function first({ options, batch }: LogWriting, row: readonly PgValue[]): Call {
  const { branch, expect, key } = options
  const room = batch.reduce((sum, { tokens }) => sum - tokens, Number.MAX_SAFE_INTEGER)
  const values = [...row, branch, ...fromOf(options), expect !== undefined, expect ?? null, room]
  const calls = awaited(batch)
  if (batch.length === 1 && calls?.length === 0 && key === undefined) return [sql.appendOne, values]
  return [sql.appendFirst, [...values, batch.map(({ id }) => id), calls, key ?? null]]
}

const valuesOf = ({ body, ...entry }: NewEntry, { json }: PackedEntry): readonly PgValue[] => [
  ...[entry.id, entry.tokens, contentHash({ body, ...entry }), entry.at, entry.author ?? null, entry.model ?? null],
  ...[entry.text, json, entry.meta === undefined ? null : JSON.stringify(entry.meta)],
  ...[body.kind === 'result' ? body.callId : null, callsOf(body).length > 0 ? callsOf(body) : null],
  ...[body.kind === 'message' && body.role === 'user', body.kind === 'summary'],
]

/** From the results of `appending`; null when nothing was written. */
export function appended({ batch }: LogWriting, results: readonly Result[]): Appended | null {
  const entries = batch.flatMap((entry, i) => (results[i]?.rows ?? []).map((row) => linked(entry, row)))
  const last = entries.at(-1)
  return last ? { entries, head: last.id, repeated: false } : null
}

/** What the same append came to before, if it was made. */
export async function foundBefore(writing: LogWriting, ask: More): Promise<Appended | null> {
  const { workspace, conversation, batch, options } = writing
  const [keyed, known] = await ask(
    [getKey, [workspace, conversation, options.key ?? null]],
    [getEntries, [workspace, conversation, batch.map(({ id }) => id)]],
  )
  return answered(writing, keyed?.rows ?? []) ?? stored(batch, known?.rows ?? [])
}

/** Why nothing was written: it was before, or it is refused. Null when the reason is gone, and it can be tried again. */
export async function reason(writing: LogWriting, ask: More): Promise<Appended | null> {
  const { workspace, conversation, batch, options } = writing
  const start = [workspace, conversation, options.branch, ...fromOf(options)]
  const [keyed, known, place, nearest] = await ask(
    [getKey, [workspace, conversation, options.key ?? null]],
    [getEntries, [workspace, conversation, batch.map(({ id }) => id)]],
    [placeOf, start],
    [nearestCalls, [...start, batch.flatMap(({ body }) => (body.kind === 'result' ? [body.callId] : []))]],
  )
  const before = answered(writing, keyed?.rows ?? []) ?? stored(batch, known?.rows ?? [])
  if (before) return before
  const found = place?.rows[0]
  const head = (found?.head_id ?? null) as string | null
  if (options.expect !== undefined && options.expect !== head) throw moved(head)
  const from = options.from === undefined ? head : options.from
  if (from !== null && found?.id !== from) throw unknownParent('from', from)
  const path = (nearest?.rows ?? []).map(hitOf)
  for (const [i, { body }] of batch.entries()) checkAnswer(body, [...batch.slice(0, i).reverse(), ...path])
  const tokens = batch.reduce((sum, entry) => sum + entry.tokens, Number(found?.total ?? 0))
  if (Number.isSafeInteger(tokens)) return null
  throw refusal('too_large', 'the tokens of this path can no longer be counted', { field: 'tokens', value: tokens })
}

/** The stored entries among those to be written: an exact retry finds all of them. */
export function stored(batch: readonly NewEntry[], rows: readonly Row[]): Appended | null {
  if (rows.length === 0) return null
  return repeatedOf({ byId: new Map(rows.map(rowToEntry).map((entry) => [entry.id, entry])) }, batch)
}

/** What was answered before under the same key. */
function answered({ options, request }: LogWriting, rows: readonly Row[]): Appended | null {
  const last = rows.at(-1)
  if (!last) return null
  if (last.request !== request)
    throw refusal('key_reused', 'this key was used for another request', { field: 'key', value: options.key })
  return { entries: rows.map(rowToEntry), head: last.id as string, repeated: true }
}

const fromOf = ({ from }: AppendOptions): readonly [given: boolean, from: string | null] => [
  from !== undefined,
  from ?? null,
]

/** The calls that the path must have open for the results of a batch; null, so that none will do, if one is answered twice. */
function awaited(batch: readonly NewEntry[]): readonly string[] | null {
  const latest = new Map<string, 'call' | 'result'>()
  const calls: string[] = []
  for (const { body } of batch) {
    for (const call of callsOf(body)) latest.set(call, 'call')
    if (body.kind !== 'result') continue
    const before = latest.get(body.callId)
    if (before === 'result') return null
    if (before === undefined) calls.push(body.callId)
    latest.set(body.callId, 'result')
  }
  return calls
}

const hitOf = (row: Row): Pick<Entry, 'body'> => standIn(row.call_id as string, Boolean(row.answered))
