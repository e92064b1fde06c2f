/** Deleting a long conversation: it is gone at once, and its rows go in short transactions, from its end on. */
import { createTurns, nextTurn } from '../shared/turn.js'
import { find, type Key, keyOf, type Sqlite } from './desk.js'
import type { Row } from './driver.js'
import * as side from './side.js'
import * as sql from './statements.js'

/** A shorter one goes in one transaction. */
const short = 500
/** What goes between two looks at the clock, and how long one transaction goes on. */
const slice = { entries: 50, events: 250, others: 20, ms: 10 }
/** Tombstones that are looked at together. */
const page = 1_000

type Table = 'entry' | 'branch' | 'receipt' | 'record' | 'event' | 'search_entry'

/** How many rows went, and up to where some are left. */
interface Thinned {
  readonly gone: Readonly<Record<Table, number>>
  readonly entries: number
  readonly events: number
  /** Receipts or records. */
  readonly others: boolean
}

const inTurn = createTurns()

/** What went of a long conversation, of which hardly anything is left then; null for a short one, which is as it was. */
export async function thinOut(desk: Sqlite, key: Key): Promise<Thinned['gone'] | null> {
  const seen = await desk.group.look(() => desk.db.get(sql.standing, key))
  if (!seen || (seen.entries as number) <= short) return null
  const begun = await desk.group.write(() => hide(desk, key))
  return (await thin(desk, key, begun)).gone
}

/** Nobody finds it from then on. */
function hide(desk: Sqlite, key: Key): Thinned {
  find(desk, key)
  const row = desk.db.get(sql.standing, key) as Row
  desk.db.run(sql.addTombstone, key)
  desk.db.run(sql.hide, key)
  return leftOf(row, desk.db.run(sql.removeAll.branch, key))
}

const leftOf = ({ entries, events }: Row, branch: number): Thinned => ({
  gone: { entry: 0, branch, receipt: 0, record: 0, event: 0, search_entry: 0 },
  ...{ entries: entries as number, events: events as number, others: true },
})

const isLeft = ({ entries, events, others }: Thinned): boolean => entries > 0 || events > 0 || others

const thin = (desk: Sqlite, key: Key, begun: Thinned): Promise<Thinned> =>
  inTurn(desk, JSON.stringify(key), async () => {
    let left = begun
    while (isLeft(left)) {
      const before = left
      left = await desk.group.write(() => some(desk, key, before))
      await nextTurn()
    }
    return left
  })

function some(desk: Sqlite, key: Key, before: Thinned): Thinned {
  const began = performance.now()
  let left = before
  do left = fewer(desk, key, left)
  while (isLeft(left) && performance.now() - began < slice.ms)
  return left
}

function fewer({ db }: Sqlite, key: Key, { gone, ...left }: Thinned): Thinned {
  const [entries, events] = [Math.max(0, left.entries - slice.entries), Math.max(0, left.events - slice.events)]
  const [behind, limited] = [
    { ...key, after: entries },
    { ...key, limit: slice.others },
  ]
  db.run(side.loseTermsBehind, behind)
  const search_entry = db.run(side.removeSearchedBehind, behind)
  for (const table of [sql.removeBehind.call, sql.removeBehind.redaction]) db.run(table, behind)
  const entry = db.run(sql.removeBehind.entry, behind)
  const event = db.run(side.removeEventsBehind, { ...key, after: events })
  const receipt = db.run(sql.removeSomeReceipts, limited)
  const record = db.run(side.removeSomeRecords, limited)
  return {
    gone: {
      entry: gone.entry + entry,
      branch: gone.branch,
      receipt: gone.receipt + receipt,
      record: gone.record + record,
      event: gone.event + event,
      search_entry: gone.search_entry + search_entry,
    },
    ...{ entries, events, others: receipt + record > 0 },
  }
}

/** So many that were deleted, and what is left of them: null of most. */
export const tombstonesAfter = `
  select tombstone.workspace_id as workspace, conversation_id as conversation, entries, events
  from tombstone
  left join conversation on conversation.workspace_id = tombstone.workspace_id and conversation.id = conversation_id
  where (tombstone.workspace_id, conversation_id) > (:workspace, :conversation)
  order by tombstone.workspace_id, conversation_id limit :limit`

/** Thins out what was being deleted when an earlier process ended, and has `rest` see to the rest of each; whether there was any. */
export async function goOn(desk: Sqlite, rest: (key: Key) => Promise<unknown>): Promise<boolean> {
  let isAny = false
  for (let after: Key | null = keyOf('', ''); after; ) {
    const from: Key = after
    const rows = await desk.group.look(() => desk.db.all(tombstonesAfter, { ...from, limit: page }))
    for (const row of rows) {
      after = keyOf(row.workspace as string, row.conversation as string)
      if (row.entries === null) continue
      await thin(desk, after, leftOf(row, 0))
      await rest(after)
      isAny = true
    }
    if (rows.length < page) return isAny
  }
  return isAny
}
