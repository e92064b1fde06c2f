/** Search: what is new is taken in when someone asks, so that writing costs nothing. */

import type { Page } from '../contract/page.js'
import type { Hit, SearchQuery } from '../contract/search.js'
import type { Store } from '../contract.js'
import type { Library } from '../library.js'
import { cursorAt, limitOf, placeBefore } from '../page.js'
import { type Sought, soughtIn } from '../terms.js'
import type { Desk } from './desk.js'
import { byMeaning } from './meaning.js'
import { takeAllIn } from './take-in.js'
import { toHit, withWords } from './words.js'

export const searching = (desk: Desk, library: Library): Pick<Store, 'search'> => ({
  async search(workspace, query) {
    const sought = soughtIn(query.text)
    const before = query.near ? 0 : placeBefore(query.cursor)
    if (sought.length === 0 && !query.near) return { items: [], cursor: null }
    await takeAllIn(desk, workspace)
    if (query.near) return byMeaning(desk, library, workspace, query, query.near, sought)
    return desk.group.read(() => found(desk, workspace, query, sought, before))
  },
})

function found(
  desk: Desk,
  workspace: string,
  query: SearchQuery,
  sought: readonly Sought[],
  before: number,
): Page<Hit> {
  const limit = limitOf(query.limit)
  const rows = withWords(desk, workspace, query, sought, before, limit + 1)
  const last = rows[limit - 1]
  return {
    items: rows.slice(0, limit).map((row) => toHit(desk, workspace, row, sought).hit),
    cursor: rows.length > limit && last ? cursorAt(last.place as number) : null,
  }
}
