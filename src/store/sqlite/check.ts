/** Whether a file still holds what was written: its pages, its rows, and what they say about one another. Only reads. */
import type { Entry } from '../contract/entry.js'
import { isFindable } from '../search/found.js'
import { callsOf } from '../shared/link.js'
import { digest } from '../shared/runtime.js'
import { type Chain, type Fault, faultsBeside, openChain } from '../shared/verify.js'
import { type Key, keyOf } from './desk.js'
import type { Database, Row } from './driver.js'
import { bareSeal, branchSeal, conversationSeal, formerSeal, receiptSeal, stampOf, toBranch, toEntry } from './rows.js'
import * as side from './side.js'
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
  return attempt('pages', () => [
    ...db.all(`pragma integrity_check(${most})`).flatMap((row) => {
      const fault = String(Object.values(row)[0])
      return fault === 'ok' ? [] : [{ where: 'pages', fault }]
    }),
    ...db.all('pragma foreign_key_check').map(({ table }) => ({
      where: 'pages',
      fault: `a row of ${table} belongs to something that is not there`,
    })),
  ]).slice(0, most)
}

/** Those that are being deleted are no longer there. */
const standing = `
  select * from conversation where not exists (
    select 1 from tombstone where workspace_id = conversation.workspace_id and conversation_id = conversation.id
  ) order by workspace_id, id`

/** Everything; on one state of the file if it is called inside of a transaction. */
export function checkFile(db: Database): FileVerdict {
  const faults = checkPages(db)
  let [conversations, entries] = [0, 0]
  let rows: Row[] = []
  const listed = attempt('conversations', () => {
    rows = db.all(standing)
    return []
  })
  faults.push(...listed)
  for (const row of rows) {
    const where = `${row.workspace_id} ${row.id}`
    conversations++
    faults.push(
      ...attempt(where, () => {
        const found = whole(checkConversation(db, keyOf(row.workspace_id as string, row.id as string)))
        entries += found.entries
        return found.faults.map(({ seq, fault }) => ({ where, fault: seq === 0 ? fault : `${seq}: ${fault}` }))
      }),
    )
  }
  faults.push(...attempt('blobs', () => checkBlobs(db)))
  faults.push(...attempt('records', () => checkJson(db, 'record', 'body')))
  faults.push(...attempt('events', () => checkJson(db, 'event', 'data')))
  return { conversations, entries, faults }
}

function whole<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

interface Found {
  readonly entries: number
  readonly faults: readonly Fault[]
}

/** Entries that are judged at once, so that others get between two lots. */
const lot = 100

/** One lot at each step. The last of them judges what belongs to all, on the same state of the file. */
export function* checkConversation(db: Database, key: Key): Generator<undefined, Found> {
  const chain = openChain()
  const faults: Fault[] = []
  for (let after = 0; ; yield) {
    const page = db.all(sql.entriesAfter, { ...key, after, limit: lot }).map(toEntry)
    for (const entry of page) faults.push(...chain.take(entry))
    faults.push(...faultsIn(db, key, page, chain))
    after = page.at(-1)?.seq ?? after
    if (page.length < lot) break
  }
  return { entries: chain.length, faults: [...faults, ...faultsOfAll(db, key, chain)] }
}

const own = 'where workspace_id = :workspace and conversation_id = :conversation'
const some = `${own} and seq between :first and :last`

