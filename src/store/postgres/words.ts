/** The words of entries: those that have them, and how they are shown. */
import type { Hit, SearchQuery, Spot } from '../contract/search.js'
import { filterOf, hitOf } from '../search/found.js'
import { type Span, spansOf } from '../search/spans.js'
import { conversationTerm, type Sought, workspaceTerm } from '../search/terms.js'
import type { Call, Row } from './batch.js'
import type { Driver } from './driver.js'
import { askWords } from './sql/frame.js'
import * as sql from './sql/search.js'
import { pathSeqs } from './sql/vectors.js'

/** Newest first, below a place. */
export async function withWords(
  driver: Driver,
  workspace: string,
  query: SearchQuery,
  sought: readonly Sought[],
  before: number,
  limit: number,
): Promise<readonly Row[]> {
  const { conversation, role, since, until } = filterOf(query)
  const [first, last] = edgesOf(await spansIn(driver, workspace, query))
  const words = wordsOf(workspace, conversation, sought)
  const narrow = [conversation, role, since, until, limit, words, query.tag ?? null, first, last]
  const [, found] = await driver.read(workspace, [askWords, [words]], [sql.searchPage, [workspace, before, ...narrow]])
  return newestFirst(found?.rows ?? [])
}

/** Where those stand that have the words of each list, newest first; all in one round trip. */
export async function spotsWith(
  driver: Driver,
  workspace: string,
  lists: readonly (readonly Sought[])[],
  limit: number,
): Promise<readonly (readonly Spot[])[]> {
  const asked = lists.flatMap((sought): Call[] => {
    const words = wordsOf(workspace, null, sought)
    const any = [null, null, null, null, limit, words, null, null, null]
    return [
      [askWords, [words]],
      [sql.locate, [workspace, Number.MAX_SAFE_INTEGER, ...any]],
    ]
  })
  const found = asked.length > 0 ? await driver.read(workspace, ...asked) : []
  return lists.map((_, at) => newestFirst(found[2 * at + 1]?.rows ?? []).map(spotOf))
}

const newestFirst = (rows: readonly Row[]): readonly Row[] =>
  rows.toSorted((one, other) => (other.place as number) - (one.place as number))

const spotOf = (row: Row): Spot => ({ conversation: row.conversation_id as string, seq: row.seq as number })

/** Null when no branch is named. */
export async function spansIn(
  driver: Driver,
  workspace: string,
  { conversation = '', branch }: SearchQuery,
): Promise<readonly Span[] | null> {
  if (branch === undefined) return null
  const [walk] = await driver.read(workspace, [pathSeqs, [workspace, conversation, branch]])
  return spansOf((walk?.rows ?? []).map(({ seq }) => seq as number))
}

/** As two columns. */
export const edgesOf = (spans: readonly Span[] | null): readonly [number[] | null, number[] | null] => [
  spans?.map(([from]) => from) ?? null,
  spans?.map(([, to]) => to) ?? null,
]

/** In the language of tsquery. No term has a quotation mark or a backslash in it. */
function wordsOf(workspace: string, conversation: string | null, sought: readonly Sought[]): string {
  const place = conversation === null ? workspaceTerm(workspace) : conversationTerm(workspace, conversation)
  return [`'${place}'`, ...sought.map(({ term, prefix }) => `'${term}'${prefix ? ':*' : ''}`)].join(' & ')
}

export const rowToHit = (row: Row, sought: readonly Sought[]): Hit =>
  hitOf(
    { id: row.conversation_id as string, title: row.title as string },
    { id: row.id as string, seq: row.seq as number, at: row.at as string, text: row.text as string },
    row.role as Hit['role'],
    sought,
  )
