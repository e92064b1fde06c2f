/** Makes a new file of what can still be read of a damaged one, and says what was lost. The old one is not touched. */
import type { Entry } from '../contract/entry.js'
import { contentHash, jsonOrNone } from '../shared/gate.js'
import { type Link, link, unlinked } from '../shared/link.js'
import { digest } from '../shared/runtime.js'
import { putEntry } from './append.js'
import { checkFile } from './check.js'
import { putBranch } from './conversations.js'
import { type Key, keyOf } from './desk.js'
import { type Database, openDatabase, type Row, type Value, type Values } from './driver.js'
import { openFile } from './open.js'
import { bareSeal, conversationSeal, stampOf, toEntry } from './rows.js'
import * as sql from './statements.js'
import { makeWhole } from './whole.js'

export interface Salvaged {
  readonly conversations: number
  readonly entries: number
  /** What could not be read, or had to be put together anew: one line each. */
  readonly lost: readonly string[]
}

/** `to` must not exist; nothing has its name before everything that was left is in it. */
export const salvage = (from: string, to: string): Promise<Salvaged> =>
  makeWhole(to, (partial) => salvageInto(from, partial))

async function salvageInto(from: string, to: string): Promise<Salvaged> {
  const old = await openDatabase(from, 'read')
  const made = await openFile(to)
  const lost: string[] = []
  const tell = (what: string): void => void lost.push(what)
  let [conversations, entries] = [0, 0]
  try {
    made.run(sql.begin)
    copyWhole(old, made, 'tombstone', tell)
    copyWhole(old, made, 'blob', tell, ({ bytes, sha256 }) => digest(bytes as Uint8Array) === sha256)
    for (const key of keysIn(old, tell)) {
      const count = copyConversation(old, made, key, tell)
      if (count === null) continue
      conversations++
      entries += count
    }
    copyWhole(old, made, 'record', tell)
    made.run(sql.commit)
    for (const { where, fault } of checkFile(made).faults) tell(`${where}: ${fault}, also in the new file`)
    // nothing of it may stay in a file beside it, which keeps its name
    made.exec(sql.checkpoint)
    return { conversations, entries, lost }
  } finally {
    old.close()
    made.close()
  }
}

type Tell = (what: string) => void

/** From whatever table still names them. */
function keysIn(db: Database, tell: Tell): Key[] {
  const found = new Map<string, Key>()
  for (const table of ['conversation', 'entry', 'branch'])
    try {
      const id = table === 'conversation' ? 'id' : 'conversation_id'
      for (const row of db.all(`select distinct workspace_id, ${id} as id from ${table} not indexed`)) {
        const key = keyOf(String(row.workspace_id), String(row.id))
        found.set(JSON.stringify(key), key)
      }
    } catch (error) {
      tell(`${table}: not all of it can be listed (${said(error)})`)
    }
  return [...found.values()]
}

const own = 'where workspace_id = :workspace and conversation_id = :conversation'

/** Returns the number of its entries; null when nothing of it was left. */
function copyConversation(old: Database, made: Database, key: Key, tell: Tell): number | null {
  const where = `${key.workspace} ${key.conversation}`
  if (made.get(sql.tombstone, key)) return null
  const row = attempt(() =>
    old.get('select * from conversation where workspace_id = :workspace and id = :conversation', key),
  )
  const read = readEntries(old, key, Number(row?.entries ?? 0), (what) => tell(`${where}: ${what}`))
  if (!row && read.length === 0) return null
  if (!row) tell(`${where}: its title, labels and settings`)
  const at = String(row?.created_at ?? read[0]?.at ?? '')
  const named = { workspace_id: key.workspace, id: key.conversation }
  const facts = row ?? { ...named, title: '', tags: '[]', meta: '{}', created_at: at, updated_at: at }
  const kept = linked(read, (what) => tell(`${where}: ${what}`))
  const bytes = kept.reduce(
    (sum, { text, body }) => sum + Buffer.byteLength(text) + Buffer.byteLength(JSON.stringify(body)),
    0,
  )
  // what can be found is taken in anew, when someone asks
  insert(made, 'conversation', {
    ...{ ...facts, entries: kept.length, bytes, indexed: 0, stale: kept.length > 0 ? 1 : 0, branches: 0 },
    ...{ seal: row ? conversationSeal(row) : null, stamp: stampOf(String(facts.updated_at)) },
  })
  const seqs = new Map(kept.map(({ id, seq }) => [id, seq]))
  for (const entry of kept) {
    const body = JSON.stringify(entry.body)
    putEntry(made, key, entry, seqs.get(entry.parent ?? '') ?? null, body, jsonOrNone(entry.meta))
    if (!entry.redacted) continue
    made.run(sql.bareEntry, { ...key, id: entry.id, body })
    made.run(sql.addRedaction, { ...key, seq: entry.seq, seal: bareSeal(entry) })
  }
  copyBranches(old, made, key, kept, (what) => tell(`${where}: ${what}`))
  for (const table of ['receipt', 'blob_ref', 'event', 'idempotency'])
    for (const one of attempt(() => old.all(`select * from ${table} ${own}`, key)) ?? [
      tell(`${where}: its rows of ${table}`),
    ])
      if (one && !attempt(() => insert(made, table, one))) tell(`${where}: a row of ${table}`)
  return kept.length
}

