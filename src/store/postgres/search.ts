/** Search: what is new is taken in when someone asks, so that writing costs nothing. */
import type { Store } from '../contract/store.js'
import { soughtIn } from '../search/terms.js'
import { limitOf, placeBefore, placedPage } from '../shared/page.js'
import type { Driver } from './driver.js'
import type { Meaning } from './meaning.js'
import { postgresTakeAllIn } from './take-in.js'
import { rowToHit, spotsWith, withWords } from './words.js'

export const postgresSearching = (driver: Driver, meaning: Meaning): Pick<Store, 'search' | 'locate'> => ({
  async search(workspace, query) {
    const sought = soughtIn(query.text)
    const before = query.near ? 0 : placeBefore(query.cursor)
    const limit = limitOf(query.limit)
    if (sought.length === 0 && !query.near) return { items: [], cursor: null }
    await postgresTakeAllIn(driver, workspace)
    if (query.near) return meaning.page(workspace, query, query.near, sought)
    const rows = await withWords(driver, workspace, query, sought, before, limit + 1)
    return placedPage(rows, limit, (row) => rowToHit(row, sought))
  },

  async locate(workspace, leads, limit) {
    await postgresTakeAllIn(driver, workspace)
    const words = leads.map((lead) => (typeof lead === 'string' ? soughtIn(lead) : []))
    const asked = words.filter(({ length }) => length > 0)
    const having = await spotsWith(driver, workspace, asked, limit)
    return Promise.all(
      leads.map((lead, at) => {
        if (typeof lead !== 'string') return meaning.spots(workspace, lead, limit)
        return having[asked.indexOf(words[at] as (typeof asked)[number])] ?? []
      }),
    )
  },
})
