/** Whether a file still holds what was written: its pages, its rows, and what they say about one another. Only reads. */
import { createHash } from 'node:crypto'
import type { Entry } from '../contract/entry.js'
import { searchedOf } from '../search/found.js'
import { blobsOf } from '../shared/link.js'
import { faultsOf } from '../shared/verify.js'
import type { Database, Row } from './driver.js'
import { toEntry } from './rows.js'
import { bareSeal, branchSeal, conversationSeal, receiptSeal } from './seal.js'
import * as sql from './statements.js'

export interface FileFault {
  /** `pages`, or the workspace and the conversation. */
  readonly where: string
  readonly fault: string
}

export interface FileVerdict {
  readonly conversations: number
  readonly entries: number
  readonly faults: readonly FileFault[]
}

/** Faults of one kind that are told; the rest would say the same. */
const most = 100

/** Pages and rows: what SQLite itself can tell. */
export function checkPages(db: Database): FileFault[] {
  const found = attempt('pages', () => [
    ...db.all(`pragma integrity_check(${most})`).flatMap((row) => {
      const fault = String(Object.values(row)[0])
      return fault === 'ok' ? [] : [{ where: 'pages', fault }]
    }),
    ...db.all('pragma foreign_key_check').map(({ table }) => ({
      where: 'pages',
      fault: `a row of ${table} belongs to something that is not there`,
    })),
  ])
  return found.slice(0, most)
}

/** Everything; on one state of the file if it is called inside of a transaction. */
export function checkFile(db: Database): FileVerdict {
  const faults = checkPages(db)
  let [conversations, entries] = [0, 0]
  const rows = safely(() => db.all('select * from conversation order by workspace_id, id'), faults, 'conversations')
  for (const row of rows ?? []) {
    const where = `${row.workspace_id} ${row.id}`
    conversations++
    faults.push(
      ...attempt(where, () => {
        const found = checkConversation(db, row)
        entries += found.entries
        return found.faults.map((fault) => ({ where, fault }))
      }),
    )
  }
  faults.push(...attempt('blobs', () => checkBlobs(db)))
  faults.push(...attempt('records', () => checkJson(db, 'record', 'body')))
  faults.push(...attempt('events', () => checkJson(db, 'event', 'data')))
  return { conversations, entries, faults }
}

interface Found {
  readonly entries: number
  readonly faults: readonly string[]
}

