/** Where a conversation stands: remembered from the last write, so that the next one asks the file nothing. */
import { HistoryError } from '../../core/message/issue.js'
import type { Draft } from '../contract/draft.js'
import type { StoredEvent } from '../contract/event.js'
import type { StoredRecord } from '../contract/record.js'
import { refusal } from '../shared/refuse.js'
import { find, type Key, missing, type Sqlite } from './desk.js'
import type { Row, Value } from './driver.js'
import type { Told } from './events.js'
import { checkStill, newest } from './migrate.js'
import { type LinkAt, stampOf, toDraft, toPlace } from './rows.js'
import * as side from './side.js'
import * as sql from './statements.js'

export interface Standing {
  /** What is remembered holds as long as the file has the same one. */
  readonly revision: number
  readonly entries: number
  readonly events: number
  /** A search will look at it. */
  readonly stale: boolean
  readonly touched: string
  /** Where branches end, of those that were asked for; null for one without an entry. */
  readonly heads: ReadonlyMap<string, LinkAt | null>
  /** Null when nobody has asked for them. */
  readonly drafts: ReadonlyMap<string, HeldDraft> | null
}

/** A draft with its body as JSON. */
export type HeldDraft = Omit<Draft, 'body'> & { readonly json: string }

/** What a write adds; known before it begins. */
export interface Growth {
  readonly entries: number
  readonly bytes: number
  readonly events: number
  /** When entries were added. */
  readonly at: string | null
}

export const nothingNew: Growth = { entries: 0, bytes: 0, events: 0, at: null }

/** A conversation while a transaction writes to it. */
export interface Held {
  readonly key: Key
  readonly revision: number
  entries: number
  events: number
  readonly stale: boolean
  readonly touched: string
  readonly heads: Map<string, LinkAt | null>
  drafts: Map<string, HeldDraft> | null
  readonly told: (StoredEvent & Pick<Told, 'json'>)[]
  /** Records that are still to be put, all at once, some with the JSON of their bodies. */
  readonly records: (StoredRecord & { readonly json?: string })[]
  /** Sums that hold once the transaction does. */
  readonly sums: StoredRecord[]
  /** What is not remembered is looked up before it is written, not when writing it fails. */
  readonly careful: boolean
}

/** Runs `work` on one conversation inside a transaction, and remembers where it stands then. */
export function hold<T>(desk: Sqlite, key: Key, growth: Growth, careful: boolean, work: (held: Held) => T): Done<T> {
  const held = claim(desk, key, growth, careful)
  const value = work(held)
  putRecords(desk, held)
  tell(desk, held)
  return { value, held }
}

interface Done<T> {
  readonly value: T
  readonly held: Held | null
}

/**
 * A write to one conversation. With `before` it is written at once, as if it were new; only if that is refused is it asked
 * what was done before. `remember` is told what became of it, with the commit.
 */
export async function writeTo<T>(
  desk: Sqlite,
  key: Key,
  growth: Growth,
  work: (held: Held) => T,
  { before, careful = before === undefined, remember }: Before<T> = {},
): Promise<T> {
  const after = ({ value, held }: Done<T>): void => {
    if (!held) return
    for (const sum of held.sums) desk.sums.set(sumName(key.workspace, sum), sum)
    desk.recent.stands(key, standingOf(held))
    remember?.(value, held.revision)
  }
  if (!careful) {
    try {
      return (await desk.group.write(() => hold(desk, key, growth, false, work), after, 'self')).value
    } catch (error) {
      if (!HistoryError.is(error) || storageFailures.has(error.code)) throw error
    }
  }
  const carefully = (): Done<T> => {
    find(desk, key)
    const known = before?.() ?? null
    return known === null ? hold(desk, key, growth, true, work) : { value: known, held: null }
  }
  return (await desk.group.write(carefully, after)).value
}

interface Before<T> {
  /** What it came to if it was done before, else null. */
  readonly before?: () => T | null
  readonly careful?: boolean
  readonly remember?: (value: T, revision: number) => void
}

/** Not about what is written: they would only come again. */
const storageFailures = new Set(['unavailable', 'storage_full', 'newer_format'])

export const sumName = (workspace: string, { kind, id }: Pick<StoredRecord, 'kind' | 'id'>): string =>
  `${workspace}\0${kind}\0${id}`

