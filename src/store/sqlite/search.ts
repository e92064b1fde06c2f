/** Search: what is new is taken in when someone asks, so that writing costs nothing. */
import { HistoryError } from '../../core/message/issue.js'
import type { Page } from '../contract/page.js'
import type { Hit, Lead, SearchQuery, Spot } from '../contract/search.js'
import type { Store } from '../contract/store.js'
import type { Library } from '../search/library.js'
import { type Sought, soughtIn } from '../search/terms.js'
import { limitOf, placeBefore, placedPage } from '../shared/page.js'
import type { Sqlite } from './desk.js'
import type { Row } from './driver.js'
import { byMeaning, endOf, nearestVectors } from './meaning.js'
import { takeAllIn } from './take-in.js'
import { toHit, withWords } from './words.js'

export const searching = (desk: Sqlite, library: Library): Pick<Store, 'search' | 'locate'> => ({
  async search(workspace, query) {
    const sought = soughtIn(query.text)
    const before = query.near ? 0 : placeBefore(query.cursor)
    if (sought.length === 0 && !query.near) return { items: [], cursor: null }
    await takeWhatFits(desk, workspace)
    if (query.near) return byMeaning(desk, library, workspace, query, query.near, sought)
    return desk.group.read(() => found(desk, workspace, query, sought, before))
  },

  async locate(workspace, leads, limit) {
    await takeWhatFits(desk, workspace)
    const below = await endOf(desk, workspace)
    const found = await desk.group.read(() => leads.map((lead) => having(desk, workspace, lead, below, limit)))
    return Promise.all(
      leads.map(async (lead, at) => {
        if (typeof lead === 'string') return found[at] as readonly Spot[]
        const near = await nearestVectors(desk, library, workspace, { text: '', limit }, lead, { below, limit })
        return near.map(({ conversation, seq }) => ({ conversation, seq }))
      }),
    )
  },
})

/** A file that cannot be written is searched as far as it was taken in. */
async function takeWhatFits(desk: Sqlite, workspace: string): Promise<void> {
  await takeAllIn(desk, workspace).catch((error: unknown) => {
    if (!HistoryError.is(error) || error.code !== 'storage_full') throw error
  })
}

/** Those that have the words, if it is words that lead. */
function having(desk: Sqlite, workspace: string, lead: Lead, before: number, limit: number): readonly Spot[] {
  const sought = typeof lead === 'string' ? soughtIn(lead) : []
  if (sought.length === 0) return []
  return withWords(desk, workspace, { text: '', limit }, sought, before, limit).map(spotOf)
}

const spotOf = (row: Row): Spot => ({ conversation: row.conversation_id as string, seq: row.seq as number })

function found(
  desk: Sqlite,
  workspace: string,
  query: SearchQuery,
  sought: readonly Sought[],
  before: number,
): Page<Hit> {
  const limit = limitOf(query.limit)
  const rows = withWords(desk, workspace, query, sought, before, limit + 1)
  return placedPage(rows, limit, (row) => toHit(desk, workspace, row, sought).hit)
}