function checkConversation(db: Database, row: Row): Found {
  const key = { workspace: row.workspace_id as string, conversation: row.id as string }
  const own = 'where workspace_id = :workspace and conversation_id = :conversation'
  const faults: string[] = []
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault)
  }
  const log = db.all(sql.entriesAfter, { ...key, after: 0, limit: -1 }).map(toEntry)
  faults.push(...faultsOf(log).map(({ seq, fault }) => `${seq}: ${fault}`))
  expect(log.length === row.entries, `it has ${log.length} entries, and had ${row.entries}`)
  expect(row.seal === null || row.seal === conversationSeal(row), 'its title, labels or settings were changed')
  expect(row.touched === String(row.updated_at).slice(0, 15), 'its time in the list is wrong')

  const ids = new Map(log.map((entry) => [entry.id, entry]))
  const links = db.all(`select id, parent_id, parent_seq, call_id from entry ${own}`, key)
  for (const { id, parent_id, parent_seq, call_id } of links) {
    expect((ids.get(parent_id as string)?.seq ?? null) === parent_seq, `${id}: its parent is another`)
    expect(callOf(ids.get(id as string)) === call_id, `${id}: it answers another call`)
  }
  const calls = db.all(`select call_id, seq from call ${own} order by seq, call_id`, key)
  const made = log.flatMap((entry) => callsIn(entry).map((call) => `${entry.seq} ${call}`))
  const known = new Set(calls.map(({ call_id, seq }) => `${seq} ${call_id}`))
  expect(made.every((call) => known.has(call)) && known.size === new Set(made).size, 'its list of tool calls is wrong')

  for (const { name, head_id, updated_at, seal } of db.all(`select * from branch ${own}`, key)) {
    const sealed = branchSeal(name as string, head_id as string | null, updated_at as string)
    expect(seal === null || seal === sealed, `branch ${name} was changed`)
    expect(head_id === null || ids.has(head_id as string), `branch ${name} ends nowhere`)
  }
  const gone = new Map(db.all(`select seq, seal from redaction ${own}`, key).map(({ seq, seal }) => [seq, seal]))
  const redacted = log.filter((entry) => entry.redacted)
  for (const entry of redacted) {
    const seal = gone.get(entry.seq)
    expect(seal !== undefined, `${entry.seq}: its words are missing, and nobody redacted it`)
    expect(
      seal === undefined || seal === null || seal === bareSeal(entry),
      `${entry.seq}: what was left of it was changed`,
    )
  }
  expect(gone.size === redacted.length, 'words are back that were redacted')

  for (const receipt of db.all(
    `select *, conversation_id as conversation, entry_id as entry from receipt ${own}`,
    key,
  )) {
    JSON.parse(receipt.body as string)
    expect(receipt.seal === null || receipt.seal === receiptSeal(receipt), `receipt ${receipt.id} was changed`)
  }
  const refs = new Set(db.all(`select sha256 from blob_ref ${own}`, key).map(({ sha256 }) => sha256))
  for (const sha256 of log.flatMap(blobsOf)) expect(refs.has(sha256), `file ${sha256} is missing`)

  const {
    newest = 0,
    count = 0,
    oldest = 1,
  } = db.get(`select max(number) as newest, min(number) as oldest, count(*) as count from event ${own}`, key) as Row
  expect(count === 0 || newest === row.events, 'its last events are missing')
  expect(count === 0 || Number(newest) - Number(oldest) + 1 === count, 'events are missing')

  const listed = new Set(db.all(`select seq from search_entry ${own}`, key).map(({ seq }) => seq))
  const findable = log.filter((entry) => entry.seq <= Number(row.indexed) && isFindable(entry))
  const isWhole = listed.size === findable.length && findable.every(({ seq }) => listed.has(seq))
  expect(isWhole, 'its index does not fit its log: throughline reindex makes it anew')
  return { entries: log.length, faults }
}

const isFindable = (entry: Entry): boolean => !entry.redacted && searchedOf(entry) !== null

const callOf = (entry: Entry | undefined): string | null => (entry?.body.kind === 'result' ? entry.body.callId : null)

const callsIn = ({ body }: Entry): string[] =>
  body.kind === 'message' && body.role === 'assistant'
    ? body.parts.flatMap((part) => (part.type === 'call' ? [part.id] : []))
    : []

function checkBlobs(db: Database): FileFault[] {
  return db
    .all('select rowid, workspace_id, sha256, size from blob')
    .flatMap(({ rowid, workspace_id, sha256, size }) => {
      const row = db.get('select bytes from blob where rowid = :rowid', { rowid: rowid as number })
      const bytes = row?.bytes as Uint8Array
      const isWhole = bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256
      return isWhole ? [] : [{ where: String(workspace_id), fault: `file ${sha256} was changed` }]
    })
}

/** Of what has no hash, that it can be read is all that can be said. */
function checkJson(db: Database, table: string, column: string): FileFault[] {
  const { broken } = db.get(`select count(*) as broken from ${table} where not json_valid(${column})`) as Row
  return broken === 0 ? [] : [{ where: table, fault: `${broken} cannot be read` }]
}

function attempt(where: string, work: () => FileFault[]): FileFault[] {
  try {
    return work()
  } catch (error) {
    return [{ where, fault: `cannot be read: ${error instanceof Error ? error.message : String(error)}` }]
  }
}

function safely<T>(work: () => T, faults: FileFault[], where: string): T | undefined {
  try {
    return work()
  } catch (error) {
    faults.push({ where, fault: `cannot be read: ${error instanceof Error ? error.message : String(error)}` })
    return undefined
  }
}