const standingOf = ({ revision, entries, events, stale, touched, heads, drafts }: Held): Standing => ({
  ...{ revision, entries, events, stale, touched, heads, drafts },
})

function claim(desk: Sqlite, key: Key, growth: Growth, careful: boolean): Held {
  const known = desk.recent.standing(key)
  if (known && grow(desk, key, known, growth)) return heldOf(key, known, growth, careful)
  checkStill(desk.db)
  const read = readStanding(desk, key)
  grow(desk, key, read, growth)
  return heldOf(key, read, growth, careful)
}

function readStanding({ db }: Sqlite, key: Key): Standing {
  const row = db.get(sql.standing, key)
  if (!row) throw missing(db, key)
  return {
    revision: row.revision as number,
    entries: row.entries as number,
    events: row.events as number,
    stale: row.stale === 1,
    touched: row.touched as string,
    heads: new Map(),
    drafts: null,
  }
}

/** False when it has changed meanwhile, or the file has become one of a newer format. */
function grow({ db }: Sqlite, key: Key, { revision, stale, touched }: Standing, growth: Growth): boolean {
  const { entries, bytes, events, at } = growth
  if (at === null) return db.run(sql.stir, { ...key, revision, events, format: newest }) === 1
  const statement = stale && touched === touchedBy(at) ? sql.grow : sql.growAndShow
  return db.run(statement, { ...key, revision, entries, bytes, events, at, stamp: stampOf(at), format: newest }) === 1
}

/** As the statements cut it, by characters. */
const touchedBy = (at: string): string => Array.from(at.slice(0, 30)).slice(0, 15).join('')

function heldOf(key: Key, known: Standing, { at }: Growth, careful: boolean): Held {
  const isShown = at !== null
  return {
    key,
    revision: known.revision + 1,
    entries: known.entries,
    events: known.events,
    stale: isShown || known.stale,
    touched: isShown ? touchedBy(at) : known.touched,
    heads: new Map(known.heads),
    drafts: known.drafts && new Map(known.drafts),
    told: [],
    records: [],
    sums: [],
    careful,
  }
}

/** The end of a branch, null when it has no entry. */
export function headOf({ db }: Sqlite, { key, heads }: Held, branch: string): LinkAt | null {
  const known = heads.get(branch)
  if (known !== undefined) return known
  const row = db.get(sql.endOfBranch, { ...key, branch })
  const place = row ? toPlace(row) : null
  heads.set(branch, place)
  return place
}

export function draftsIn({ db }: Sqlite, held: Held): Map<string, HeldDraft> {
  held.drafts ??= new Map(db.all(sql.drafts, held.key).map((row) => [row.id as string, heldDraft(row)]))
  return held.drafts
}

function heldDraft(row: Row): HeldDraft {
  const { body: _, ...draft } = toDraft(row)
  return { ...draft, json: row.body as string }
}

/** The records that were put so far, in one statement for several. */
export function putRecords({ db }: Sqlite, { key, records }: Pick<Held, 'key' | 'records'>): void {
  const most = side.putRecords.length
  const all = records.splice(0)
  for (let from = 0; from < all.length; from += most) {
    const some = all.slice(from, from + most)
    const values: Record<string, Value> = { workspace: key.workspace }
    some.forEach((record, i) => {
      values[`kind${i}`] = record.kind
      values[`id${i}`] = record.id
      values[`owner${i}`] = record.conversation
      values[`body${i}`] = record.json ?? JSON.stringify(record.body)
      values[`revision${i}`] = record.revision
      values[`createdAt${i}`] = record.createdAt
      values[`updatedAt${i}`] = record.updatedAt
    })
    if (db.run(side.putRecords[some.length - 1] as string, values) === some.length) continue
    throw refusal('record_moved', 'the record has changed', { field: 'record' })
  }
}

function tell({ db }: Sqlite, { key, told }: Held): void {
  const most = side.addEvents.length
  for (let from = 0; from < told.length; from += most) {
    const some = told.slice(from, from + most)
    const values: Record<string, Value> = { ...key, first: some[0]?.number ?? 0 }
    some.forEach(({ type, json, at }, i) => {
      values[`type${i}`] = type
      values[`data${i}`] = json
      values[`at${i}`] = at
    })
    db.run(side.addEvents[some.length - 1] as string, values)
  }
}