/** What stands beside the entries of a lot. */
function faultsIn(db: Database, key: Key, page: readonly Entry[], chain: Chain): Fault[] {
  const faults: Fault[] = []
  const expect = (holds: boolean, seq: number, fault: string): void => {
    if (!holds) faults.push({ seq, fault })
  }
  const [head, tail] = [page[0], page.at(-1)]
  if (!head || !tail) return []
  const stretch = { ...key, first: head.seq, last: tail.seq }
  const ids = new Map(page.map((entry) => [entry.id, entry]))
  for (const row of db.all(`select id, seq, parent_id, parent_seq, call_id from entry ${some}`, stretch)) {
    const seq = row.seq as number
    expect((chain.seqOf(row.parent_id as string) ?? null) === row.parent_seq, seq, 'its parent is another')
    expect(callOf(ids.get(row.id as string)) === row.call_id, seq, 'it answers another call')
  }
  const calls = db.all(`select call_id, seq from call ${some}`, stretch)
  const known = new Set(calls.map(({ call_id, seq }) => `${seq} ${call_id}`))
  const made = new Set(page.flatMap(({ seq, body }) => callsOf(body).map((call) => `${seq} ${call}`)))
  expect([...made].every((call) => known.has(call)) && known.size === made.size, 0, 'its list of tool calls is wrong')

  const gone = new Map(db.all(`select seq, seal from redaction ${some}`, stretch).map(({ seq, seal }) => [seq, seal]))
  const redacted = page.filter((entry) => entry.redacted)
  for (const entry of redacted) {
    const seal = gone.get(entry.seq)
    expect(seal !== undefined, entry.seq, 'its words are missing, and nobody redacted it')
    expect(seal == null || seal === bareSeal(entry), entry.seq, 'what was left of it was changed')
  }
  expect(gone.size === redacted.length, 0, 'words are back that were redacted')

  const indexed = Number(db.get(side.indexedOf, key)?.indexed)
  const listed = new Set(db.all(`select seq from search_entry ${some}`, stretch).map(({ seq }) => seq))
  const findable = page.filter((entry) => entry.seq <= indexed && isFindable(entry))
  const isWhole = listed.size === findable.length && findable.every(({ seq }) => listed.has(seq))
  expect(isWhole, 0, 'its index does not fit its log: throughline reindex makes it anew')
  return faults
}

function faultsOfAll(db: Database, key: Key, chain: Chain): Fault[] {
  const row = db.get('select * from conversation where workspace_id = :workspace and id = :conversation', key) ?? {}
  const branches = db.all(`select * from branch ${own}`, key)
  const refs = db.all(`select sha256 from blob_ref ${own}`, key).map(({ sha256 }) => sha256 as string)
  const beside = { entries: row.entries as number, branches: branches.map(toBranch), blobs: new Set(refs) }
  const faults = faultsBeside(chain, beside)
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push({ seq: 0, fault })
  }
  const isSealed = row.seal === null || row.seal === conversationSeal(row) || row.seal === formerSeal(row)
  expect(isSealed, 'its title, labels or settings were changed')
  expect(row.stamp === null || row.stamp === stampOf(String(row.updated_at)), 'its time was changed')
  expect(row.touched === String(row.updated_at).slice(0, 15), 'its time in the list is wrong')
  expect(row.branches === branches.length, `it has ${branches.length} branches, and had ${row.branches}`)
  for (const { name, head_id, updated_at, seal } of branches) {
    const sealed = branchSeal(name as string, head_id as string | null, updated_at as string)
    expect(seal === null || seal === sealed, `branch ${name} was changed`)
  }
  const asSealed = 'conversation_id as conversation, entry_id as entry'
  for (const receipt of db.all(`select *, ${asSealed}, json_valid(body) as readable from receipt ${own}`, key)) {
    expect(receipt.readable === 1, `receipt ${receipt.id} cannot be read`)
    expect(receipt.seal === null || receipt.seal === receiptSeal(receipt), `receipt ${receipt.id} was changed`)
  }
  const events = `select max(number) as newest, min(number) as oldest, count(*) as count from event ${own}`
  const { newest = 0, count = 0, oldest = 1 } = db.get(events, key) as Row
  expect(count === 0 || newest === row.events, 'its last events are missing')
  expect(count === 0 || Number(newest) - Number(oldest) + 1 === count, 'events are missing')
  return faults
}

const callOf = (entry: Entry | undefined): string | null => (entry?.body.kind === 'result' ? entry.body.callId : null)

function checkBlobs(db: Database): FileFault[] {
  return db
    .all('select rowid, workspace_id, sha256, size from blob')
    .flatMap(({ rowid, workspace_id, sha256, size }) => {
      const row = db.get('select bytes from blob where rowid = :rowid', { rowid: rowid as number })
      const bytes = row?.bytes as Uint8Array
      const isWhole = bytes.length === size && digest(bytes) === sha256
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
