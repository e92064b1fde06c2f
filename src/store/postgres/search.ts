/** Search: what is new is taken in when someone asks, so that writing costs nothing. */
import type { Hit, Store } from '../contract.js'
import type { Body } from '../entry.js'
import { filterOf, hitOf, searchedOf } from '../found.js'
import { cursorAt, limitOf, placeBefore } from '../page.js'
import { conversationTerm, type Sought, soughtIn, workspaceTerm } from '../terms.js'
import type { Call, Row } from './batch.js'
import type { Driver } from './driver.js'
import { askWords } from './sql/frame.js'
import * as sql from './sql/search.js'

/** What one transaction takes in, so that writers get between two of them. */
const round = { conversations: 100, entries: 250 }

export const searching = (driver: Driver): Pick<Store, 'search'> => ({
  async search(workspace, query) {
    const sought = soughtIn(query.text)
    const before = placeBefore(query.cursor)
    const limit = limitOf(query.limit)
    if (sought.length === 0) return { items: [], cursor: null }
    await takeAllIn(driver, workspace)
    const { conversation, role, since, until } = filterOf(query)
    const words = wordsOf(workspace, conversation, sought)
    const [, found] = await driver.read(
      workspace,
      [askWords, [words]],
      [sql.search, [workspace, before, conversation, role, since, until, limit + 1, words]],
    )
    const rows = [...(found?.rows ?? [])].sort((one, other) => (other.place as number) - (one.place as number))
    const last = rows[limit - 1]
    return {
      items: rows.slice(0, limit).map((row) => toHit(row, sought)),
      cursor: rows.length > limit && last ? cursorAt(last.place as number) : null,
    }
  },
})

/** Goes once over the conversations with something new: what is written meanwhile waits for the next search. */
async function takeAllIn(driver: Driver, workspace: string): Promise<void> {
  const [any] = await driver.read(workspace, [sql.anyUnsearched, [workspace]])
  let after = any?.rows.length ? '' : null
  while (after !== null) after = await takeIn(driver, workspace, after)
}

/** Returns where to go on, null when there is no more. */
async function takeIn(driver: Driver, workspace: string, after: string): Promise<string | null> {
  const stale = [workspace, after, round.conversations]
  const first: Call[] = [
    [sql.lockUnsearched, stale],
    [sql.unsearched, [...stale, round.entries]],
  ]
  return driver.write(workspace, first, ([locked, found]) => {
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

/** By conversation as they were locked, then by \`seq\`. */
const inOrder = (rows: readonly Row[], names: readonly string[]): Row[] => {
  const place = new Map(names.map((name, i) => [name, i]))
  const placed = rows.filter((row) => place.has(row.conversation_id as string))
  const of = (row: Row): number => place.get(row.conversation_id as string) as number
  return placed.sort((one, other) => of(one) - of(other) || (one.seq as number) - (other.seq as number))
}

function listing(workspace: string, rows: readonly Row[]): readonly Call[] {
  const marks = new Map(rows.map((row) => [row.conversation_id as string, row.seq as number]))
  const found = rows.flatMap((row) => {
    const searched = searchedOf({ ...(row as unknown as Fresh), body: { kind: row.kind, role: row.role } as Body })
    return searched ? [{ ...searched, conversation: row.conversation_id as string }] : []
  })
  const added = [
    found.map(({ conversation }) => conversation),
    found.map(({ seq }) => seq),
    found.map(({ role }) => role),
    found.map(({ instant }) => instant),
    found.map(({ conversation, terms }) => ['*', ...namesOf(workspace, conversation), ...terms].join(' ')),
  ]
  return [
    [sql.addSearched, [workspace, ...added]],
    [sql.setIndexed, [workspace, [...marks.keys()], [...marks.values()]]],
  ]
}

type Fresh = { readonly seq: number; readonly text: string; readonly at: string }

const namesOf = (workspace: string, conversation: string): readonly string[] => [
  workspaceTerm(workspace),
  conversationTerm(workspace, conversation),
]

/** In the language of tsquery. No term has a quotation mark or a backslash in it. */
function wordsOf(workspace: string, conversation: string | null, sought: readonly Sought[]): string {
  const place = conversation === null ? workspaceTerm(workspace) : conversationTerm(workspace, conversation)
  return [`'${place}'`, ...sought.map(({ term, prefix }) => `'${term}'${prefix ? ':*' : ''}`)].join(' & ')
}

const toHit = (row: Row, sought: readonly Sought[]): Hit =>
  hitOf(
    { id: row.conversation_id as string, title: row.title as string },
    { id: row.id as string, ...(row as unknown as Fresh) },
    row.role as Hit['role'],
    sought,
  )