/** All at once; where that fails, one by one. */
function readEntries(db: Database, key: Key, count: number, tell: Tell): Entry[] {
  const all = attempt(() => db.all(sql.entriesAfter, { ...key, after: 0, limit: -1 }).map(toEntry))
  if (all && all.length >= count) return all
  const found = new Map((all ?? []).map((entry) => [entry.seq, entry]))
  for (let seq = 1; seq <= count; seq++) {
    if (found.has(seq)) continue
    const one = attempt(() => db.all(sql.entriesAfter, { ...key, after: seq - 1, limit: 1 }).map(toEntry)[0])
    if (one?.seq === seq) found.set(seq, one)
    else tell(`entry ${seq}`)
  }
  return [...found.values()].sort((one, other) => one.seq - other.seq)
}

/** In order and without gaps: what followed a lost entry follows the one before it. */
function linked(read: readonly Entry[], tell: Tell): Entry[] {
  const kept: Entry[] = []
  const byId = new Map<string, Entry>()
  for (const entry of read) {
    if (byId.has(entry.id)) continue
    const parent = entry.parent === null ? null : (byId.get(entry.parent) ?? kept.at(-1) ?? null)
    const { redacted, contentHash: claimed } = entry
    const content = redacted ? claimed : contentHash(entry)
    if (content !== claimed) tell(`entry ${entry.seq}: its words were changed, and are kept as they are now`)
    const anew: Entry = { ...link(unlinked(entry), parent as Link | null, kept.length + 1, content), redacted }
    if (anew.hash !== entry.hash && content === claimed)
      tell(`entry ${entry.seq}: it follows another entry than before`)
    kept.push(anew)
    byId.set(entry.id, anew)
  }
  return kept
}

function copyBranches(old: Database, made: Database, key: Key, kept: readonly Entry[], tell: Tell): void {
  const rows = attempt(() => old.all(`select * from branch ${own}`, key)) ?? []
  const put = (branch: string, head: string | null, at: string): void =>
    putBranch(made, key, { name: branch, head, at }, true)
  const last = kept.at(-1)
  for (const { name, head_id, updated_at } of rows) {
    const isThere = head_id === null || kept.some(({ id }) => id === head_id)
    if (!isThere) tell(`branch ${name}: its end; it ends with entry ${last?.seq ?? 0} now`)
    put(String(name), isThere ? (head_id as string | null) : (last?.id ?? null), String(updated_at))
  }
  if (rows.some(({ name }) => name === 'main') || !last) return
  tell(`branch main: it ends with entry ${last.seq} now`)
  put('main', last.id, last.at)
}

function copyWhole(old: Database, made: Database, table: string, tell: Tell, isGood = (_: Row) => true): void {
  const rows = attempt(() => old.all(`select * from ${table}`))
  if (!rows) tell(`${table}: cannot be read`)
  for (const row of rows ?? []) if (!isGood(row) || !attempt(() => insert(made, table, row))) tell(`a row of ${table}`)
}

function insert(db: Database, table: string, row: Values): true {
  const known = new Set(db.all(`pragma table_info(${table})`).map(({ name }) => name as Value))
  const names = Object.keys(row).filter((name) => known.has(name))
  db.run(`insert into ${table} (${names.join(', ')}) values (${names.map((name) => `:${name}`).join(', ')})`, row)
  return true
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

const said = (error: unknown): string => (error instanceof Error ? error.message : String(error))
