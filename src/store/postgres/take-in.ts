/** Takes what is new into the index, in short transactions, and makes it anew. */

import type { Body } from '../contract/entry.js'
import type { Store } from '../contract/store.js'
import { type Searched, searchedOf } from '../search/found.js'
import { conversationTerm, workspaceTerm } from '../search/terms.js'
import { cursorBehind, entryBehind, limitOf } from '../shared/page.js'
import type { Call, Row } from './batch.js'
import type { Driver } from './driver.js'
import { lockTaking } from './sql/frame.js'
import * as sql from './sql/search.js'

/** What one transaction takes in, so that writers get between two of them. */
const round = { conversations: 100, entries: 250 }

/** Goes once over the conversations with something new: what is written meanwhile waits for the next search. */
export async function postgresTakeAllIn(driver: Driver, workspace: string): Promise<void> {
  const [any] = await driver.read(workspace, [sql.anyUnsearched, [workspace]])
  let after = any?.rows.length ? '' : null
  while (after !== null) after = await takeIn(driver, workspace, after)
}

/** Returns where to go on, null when there is no more. */
async function takeIn(driver: Driver, workspace: string, after: string): Promise<string | null> {
  const stale = [workspace, after, round.conversations]
  const first: Call[] = [
    [lockTaking, [workspace]],
    [sql.lockUnsearched, stale],
    [sql.unsearched, [...stale, round.entries]],
  ]
  return driver.write(workspace, first, ([, locked, found]) => {
    const names = (locked?.rows ?? []).map(({ id }) => id as string)
    const rows = inOrder(found?.rows ?? [], names)
    const calls = rows.length > 0 ? listing(workspace, rows) : []
    if (found?.rows.length === round.entries) return { calls, answer: lastWhole(rows, names) ?? after }
    return { calls, answer: names.length === round.conversations ? (names.at(-1) as string) : null }
  })
}

/** The last conversation before the one in which the rows end. */
function lastWhole(rows: readonly Row[], names: readonly string[]): string | undefined {
  const end = names.indexOf(rows.at(-1)?.conversation_id as string)
  return names[end - 1]
}

/** By conversation as they were locked, then by `seq`. */
const inOrder = (rows: readonly Row[], names: readonly string[]): Row[] => {
  const place = new Map(names.map((name, i) => [name, i]))
  const placed = rows.filter((row) => place.has(row.conversation_id as string))
  const of = (row: Row): number => place.get(row.conversation_id as string) as number
  return placed.sort((one, other) => of(one) - of(other) || (one.seq as number) - (other.seq as number))
}

function listing(workspace: string, rows: readonly Row[]): readonly Call[] {
  const marks = new Map(rows.map((row) => [row.conversation_id as string, row.seq as number]))
  const found = rows.flatMap((row) => searchedIn(row) ?? [])
  return [
    ...found.map((one) => listed(workspace, one)),
    [sql.setIndexed, [workspace, [...marks.keys()], [...marks.values()]]],
  ]
}

interface Placed extends Searched {
  readonly conversation: string
}

type Fresh = { readonly seq: number; readonly text: string; readonly at: string }

function searchedIn(row: Row): Placed | null {
  const searched = searchedOf({ ...(row as unknown as Fresh), body: { kind: row.kind, role: row.role } as Body })
  return searched && { ...searched, conversation: row.conversation_id as string }
}

function listed(workspace: string, { conversation, seq, role, instant, terms }: Placed): Call {
  const words = ['*', ...namesOf(workspace, conversation), ...terms].join(' ')
  return [sql.listEntry, [workspace, conversation, seq, role, instant, words]]
}

const namesOf = (workspace: string, conversation: string): readonly string[] => [
  workspaceTerm(workspace),
  conversationTerm(workspace, conversation),
]

export const postgresReindexing = (driver: Driver): Pick<Store, 'reindex'> => ({
  async reindex(workspace, query) {
    const { conversation, seq } = entryBehind(query.cursor)
    const most = limitOf(query.limit)
    const behind = [workspace, conversation, round.conversations]
    const first: Call[] = [
      [lockTaking, [workspace]],
      [sql.lockBehind, behind],
      [sql.entriesBehind, [...behind, seq, most]],
    ]
    return driver.write(workspace, first, ([, locked, found]) => {
      const indexed = new Map((locked?.rows ?? []).map((row) => [row.id as string, row.indexed as number]))
      const names = [...indexed.keys()]
      const rows = inOrder(found?.rows ?? [], names)
      const [last, end] = [rows.at(-1), names.at(-1)]
      const calls = rows.length > 0 ? relisting(workspace, rows, indexed) : []
      if (last && found?.rows.length === most) return { calls, answer: goneOver(rows, cursorIn(last)) }
      const isAll = end === undefined || names.length < round.conversations
      return { calls, answer: goneOver(rows, isAll ? null : cursorBehind(end, Number.MAX_SAFE_INTEGER)) }
    })
  },
})

const goneOver = ({ length: entries }: readonly Row[], cursor: string | null) => ({ entries, cursor })
const cursorIn = (row: Row): string => cursorBehind(row.conversation_id as string, row.seq as number)

/** What stands behind a gap is left to `takeIn`. */
function relisting(workspace: string, rows: readonly Row[], before: ReadonlyMap<string, number>): readonly Call[] {
  const indexed = new Map(before)
  const near = rows.filter((row) => {
    const [id, seq] = [row.conversation_id as string, row.seq as number]
    const known = indexed.get(id) as number
    if (seq <= known + 1) indexed.set(id, Math.max(known, seq))
    return seq <= known + 1
  })
  const found = near.flatMap((row) => searchedIn(row) ?? [])
  const wordless = near.filter((row) => searchedIn(row) === null)
  return [
    ...found.map((one) => listed(workspace, one)),
    ...wordless.map((row): Call => [sql.forgetEntry, [workspace, row.conversation_id as string, row.seq as number]]),
    [sql.setIndexed, [workspace, [...indexed.keys()], [...indexed.values()]]],
  ]
}
